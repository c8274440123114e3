// Binaries of the stand-in's compiler: loading, and looking for functions.
#include "block.h"
#include "context.h"
#include "errors.h"
#include "kernel.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/mman.h>
#include <unistd.h>

namespace standin {
Binary::~Binary()
{
    if (library_ != nullptr) {
        dlclose(library_);
    }
    if (file_ >= 0) {
        close(file_);
    }
}

// A file of its own for each load, which a child (addr2line) finds under the same name: it stays open there.
std::string Binary::Open(const void *data, size_t bytes)
{
    if (bytes < 4 || std::memcmp(data, "\177ELF", 4) != 0) {
        return "the image is no ELF file";
    }
    file_ = memfd_create("kernel", 0);
    for (size_t done = 0; file_ >= 0 && done < bytes;) {
        const ssize_t written = write(file_, static_cast<const char *>(data) + done, bytes - done);
        if (written <= 0) {
            return "the image cannot be copied into memory";
        }
        done += static_cast<size_t>(written);
    }
    if (file_ < 0) {
        return "there is no anonymous file for the image";
    }
    // A library that could not be unloaded keeps its name: under the number of a file that was closed there may be another one.
    const auto name = [this] { return Text("/proc/self/fd/%d", file_); };
    while (void *const other = dlopen(name().c_str(), RTLD_NOW | RTLD_NOLOAD)) {
        dlclose(other);
        const int moved = fcntl(file_, F_DUPFD_CLOEXEC, file_ + 1);
        close(file_);
        file_ = moved;
        if (file_ < 0) {
            return "there is no anonymous file for the image";
        }
    }
    library_ = dlopen(name().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) {
        return Text("the image is none that the stand-in's compiler has made, or is damaged: %s", dlerror());
    }
    table = static_cast<const KernelTable *>(dlsym(library_, "standin_kernel_table"));
    return "";
}

namespace {
uint32_t MagicOf(CoreKind kind)
{
    switch (kind) {
        case CoreKind::VECTOR: return ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE;
        case CoreKind::CUBE: return ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE;
        case CoreKind::MIXED: return ACL_RT_BINARY_MAGIC_ELF_AICORE;
    }
    return 0;
}
} // namespace

std::string Binary::CheckTable(uint32_t magic) const
{
    if (table == nullptr || table->version != TABLE_VERSION) {
        return "the image has no table of kernels; compile it by the bisheng of this toolkit";
    }
    if (table->machine != &standin_machine) {
        return "the image was compiled by the toolkit of another release";
    }
    if (table->arch != ArchOfDevice()) {
        return Text("the image was compiled for architecture %u, and the device has %u", table->arch, ArchOfDevice());
    }
    for (int i = 0; magic != 0 && i < table->count; ++i) {
        if (const uint32_t own = MagicOf(table->list[i].kind); own != magic) {
            return Text("the magic is 0x%x, and kernel `%s` was compiled for cores of 0x%x", magic, table->list[i].name, own);
        }
    }
    return "";
}

std::string Binary::Load(const void *data, size_t bytes, uint32_t magic)
{
    const std::string wrong = Open(data, bytes);
    return wrong.empty() ? CheckTable(magic) : wrong;
}

const KernelEntry *Binary::Find(const std::string &name) const
{
    for (int i = 0; i < table->count; ++i) {
        if (name == table->list[i].name) {
            return &table->list[i];
        }
    }
    return nullptr;
}
void *Binary::Symbol(const char *name) const
{
    return dlsym(library_, name);
}

namespace {
std::mutex functions_lock;
std::map<std::pair<const void *, const KernelEntry *>, void *> &FunctionHandles()
{
    static auto &handles = *new std::map<std::pair<const void *, const KernelEntry *>, void *>;
    return handles;
}

// Checks what a load is told, and gives the magic where there is one.
int CheckOptions(const char *call, const aclrtBinaryLoadOptions *options, uint32_t *magic)
{
    if (options == nullptr) {
        return ACL_SUCCESS;
    }
    if (options->numOpt > 0 && options->options == nullptr) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %zu options and no list of them", call, options->numOpt);
    }
    for (size_t i = 0; i < options->numOpt; ++i) {
        const aclrtBinaryLoadOption &option = options->options[i];
        switch (option.type) {
            case ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD:
                if (option.value.isLazyLoad > 1) {
                    return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: lazy load is %u, not 0 or 1", call, option.value.isLazyLoad);
                }
                break;
            case ACL_RT_BINARY_LOAD_OPT_MAGIC:
                if (option.value.magic != ACL_RT_BINARY_MAGIC_ELF_AICORE && option.value.magic != ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE
                    && option.value.magic != ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE) {
                    return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the magic 0x%x is none of 0x43554245, 0x41415246, 0x41494343", call,
                        option.value.magic);
                }
                *magic = option.value.magic;
                break;
            case ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE:
                return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "%s: the stand-in has no kernels of the device's CPU", call);
            default: return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: there is no option %d", call, static_cast<int>(option.type));
        }
    }
    return ACL_SUCCESS;
}

