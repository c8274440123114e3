// The launch paths of the interface.
#include "block.h"
#include "errors.h"
#include "standin/launch.h"

#include <algorithm>
#include <cstring>

namespace standin {
namespace {
std::shared_ptr<Function> FunctionOf(const char *call, const void *handle)
{
    std::shared_ptr<Function> function = TableOf<Function>().Get(handle);
    if (function == nullptr) {
        Fail(ACL_ERROR_RT_INVALID_HANDLE, "%s: the function is none that aclrtBinaryGetFunction gave, or its binary was unloaded", call);
    }
    return function;
}

// Data come behind all parameters, each up to the next one's.
int CarryAll(const char *call, Block &block, uint32_t end, const aclrtPlaceHolderInfo *infos, size_t count)
{
    const auto size = static_cast<uint32_t>(block.bytes.size());
    for (size_t i = 0; i < count; ++i) {
        const aclrtPlaceHolderInfo &info = infos[i];
        if (info.addrOffset % 8 != 0 || info.addrOffset + 8ull > end || info.dataOffset < end || info.dataOffset >= size) {
            return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "%s: placeholder %zu has its address at %u and its data at %u; the address is one of the %u bytes of parameters, at a multiple of "
                "8, and the data lie behind them in the %u bytes",
                call, i, info.addrOffset, info.dataOffset, end, size);
        }
        uint32_t next = size;
        for (size_t other = 0; other < count; ++other) {
            if (infos[other].dataOffset > info.dataOffset) {
                next = std::min(next, infos[other].dataOffset);
            }
        }
        if (!block.Carry(info.addrOffset, block.bytes.data() + info.dataOffset, next - info.dataOffset)) {
            return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "%s: no memory for the data of placeholder %zu", call, i);
        }
    }
    return ACL_SUCCESS;
}

std::mutex callback_lock;
aclrtExceptionInfoCallback callback = nullptr;
const Exception *Info(const aclrtExceptionInfo *info)
{
    return reinterpret_cast<const Exception *>(info);
}
} // namespace

void CallBack(const Exception &exception)
{
    aclrtExceptionInfoCallback called = nullptr;
    {
        const std::lock_guard<std::mutex> guard(callback_lock);
        called = callback;
    }
    if (called != nullptr) {
        Exception given = exception;
        called(reinterpret_cast<aclrtExceptionInfo *>(&given));
    }
}

void LaunchSource(const char *name, uint32_t arch, bool auto_sync, uint32_t blocks, aclrtStream handle, std::function<void()> kernel)
{
    const std::shared_ptr<Stream> stream = StreamOf(name, handle);
    if (stream == nullptr) {
        return;
    }
    if (const int code = CheckBlocks(name, blocks)) {
        stream->Push([code, text = Text("%s<<<..>>>: the number of blocks is %u", name, blocks)] { return Result{code, text}; });
        return;
    }
    Job job;
    job.name = name;
    job.arch = arch;
    job.auto_sync = auto_sync;
    job.blocks = blocks;
    job.kernel = std::move(kernel);
    Queue(stream, [job = std::move(job)] { return job; });
}
} // namespace standin

using namespace standin;

extern "C" {
aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg *cfg,
    void *hostArgs, size_t argsSize, aclrtPlaceHolderInfo *placeHolderArray, size_t placeHolderNum)
{
    STANDIN_ENTER(aclrtLaunchKernelWithHostArgs, CONTEXT)
    const std::shared_ptr<Function> function = FunctionOf(api.name(), funcHandle);
    if (function == nullptr) {
        return LastError();
    }
    if ((hostArgs == nullptr && argsSize > 0) || (placeHolderArray == nullptr && placeHolderNum > 0)) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: hostArgs or placeHolderArray is null and has a size", api.name());
    }
    uint64_t parameters = argsSize;
    for (size_t i = 0; i < placeHolderNum; ++i) {
        parameters = std::min<uint64_t>(parameters, placeHolderArray[i].dataOffset);
    }
    // Data may begin where their alignment is.
    if (placeHolderNum > 0 && parameters > function->end) {
        parameters = function->end;
    }
    if (const int error = CheckSize(api.name(), *function, parameters)) {
        return error;
    }
    const auto *const bytes = static_cast<const uint8_t *>(hostArgs);
    const auto block = std::make_shared<Block>(std::vector<uint8_t>(bytes, bytes + argsSize));
    if (const int error = CarryAll(api.name(), *block, function->end, placeHolderArray, placeHolderNum)) {
        return error;
    }
    return Launch(api.name(), function, numBlocks, stream, cfg, block);
}
aclError aclrtLaunchKernelWithArgsArray(void *func, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg *cfg, void **args)
{
    STANDIN_ENTER(aclrtLaunchKernelWithArgsArray, CONTEXT)
    const std::shared_ptr<Function> function = FunctionOf(api.name(), func);
    if (function == nullptr) {
        return LastError();
    }
    const auto block = std::make_shared<Block>(std::vector<uint8_t>(function->end));
    for (size_t i = 0; i < function->offsets.size(); ++i) {
        if (args == nullptr || args[i] == nullptr) {
            return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: there is no value for parameter %zu of `%s`", api.name(), i, function->entry->name);
        }
        std::memcpy(block->bytes.data() + function->offsets[i], args[i], function->entry->parameters[i].bytes);
    }
    return Launch(api.name(), function, numBlocks, stream, cfg, block);
}
aclError aclrtLaunchKernelV2(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void *argsData, size_t argsSize,
    aclrtLaunchKernelCfg *cfg, aclrtStream stream)
{
    STANDIN_ENTER(aclrtLaunchKernelV2, CONTEXT)
    const std::shared_ptr<Function> function = FunctionOf(api.name(), funcHandle);
    return function == nullptr ? LastError() : LaunchFromDevice(api.name(), function, numBlocks, stream, cfg, argsData, argsSize);
}
aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void *argsData, size_t argsSize, aclrtStream stream)
{
    STANDIN_ENTER(aclrtLaunchKernel, CONTEXT)
    const std::shared_ptr<Function> function = FunctionOf(api.name(), funcHandle);
    return function == nullptr ? LastError() : LaunchFromDevice(api.name(), function, numBlocks, stream, nullptr, argsData, argsSize);
}
aclError aclrtLaunchHostFunc(aclrtStream handle, aclrtHostFunc fn, void *args)
{
    STANDIN_ENTER(aclrtLaunchHostFunc, CONTEXT)
    STANDIN_NOT_NULL(fn)
    const std::shared_ptr<Stream> stream = StreamOf(api.name(), handle);
    if (stream == nullptr) {
        return LastError();
    }
    stream->Push([fn, args] {
        fn(args);
        return Result{};
    });
    return ACL_SUCCESS;
}
aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback given)
{
    STANDIN_ENTER(aclrtSetExceptionInfoCallback, INIT)
    const std::lock_guard<std::mutex> guard(callback_lock);
    callback = given;
    return ACL_SUCCESS;
}
uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
    return info == nullptr ? UINT32_MAX : Info(info)->task;
}
uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
    return info == nullptr ? UINT32_MAX : Info(info)->stream;
}
uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
    return info == nullptr ? UINT32_MAX : Info(info)->device;
}
uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo *info)
{
    return info == nullptr ? UINT32_MAX : Info(info)->code;
}
}
