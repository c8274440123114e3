#include "acl/acl.h"

#include "launch.h"
#include "platform/platform_infos_def.h"
#include "report.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <set>

namespace {
using Moment = std::chrono::steady_clock::time_point;
struct Event {
    uint32_t flags;
    bool recorded;
    Moment at;
};
thread_local std::string message;
thread_local aclError last = ACL_SUCCESS;
std::map<const void *, const void *> allocated; // by address, which aclrtMalloc gave it
std::set<const Event *> events;
bool ready = false;
int32_t device = -1;
char the_context;
char the_stream;

aclError Fail(aclError code, const std::string &text)
{
    message = text;
    last = code;
    return code;
}

// At the end of a program whose kernels met no fault.
void NoteUnfreed()
{
    if (ascendc_cpu::AnyMistake()) {
        return;
    }
    for (const auto &[at, site] : allocated) {
        const auto bytes = static_cast<unsigned long long>(ascendc_cpu::BytesBehind(reinterpret_cast<uint64_t>(at)));
        const std::string text = ascendc_cpu::Format("aclrtMalloc: these %llu bytes are never freed (aclrtFree)", bytes);
        ascendc_cpu::WriteReport("note", "memory", text, -1, &site, 1);
    }
}

// The event of a handle; nullptr, and the error is said, where it is none.
Event *EventOf(const char *call, aclrtEvent handle)
{
    Event *const event = static_cast<Event *>(handle);
    if (events.count(event) == 0) {
        Fail(ACL_ERROR_RT_PARAM_INVALID,
            ascendc_cpu::Format("%s: the event is none that aclrtCreateEvent gave, or was destroyed before", call));
        return nullptr;
    }
    return event;
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

aclError aclrtGetLastError(aclrtLastErrLevel level)
{
    const aclError error = aclrtPeekAtLastError(level);
    last = ACL_SUCCESS;
    return error;
}
aclError aclrtPeekAtLastError(aclrtLastErrLevel)
{
    return last;
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
aclError aclrtSynchronizeDeviceWithTimeout(int32_t)
{
    return ACL_SUCCESS;
}
const char *aclrtGetSocName()
{
    return ascendc_cpu::Platform().soc_version.c_str();
}
aclError aclGetDeviceCapability(uint32_t, aclDeviceInfo deviceInfo, int64_t *value)
{
    const fe::PlatFormInfos &chip = ascendc_cpu::Platform();
    switch (deviceInfo) {
        case ACL_DEVICE_INFO_AI_CORE_NUM: *value = chip.aic; return ACL_SUCCESS;
        case ACL_DEVICE_INFO_VECTOR_CORE_NUM: *value = chip.aiv; return ACL_SUCCESS;
        case ACL_DEVICE_INFO_L2_SIZE: *value = static_cast<int64_t>(chip.l2); return ACL_SUCCESS;
        default: return Fail(ACL_ERROR_INVALID_PARAM, ascendc_cpu::Format("aclGetDeviceCapability: there is no information %d", deviceInfo));
    }
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
aclError aclrtGetCurrentContext(aclrtContext *context)
{
    *context = &the_context;
    return ACL_SUCCESS;
}

aclError aclrtCreateStream(aclrtStream *stream)
{
    *stream = &the_stream;
    return ACL_SUCCESS;
}
aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t, uint32_t)
{
    return aclrtCreateStream(stream);
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
aclError aclrtStreamQuery(aclrtStream, aclrtStreamStatus *status)
{
    *status = ACL_STREAM_STATUS_COMPLETE;
    return ACL_SUCCESS;
}
aclError aclrtStreamWaitEvent(aclrtStream, aclrtEvent event)
{
    return EventOf("aclrtStreamWaitEvent", event) != nullptr ? ACL_SUCCESS : last;
}

aclError aclrtCreateEvent(aclrtEvent *event)
{
    return aclrtCreateEventWithFlag(event, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
}
aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag)
{
    if (event == nullptr) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtCreateEvent: event is null");
    }
    Event *const made = new Event{flag, false, {}};
    events.insert(made);
    *event = made;
    return ACL_SUCCESS;
}
aclError aclrtDestroyEvent(aclrtEvent event)
{
    const Event *const known = EventOf("aclrtDestroyEvent", event);
    if (known == nullptr) {
        return last;
    }
    events.erase(known);
    delete known;
    return ACL_SUCCESS;
}
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream)
{
    Event *const known = EventOf("aclrtRecordEvent", event);
    if (known == nullptr) {
        return last;
    }
    known->recorded = true;
    known->at = std::chrono::steady_clock::now();
    return ACL_SUCCESS;
}
aclError aclrtResetEvent(aclrtEvent event, aclrtStream)
{
    Event *const known = EventOf("aclrtResetEvent", event);
    if (known == nullptr) {
        return last;
    }
    known->recorded = false;
    return ACL_SUCCESS;
}
aclError aclrtSynchronizeEvent(aclrtEvent event)
{
    return EventOf("aclrtSynchronizeEvent", event) != nullptr ? ACL_SUCCESS : last;
}
aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t)
{
    return aclrtSynchronizeEvent(event);
}
aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status)
{
    const Event *const known = EventOf("aclrtQueryEvent", event);
    if (known == nullptr) {
        return last;
    }
    *status = known->recorded ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    return ACL_SUCCESS;
}
aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status)
{
    const Event *const known = EventOf("aclrtQueryEventStatus", event);
    if (known == nullptr) {
        return last;
    }
    *status = known->recorded ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    return ACL_SUCCESS;
}
aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent)
{
    const Event *const start = EventOf("aclrtEventElapsedTime", startEvent);
    const Event *const end = EventOf("aclrtEventElapsedTime", endEvent);
    if (start == nullptr || end == nullptr) {
        return last;
    }
    if (!start->recorded || !end->recorded || (start->flags & end->flags & ACL_EVENT_TIME_LINE) == 0) {
        return Fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
            "aclrtEventElapsedTime: both events must be recorded (aclrtRecordEvent), and made with ACL_EVENT_TIME_LINE");
    }
    if (end->at < start->at) {
        return Fail(ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL, "aclrtEventElapsedTime: endEvent was recorded before startEvent");
    }
    *ms = std::chrono::duration<float, std::milli>(end->at - start->at).count();
    return ACL_SUCCESS;
}

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy)
{
    static int count = 0;
    if (devPtr == nullptr || size == 0) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtMalloc: devPtr is null or size is 0");
    }
    *devPtr = ascendc_cpu::AddGlobal(ascendc_cpu::Format("aclrtMalloc %d", ++count), size, -1, true);
    if (*devPtr == nullptr) {
        return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION, ascendc_cpu::Format("aclrtMalloc: no memory for %zu bytes", size));
    }
    if (count == 1) {
        std::atexit(NoteUnfreed);
    }
    allocated[*devPtr] = __builtin_return_address(0);
    return ACL_SUCCESS;
}
aclError aclrtFree(void *devPtr)
{
    if (!ascendc_cpu::RemoveGlobal(devPtr)) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtFree: the pointer is none that aclrtMalloc gave, or was freed before");
    }
    allocated.erase(devPtr);
    return ACL_SUCCESS;
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
aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, aclrtMemcpyKind kind)
{
    if (width > dpitch || width > spitch) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID,
            ascendc_cpu::Format("aclrtMemcpy2d: width is %zu, dpitch %zu, spitch %zu; rows overlap", width, dpitch, spitch));
    }
    for (size_t row = 0; row < height; ++row) {
        auto *const to = static_cast<char *>(dst) + row * dpitch;
        if (const aclError error = aclrtMemcpy(to, width, static_cast<const char *>(src) + row * spitch, width, kind)) {
            return error;
        }
    }
    return ACL_SUCCESS;
}
aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind, aclrtStream)
{
    return aclrtMemcpy(dst, destMax, src, count, kind);
}