int Load(const char *call, const void *data, size_t bytes, uint32_t magic, void **handle)
{
    auto binary = std::make_shared<Binary>();
    const std::string wrong = binary->Load(data, bytes, magic);
    if (!wrong.empty()) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %s", call, wrong.c_str());
    }
    const std::shared_ptr<Context> context = CurrentContext();
    binary->context = context == nullptr ? nullptr : context->handle;
    *handle = TableOf<Binary>().Add(binary);
    return ACL_SUCCESS;
}

std::shared_ptr<Function> FunctionOf(const char *call, const void *handle)
{
    std::shared_ptr<Function> function = TableOf<Function>().Get(handle);
    if (function == nullptr) {
        Fail(ACL_ERROR_RT_INVALID_HANDLE, "%s: the function is none that aclrtBinaryGetFunction gave, or its binary was unloaded", call);
    }
    return function;
}

int Unload(const char *call, void *handle, bool same_context)
{
    const std::shared_ptr<Binary> binary = TableOf<Binary>().Get(handle);
    if (binary == nullptr) {
        return Fail(ACL_ERROR_RT_INVALID_HANDLE, "%s: the binary was not loaded, or was unloaded before", call);
    }
    const std::shared_ptr<Context> context = CurrentContext();
    if (same_context && (context == nullptr || binary->context != context->handle)) {
        return Fail(ACL_ERROR_RT_CONTEXT_NULL, "%s: the binary was loaded in another context than the current one of this thread", call);
    }
    ForgetFunctions(handle);
    TableOf<Binary>().Remove(handle);
    return ACL_SUCCESS;
}
} // namespace

void *FunctionHandle(const std::shared_ptr<Binary> &binary, void *binary_handle, const KernelEntry *entry)
{
    const std::lock_guard<std::mutex> guard(functions_lock);
    void *&handle = FunctionHandles()[{binary_handle, entry}];
    if (handle == nullptr) {
        auto function = std::make_shared<Function>(Function{binary, entry, {}, 0});
        for (int i = 0; i < entry->count; ++i) {
            const uint32_t align = std::max(4u, entry->parameters[i].align);
            const uint32_t at = (function->end + align - 1) / align * align;
            function->offsets.push_back(at);
            function->end = at + entry->parameters[i].bytes;
        }
        handle = TableOf<Function>().Add(function);
    }
    return handle;
}
uint64_t Functions()
{
    return TableOf<Function>().size();
}
void ForgetBinaries()
{
    for (const auto &[handle, binary] : TableOf<Binary>().All()) {
        ForgetFunctions(handle);
        TableOf<Binary>().Remove(handle);
    }
    ForgetLowerBinaries();
}
void ForgetFunctions(const void *binary_handle)
{
    const std::lock_guard<std::mutex> guard(functions_lock);
    auto &handles = FunctionHandles();
    for (auto at = handles.begin(); at != handles.end();) {
        if (at->first.first == binary_handle) {
            ForgetArgumentLists(TableOf<Function>().Remove(at->second).get());
            at = handles.erase(at);
        } else {
            ++at;
        }
    }
}
} // namespace standin

using namespace standin;

