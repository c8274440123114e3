// Lists of arguments: Init, Append for each parameter, Finalize, launch.
#include "block.h"
#include "errors.h"

#include <cstring>

namespace standin {
namespace {
constexpr size_t MOST_PARAMETERS = 128;
constexpr size_t HANDLE_BYTES = 64;

struct List {
    std::shared_ptr<Function> function;
    std::vector<uint8_t> bytes;
    size_t appended = 0;
    std::map<size_t, std::vector<uint8_t>> carried; // data of placeholders, by parameter
    bool is_final = false;
};

// A parameter's handle is its number, from 1 on.
void *HandleOf(size_t parameter)
{
    return reinterpret_cast<void *>(parameter + 1);
}

std::shared_ptr<List> ListOf(const char *call, const void *handle)
{
    std::shared_ptr<List> list = TableOf<List>().Get(handle);
    if (list == nullptr) {
        Fail(ACL_ERROR_RT_INVALID_HANDLE, "%s: the list is none that aclrtKernelArgsInit gave, or its binary was unloaded", call);
    }
    return list;
}

std::shared_ptr<List> NewList(const char *call, const void *function_handle)
{
    std::shared_ptr<Function> function = TableOf<Function>().Get(function_handle);
    if (function == nullptr) {
        Fail(ACL_ERROR_RT_INVALID_HANDLE, "%s: the function is none that aclrtBinaryGetFunction gave, or its binary was unloaded", call);
        return nullptr;
    }
    auto list = std::make_shared<List>();
    list->bytes.resize(function->end);
    list->function = std::move(function);
    return list;
}

int CheckAppend(const char *call, const List &list, size_t bytes)
{
    const KernelEntry &entry = *list.function->entry;
    if (list.is_final) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the list has been finalized", call);
    }
    if (list.appended >= MOST_PARAMETERS || list.appended >= list.function->offsets.size()) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: `%s` has %d parameters, a list at most %zu; this is one more", call, entry.name, entry.count,
            MOST_PARAMETERS);
    }
    const uint32_t wanted = entry.parameters[list.appended].bytes;
    return bytes == wanted
        ? ACL_SUCCESS
        : Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: parameter %zu of `%s` has %u bytes, the value %zu", call, list.appended, entry.name, wanted, bytes);
}

// The number of a parameter that was appended; `most` where it is none.
size_t Appended(const List &list, const void *handle)
{
    const size_t number = reinterpret_cast<size_t>(handle);
    return number >= 1 && number <= list.appended ? number - 1 : SIZE_MAX;
}
} // namespace

uint64_t ArgumentLists()
{
    return TableOf<List>().size();
}
void ForgetArgumentLists(const Function *function)
{
    for (const auto &[handle, list] : TableOf<List>().All()) {
        if (function == nullptr || list->function.get() == function) {
            TableOf<List>().Remove(handle);
        }
    }
}
} // namespace standin

using namespace standin;

