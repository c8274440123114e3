#include "acl/acl.h"

#include "launch.h"
#include "report.h"

#include <cstdlib>
#include <cstring>

namespace {
thread_local std::string message;
bool ready = false;
int32_t device = -1;
char the_context;
char the_stream;

aclError Fail(aclError code, const std::string &text)
{
    message = text;
    return code;
}

// Whether `bytes` from `at` on may be copied: device memory is a region of GM, host memory is none.
aclError Check(const char *call, const char *what, const void *at, size_t bytes, bool on_device)
{
    const auto address = reinterpret_cast<uint64_t>(at);
    const uint64_t behind = ascendc_cpu::BytesBehind(address);
    if (at == nullptr && bytes > 0) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, ascendc_cpu::Format("%s: %s is null", call, what));
    }
    if (on_device && behind < bytes) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID,
            ascendc_cpu::Format("%s: %s is to have %zu bytes of device memory and begins at %s", call, what, bytes,
                ascendc_cpu::DescribeGlobal(address).c_str()));
    }
    if (!on_device && behind > 0 && bytes > 0) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, ascendc_cpu::Format("%s: %s is device memory; the kind says host", call, what));
    }
    return ACL_SUCCESS;
}
} // namespace

aclError aclInit(const char *)
{
    if (ready) {
        return Fail(ACL_ERROR_REPEAT_INITIALIZE, "aclInit: called before");
    }
    ready = true;
    return ACL_SUCCESS;
}
aclError aclFinalize()
{
    if (!ready) {
        return Fail(ACL_ERROR_UNINITIALIZE, "aclFinalize: aclInit was not called");
    }
    ready = false;
    return ACL_SUCCESS;
}
// The text belongs to the runtime and is given once.
const char *aclGetRecentErrMsg()
{
    thread_local std::string given;
    if (message.empty()) {
        return nullptr;
    }
    given.swap(message);
    message.clear();
    return given.c_str();
}

aclError aclrtGetDeviceCount(uint32_t *count)
{
    *count = 1;
    return ACL_SUCCESS;
}
aclError aclrtSetDevice(int32_t deviceId)
{
    if (deviceId != 0) {
        return Fail(ACL_ERROR_RT_INVALID_DEVICEID, ascendc_cpu::Format("aclrtSetDevice: there is no device %d, only 0", deviceId));
    }
    device = deviceId;
    return ACL_SUCCESS;
}
aclError aclrtGetDevice(int32_t *deviceId)
{
    *deviceId = device;
    return device < 0 ? Fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtGetDevice: no device is set") : ACL_SUCCESS;
}
aclError aclrtResetDevice(int32_t)
{
    device = -1;
    return ACL_SUCCESS;
}
aclError aclrtSynchronizeDevice()
{
    return ACL_SUCCESS;
}
aclError aclrtGetRunMode(aclrtRunMode *runMode)
{
    *runMode = ACL_HOST;
    return ACL_SUCCESS;
}
aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId)
{
    *context = &the_context;
    return aclrtSetDevice(deviceId);
}
aclError aclrtDestroyContext(aclrtContext)
{
    return ACL_SUCCESS;
}
aclError aclrtSetCurrentContext(aclrtContext)
{
    return ACL_SUCCESS;
}

aclError aclrtCreateStream(aclrtStream *stream)
{
    *stream = &the_stream;
    return ACL_SUCCESS;
}
aclError aclrtDestroyStream(aclrtStream)
{
    return ACL_SUCCESS;
}
aclError aclrtSynchronizeStream(aclrtStream)
{
    return ACL_SUCCESS;
}
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream, int32_t)
{
    return ACL_SUCCESS;
}

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy)
{
    static int count = 0;
    if (devPtr == nullptr || size == 0) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtMalloc: devPtr is null or size is 0");
    }
    *devPtr = ascendc_cpu::AddGlobal(ascendc_cpu::Format("aclrtMalloc %d", ++count), size, -1, true);
    return *devPtr != nullptr ? ACL_SUCCESS
                              : Fail(ACL_ERROR_RT_MEMORY_ALLOCATION, ascendc_cpu::Format("aclrtMalloc: no memory for %zu bytes", size));
}
aclError aclrtFree(void *devPtr)
{
    return ascendc_cpu::RemoveGlobal(devPtr)
        ? ACL_SUCCESS
        : Fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtFree: the pointer is none that aclrtMalloc gave, or was freed before");
}
aclError aclrtMallocHost(void **hostPtr, size_t size)
{
    if (hostPtr == nullptr || size == 0) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtMallocHost: hostPtr is null or size is 0");
    }
    *hostPtr = std::malloc(size);
    return *hostPtr != nullptr ? ACL_SUCCESS : Fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "aclrtMallocHost: no memory");
}
aclError aclrtFreeHost(void *hostPtr)
{
    std::free(hostPtr);
    return ACL_SUCCESS;
}
aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count)
{
    if (count > maxCount) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, ascendc_cpu::Format("aclrtMemset: count is %zu, maxCount %zu", count, maxCount));
    }
    const bool on_device = ascendc_cpu::BytesBehind(reinterpret_cast<uint64_t>(devPtr)) > 0;
    if (const aclError error = Check("aclrtMemset", "devPtr", devPtr, count, on_device)) {
        return error;
    }
    std::memset(devPtr, value, count);
    return ACL_SUCCESS;
}
aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream)
{
    return aclrtMemset(devPtr, maxCount, value, count);
}
aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind)
{
    if (count > destMax) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, ascendc_cpu::Format("aclrtMemcpy: count is %zu, destMax %zu", count, destMax));
    }
    const auto is_device = [](const void *at) { return ascendc_cpu::BytesBehind(reinterpret_cast<uint64_t>(at)) > 0; };
    const bool guess = kind == ACL_MEMCPY_DEFAULT;
    const bool to_device = guess ? is_device(dst) : kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
    const bool from_device = guess ? is_device(src) : kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
    if (const aclError error = Check("aclrtMemcpy", "dst", dst, count, to_device)) {
        return error;
    }
    if (const aclError error = Check("aclrtMemcpy", "src", src, count, from_device)) {
        return error;
    }
    std::memcpy(dst, src, count);
    return ACL_SUCCESS;
}
aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind, aclrtStream)
{
    return aclrtMemcpy(dst, destMax, src, count, kind);
}
