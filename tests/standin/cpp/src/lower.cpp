// The lower runtime (libruntime.so): binaries in structures, functions under tokens of the host.
#include "block.h"
#include "context.h"
#include "errors.h"

#include <cstring>

namespace standin {
namespace {
struct Lower {
    std::shared_ptr<Binary> binary;
    std::vector<const void *> tokens;
};
struct Token {
    std::shared_ptr<Function> function;
};

int Register(const char *call, const rtDevBinary_t *bin, void **handle)
{
    if (bin->data == nullptr || bin->length == 0 || bin->version != 0) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the binary has no data, or a version that is not 0", call);
    }
    if (bin->magic != RT_DEV_BINARY_MAGIC_ELF && bin->magic != RT_DEV_BINARY_MAGIC_ELF_AIVEC && bin->magic != RT_DEV_BINARY_MAGIC_ELF_AICUBE) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the magic 0x%x is none of 0x43554245, 0x41415246, 0x41494343", call, bin->magic);
    }
    auto lower = std::make_shared<Lower>();
    lower->binary = std::make_shared<Binary>();
    const std::string wrong = lower->binary->Load(bin->data, bin->length, bin->magic);
    if (!wrong.empty()) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %s", call, wrong.c_str());
    }
    *handle = TableOf<Lower>().Add(lower);
    return ACL_SUCCESS;
}
} // namespace

void ForgetLowerBinaries()
{
    for (const auto &[handle, lower] : TableOf<Lower>().All()) {
        for (const void *token : lower->tokens) {
            TableOf<Token>().Remove(token);
        }
        ForgetFunctions(handle);
        TableOf<Lower>().Remove(handle);
    }
}
uint64_t LowerBinaries()
{
    return TableOf<Lower>().size();
}
} // namespace standin

using namespace standin;

extern "C" {
rtError_t rtDevBinaryRegister(const rtDevBinary_t *bin, void **hdl)
{
    STANDIN_ENTER(rtDevBinaryRegister, NOTHING)
    STANDIN_NOT_NULL(bin)
    STANDIN_NOT_NULL(hdl)
    return Register(api.name(), bin, hdl);
}
rtError_t rtRegisterAllKernel(const rtDevBinary_t *bin, void **hdl)
{
    STANDIN_ENTER(rtRegisterAllKernel, NOTHING)
    STANDIN_NOT_NULL(bin)
    STANDIN_NOT_NULL(hdl)
    return Register(api.name(), bin, hdl);
}
rtError_t rtDevBinaryUnRegister(void *hdl)
{
    STANDIN_ENTER(rtDevBinaryUnRegister, NOTHING)
    const std::shared_ptr<Lower> lower = TableOf<Lower>().Remove(hdl);
    if (lower == nullptr) {
        return Fail(ACL_ERROR_RT_INVALID_HANDLE, "%s: the binary was not registered, or not any more", api.name());
    }
    for (const void *token : lower->tokens) {
        TableOf<Token>().Remove(token);
    }
    ForgetFunctions(hdl);
    return ACL_SUCCESS;
}
rtError_t rtFunctionRegister(void *binHandle, const void *stubFunc, const char_t *stubName, const void *kernelInfoExt, uint32_t funcMode)
{
    STANDIN_ENTER(rtFunctionRegister, NOTHING)
    STANDIN_NOT_NULL(stubFunc)
    STANDIN_NOT_NULL(stubName)
    STANDIN_NOT_NULL(kernelInfoExt)
    const std::shared_ptr<Lower> lower = TableOf<Lower>().Get(binHandle);
    if (lower == nullptr) {
        return Fail(ACL_ERROR_RT_INVALID_HANDLE, "%s: the binary was not registered, or not any more", api.name());
    }
    const KernelEntry *const entry = lower->binary->Find(static_cast<const char *>(kernelInfoExt));
    if (entry == nullptr) {
        return Fail(ACL_ERROR_RT_KERNEL_LOOKUP, "%s: the binary has no kernel `%s`", api.name(), static_cast<const char *>(kernelInfoExt));
    }
    if (funcMode != 0 || TableOf<Token>().Get(stubFunc) != nullptr) {
        return Fail(funcMode != 0 ? ACL_ERROR_RT_PARAM_INVALID : ACL_ERROR_RT_KERNEL_DUPLICATE,
            "%s: funcMode is %u, which must be 0, or the token is taken", api.name(), funcMode);
    }
    auto token = std::make_shared<Token>();
    token->function = TableOf<Function>().Get(FunctionHandle(lower->binary, binHandle, entry));
    lower->tokens.push_back(stubFunc);
    TableOf<Token>().AddAs(const_cast<void *>(stubFunc), token);
    return ACL_SUCCESS;
}
rtError_t rtKernelLaunch(const void *stubFunc, uint32_t numBlocks, void *args, uint32_t argsSize, rtSmDesc_t *smDesc, rtStream_t stm)
{
    STANDIN_ENTER(rtKernelLaunch, NOTHING)
    const std::shared_ptr<Token> token = TableOf<Token>().Get(stubFunc);
    if (token == nullptr) {
        return Fail(ACL_ERROR_RT_KERNEL_LOOKUP, "%s: the token was not registered (rtFunctionRegister), or its binary not any more", api.name());
    }
    if (smDesc != nullptr || (args == nullptr && argsSize > 0)) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: smDesc must be null, and args not where they have a size", api.name());
    }
    if (const int error = CheckSize(api.name(), *token->function, argsSize)) {
        return error;
    }
    const auto *const bytes = static_cast<const uint8_t *>(args);
    const auto block = std::make_shared<Block>(std::vector<uint8_t>(bytes, bytes + argsSize));
    return Launch(api.name(), token->function, numBlocks, stm, nullptr, block);
}
rtError_t rtGetC2cCtrlAddr(uint64_t *addr, uint32_t *len)
{
    STANDIN_ENTER(rtGetC2cCtrlAddr, NOTHING)
    STANDIN_NOT_NULL(addr)
    STANDIN_NOT_NULL(len)
    static uint64_t sync[8];
    *addr = reinterpret_cast<uint64_t>(sync);
    *len = sizeof sync;
    return ACL_SUCCESS;
}
}