extern "C" {
aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle, aclrtArgsHandle *argsHandle)
{
    STANDIN_ENTER(aclrtKernelArgsInit, CONTEXT)
    STANDIN_NOT_NULL(argsHandle)
    const std::shared_ptr<List> list = NewList(api.name(), funcHandle);
    if (list == nullptr) {
        return LastError();
    }
    *argsHandle = TableOf<List>().Add(list);
    return ACL_SUCCESS;
}
aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle funcHandle, aclrtArgsHandle argsHandle, void *userHostMem, size_t actualArgsSize)
{
    STANDIN_ENTER(aclrtKernelArgsInitByUserMem, CONTEXT)
    STANDIN_NOT_NULL(argsHandle)
    STANDIN_NOT_NULL(userHostMem)
    const std::shared_ptr<List> list = NewList(api.name(), funcHandle);
    if (list == nullptr) {
        return LastError();
    }
    if (actualArgsSize < list->bytes.size()) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the memory has %zu bytes, the parameters take %zu", api.name(), actualArgsSize, list->bytes.size());
    }
    TableOf<List>().AddAs(argsHandle, list);
    return ACL_SUCCESS;
}
aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle funcHandle, size_t *memSize)
{
    STANDIN_ENTER(aclrtKernelArgsGetHandleMemSize, CONTEXT)
    STANDIN_NOT_NULL(memSize)
    if (NewList(api.name(), funcHandle) == nullptr) {
        return LastError();
    }
    *memSize = HANDLE_BYTES;
    return ACL_SUCCESS;
}
aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle funcHandle, size_t userArgsSize, size_t *actualArgsSize)
{
    STANDIN_ENTER(aclrtKernelArgsGetMemSize, CONTEXT)
    STANDIN_NOT_NULL(actualArgsSize)
    const std::shared_ptr<List> list = NewList(api.name(), funcHandle);
    if (list == nullptr) {
        return LastError();
    }
    *actualArgsSize = std::max(userArgsSize, list->bytes.size());
    return ACL_SUCCESS;
}
aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void *param, size_t paramSize, aclrtParamHandle *paramHandle)
{
    STANDIN_ENTER(aclrtKernelArgsAppend, CONTEXT)
    STANDIN_NOT_NULL(param)
    STANDIN_NOT_NULL(paramHandle)
    const std::shared_ptr<List> list = ListOf(api.name(), argsHandle);
    if (list == nullptr || CheckAppend(api.name(), *list, paramSize) != ACL_SUCCESS) {
        return LastError();
    }
    std::memcpy(list->bytes.data() + list->function->offsets[list->appended], param, paramSize);
    *paramHandle = HandleOf(list->appended++);
    return ACL_SUCCESS;
}
aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle argsHandle, aclrtParamHandle *paramHandle)
{
    STANDIN_ENTER(aclrtKernelArgsAppendPlaceHolder, CONTEXT)
    STANDIN_NOT_NULL(paramHandle)
    const std::shared_ptr<List> list = ListOf(api.name(), argsHandle);
    if (list == nullptr || CheckAppend(api.name(), *list, sizeof(void *)) != ACL_SUCCESS) {
        return LastError();
    }
    list->carried[list->appended];
    *paramHandle = HandleOf(list->appended++);
    return ACL_SUCCESS;
}
aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, size_t dataSize, void **bufferAddr)
{
    STANDIN_ENTER(aclrtKernelArgsGetPlaceHolderBuffer, CONTEXT)
    STANDIN_NOT_NULL(bufferAddr)
    const std::shared_ptr<List> list = ListOf(api.name(), argsHandle);
    if (list == nullptr) {
        return LastError();
    }
    const auto found = list->carried.find(Appended(*list, paramHandle));
    if (found == list->carried.end() || dataSize == 0) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the parameter is no placeholder of this list, or its data have no bytes", api.name());
    }
    if (list->appended < list->function->offsets.size()) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %zu of %zu parameters were appended; buffers come behind all", api.name(), list->appended,
            list->function->offsets.size());
    }
    found->second.resize(dataSize);
    *bufferAddr = found->second.data();
    return ACL_SUCCESS;
}
aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, void *param, size_t paramSize)
{
    STANDIN_ENTER(aclrtKernelArgsParaUpdate, CONTEXT)
    STANDIN_NOT_NULL(param)
    const std::shared_ptr<List> list = ListOf(api.name(), argsHandle);
    if (list == nullptr) {
        return LastError();
    }
    const size_t number = Appended(*list, paramHandle);
    if (number == SIZE_MAX || list->carried.count(number) > 0 || paramSize != list->function->entry->parameters[number].bytes) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the parameter was not appended by value, or the value of %zu bytes has another size", api.name(),
            paramSize);
    }
    std::memcpy(list->bytes.data() + list->function->offsets[number], param, paramSize);
    list->is_final = false;
    return ACL_SUCCESS;
}
aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle)
{
    STANDIN_ENTER(aclrtKernelArgsFinalize, CONTEXT)
    const std::shared_ptr<List> list = ListOf(api.name(), argsHandle);
    if (list == nullptr) {
        return LastError();
    }
    if (list->appended != list->function->offsets.size()) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %zu parameters were appended, `%s` has %zu", api.name(), list->appended,
            list->function->entry->name, list->function->offsets.size());
    }
    for (const auto &[number, data] : list->carried) {
        if (data.empty()) {
            return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: placeholder %zu has no buffer (aclrtKernelArgsGetPlaceHolderBuffer)", api.name(), number);
        }
    }
    list->is_final = true;
    return ACL_SUCCESS;
}
aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg *cfg,
    aclrtArgsHandle argsHandle, void *reserve)
{
    STANDIN_ENTER(aclrtLaunchKernelWithConfig, CONTEXT)
    const std::shared_ptr<Function> function = TableOf<Function>().Get(funcHandle);
    if (function == nullptr) {
        return Fail(ACL_ERROR_RT_INVALID_HANDLE, "%s: the function is none that aclrtBinaryGetFunction gave, or its binary was unloaded", api.name());
    }
    const std::shared_ptr<List> list = ListOf(api.name(), argsHandle);
    if (list == nullptr) {
        return LastError();
    }
    if (list->function != function || !list->is_final || reserve != nullptr) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the list must be of this function and finalized, and reserve null", api.name());
    }
    const auto block = std::make_shared<Block>(list->bytes);
    for (const auto &[number, data] : list->carried) {
        if (!block->Carry(function->offsets[number], data.data(), data.size())) {
            return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "%s: no memory for the data of placeholder %zu", api.name(), number);
        }
    }
    return Launch(api.name(), function, numBlocks, stream, cfg, block);
}
}