extern "C" {
aclError aclrtBinaryLoadFromFile(const char *binPath, aclrtBinaryLoadOptions *options, aclrtBinHandle *binHandle)
{
    STANDIN_ENTER(aclrtBinaryLoadFromFile, CONTEXT)
    STANDIN_NOT_NULL(binPath)
    STANDIN_NOT_NULL(binHandle)
    if (binPath[0] != '/') {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: `%s` is no absolute path", api.name(), binPath);
    }
    uint32_t magic = 0;
    if (const int error = CheckOptions(api.name(), options, &magic)) {
        return error;
    }
    std::ifstream in(binPath, std::ios::binary);
    if (!in) {
        return Fail(ACL_ERROR_RT_FILE_OPEN, "%s: `%s` cannot be opened", api.name(), binPath);
    }
    const std::vector<char> image(std::istreambuf_iterator<char>(in), {});
    return Load(api.name(), image.data(), image.size(), magic, binHandle);
}
aclError aclrtBinaryLoadFromData(const void *data, size_t length, const aclrtBinaryLoadOptions *options, aclrtBinHandle *binHandle)
{
    STANDIN_ENTER(aclrtBinaryLoadFromData, CONTEXT)
    STANDIN_NOT_NULL(data)
    STANDIN_NOT_NULL(binHandle)
    uint32_t magic = 0;
    if (const int error = CheckOptions(api.name(), options, &magic)) {
        return error;
    }
    return Load(api.name(), data, length, magic, binHandle);
}
aclrtBinary aclrtCreateBinary(const void *data, size_t dataLen)
{
    STANDIN_ENTER_POINTER(aclrtCreateBinary, NOTHING)
    if (data == nullptr || dataLen == 0) {
        Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: data is null or has no bytes", api.name());
        return nullptr;
    }
    return TableOf<Image>().Add(std::make_shared<Image>(Image{data, dataLen}));
}
aclError aclrtDestroyBinary(aclrtBinary binary)
{
    STANDIN_ENTER(aclrtDestroyBinary, NOTHING)
    return TableOf<Image>().Remove(binary) != nullptr
        ? ACL_SUCCESS
        : Fail(ACL_ERROR_RT_INVALID_HANDLE, "%s: the binary is none that aclrtCreateBinary gave, or was destroyed before", api.name());
}
aclError aclrtBinaryLoad(const aclrtBinary binary, aclrtBinHandle *binHandle)
{
    STANDIN_ENTER(aclrtBinaryLoad, CONTEXT)
    STANDIN_NOT_NULL(binHandle)
    const std::shared_ptr<Image> image = TableOf<Image>().Get(binary);
    if (image == nullptr) {
        return Fail(ACL_ERROR_RT_INVALID_HANDLE, "%s: the binary is none that aclrtCreateBinary gave, or was destroyed", api.name());
    }
    return Load(api.name(), image->data, image->bytes, 0, binHandle);
}
aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle)
{
    STANDIN_ENTER(aclrtBinaryUnLoad, CONTEXT)
    return Unload(api.name(), binHandle, true);
}
aclError aclrtBinaryGetFunction(const aclrtBinHandle binHandle, const char *kernelName, aclrtFuncHandle *funcHandle)
{
    STANDIN_ENTER(aclrtBinaryGetFunction, CONTEXT)
    STANDIN_NOT_NULL(kernelName)
    STANDIN_NOT_NULL(funcHandle)
    const std::shared_ptr<Binary> binary = TableOf<Binary>().Get(binHandle);
    if (binary == nullptr) {
        return Fail(ACL_ERROR_RT_INVALID_HANDLE, "%s: the binary was not loaded, or was unloaded", api.name());
    }
    const KernelEntry *const entry = binary->Find(kernelName);
    if (entry == nullptr) {
        return Fail(ACL_ERROR_RT_KERNEL_LOOKUP, "%s: the binary has no kernel `%s`", api.name(), kernelName);
    }
    *funcHandle = FunctionHandle(binary, binHandle, entry);
    return ACL_SUCCESS;
}
aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle binHandle, uint64_t funcEntry, aclrtFuncHandle *funcHandle)
{
    STANDIN_ENTER(aclrtBinaryGetFunctionByEntry, CONTEXT)
    STANDIN_NOT_NULL(funcHandle)
    const std::shared_ptr<Binary> binary = TableOf<Binary>().Get(binHandle);
    if (binary == nullptr) {
        return Fail(ACL_ERROR_RT_INVALID_HANDLE, "%s: the binary was not loaded, or was unloaded", api.name());
    }
    if (funcEntry >= static_cast<uint64_t>(binary->table->count)) {
        return Fail(ACL_ERROR_RT_KERNEL_LOOKUP, "%s: the binary has %d kernels, no entry %llu", api.name(), binary->table->count,
            static_cast<unsigned long long>(funcEntry));
    }
    *funcHandle = FunctionHandle(binary, binHandle, &binary->table->list[funcEntry]);
    return ACL_SUCCESS;
}
aclError aclrtGetFunctionAddr(aclrtFuncHandle funcHandle, void **aicAddr, void **aivAddr)
{
    STANDIN_ENTER(aclrtGetFunctionAddr, CONTEXT)
    STANDIN_NOT_NULL(aicAddr)
    STANDIN_NOT_NULL(aivAddr)
    const std::shared_ptr<Function> function = FunctionOf(api.name(), funcHandle);
    if (function == nullptr) {
        return LastError();
    }
    void *const at = reinterpret_cast<void *>(function->entry->call);
    *aicAddr = function->entry->kind == CoreKind::VECTOR ? nullptr : at;
    *aivAddr = function->entry->kind == CoreKind::CUBE ? nullptr : at;
    return ACL_SUCCESS;
}
aclError aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen, char *name)
{
    STANDIN_ENTER(aclrtGetFunctionName, CONTEXT)
    STANDIN_NOT_NULL(name)
    const std::shared_ptr<Function> function = FunctionOf(api.name(), funcHandle);
    if (function == nullptr) {
        return LastError();
    }
    const size_t bytes = std::strlen(function->entry->name) + 1;
    if (bytes > maxLen) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the name has %zu bytes, the buffer %u", api.name(), bytes, maxLen);
    }
    std::memcpy(name, function->entry->name, bytes);
    return ACL_SUCCESS;
}
// The kinds of the runtime's reference: 2 cube, 3 vector, 4 mixed; the ratio has the two counts in its halves.
aclError aclrtGetFunctionAttribute(aclrtFuncHandle funcHandle, aclrtFuncAttribute attrType, int64_t *attrValue)
{
    STANDIN_ENTER(aclrtGetFunctionAttribute, CONTEXT)
    STANDIN_NOT_NULL(attrValue)
    const std::shared_ptr<Function> function = FunctionOf(api.name(), funcHandle);
    if (function == nullptr) {
        return LastError();
    }
    if (attrType != ACL_FUNC_ATTR_KERNEL_TYPE) {
        return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "%s: the stand-in knows the kernel's type (1), not attribute %d", api.name(),
            static_cast<int>(attrType));
    }
    const CoreKind kind = function->entry->kind;
    *attrValue = kind == CoreKind::CUBE ? 2 : kind == CoreKind::VECTOR ? 3 : 4;
    return ACL_SUCCESS;
}
aclError aclrtFunctionGetParamCount(const void *func, size_t *paramCount)
{
    STANDIN_ENTER(aclrtFunctionGetParamCount, CONTEXT)
    STANDIN_NOT_NULL(paramCount)
    const std::shared_ptr<Function> function = FunctionOf(api.name(), func);
    if (function == nullptr) {
        return LastError();
    }
    *paramCount = static_cast<size_t>(function->entry->count);
    return ACL_SUCCESS;
}
aclError aclrtFunctionGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset, size_t *paramSize)
{
    STANDIN_ENTER(aclrtFunctionGetParamInfo, CONTEXT)
    STANDIN_NOT_NULL(paramOffset)
    STANDIN_NOT_NULL(paramSize)
    const std::shared_ptr<Function> function = FunctionOf(api.name(), func);
    if (function == nullptr) {
        return LastError();
    }
    if (paramIndex >= function->offsets.size()) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the kernel has %zu parameters, no number %zu", api.name(), function->offsets.size(), paramIndex);
    }
    *paramOffset = function->offsets[paramIndex];
    *paramSize = function->entry->parameters[paramIndex].bytes;
    return ACL_SUCCESS;
}
aclError aclrtGetFuncBySymbol(const void *, aclrtFuncHandle *)
{
    STANDIN_ENTER(aclrtGetFuncBySymbol, CONTEXT)
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "%s: the stand-in knows no kernels by symbols of the host; use aclrtBinaryGetFunction", api.name());
}
aclError aclrtBinaryGetGlobal(aclrtBinHandle, const char *, void **, size_t *)
{
    STANDIN_ENTER(aclrtBinaryGetGlobal, CONTEXT)
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "%s: binaries of the stand-in have no global variables", api.name());
}
aclError aclrtGetHardwareSyncAddr(void **addr)
{
    STANDIN_ENTER(aclrtGetHardwareSyncAddr, CONTEXT)
    STANDIN_NOT_NULL(addr)
    static uint64_t sync[8];
    *addr = sync;
    return ACL_SUCCESS;
}
}
