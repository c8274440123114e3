// The host runtime, as far as programs need it that launch kernels: one device, which is this processor. Calls are synchronous, so
// a stream is only a name and an event the moment of its record; the time between two events is this processor's. Device memory is
// GM of the machine: a kernel that leaves it is stopped, a copy that leaves it fails with 107000 and a text in aclGetRecentErrMsg,
// and what a program never frees is noted at its end. Names and values are those of CANN 8.1 and later (acl_rt.h, acl_base_rt.h).
#ifndef ASCENDC_CPU_ACL_H
#define ASCENDC_CPU_ACL_H

#include "ascendc/types.h"

typedef int aclError;
typedef uint16_t aclFloat16; // the bits of one
typedef void *aclrtStream;
typedef void *aclrtContext;
typedef void *aclrtEvent;

inline float aclFloat16ToFloat(aclFloat16 value)
{
    return ascendc_cpu::HalfToFloat(value);
}
inline aclFloat16 aclFloatToFloat16(float value)
{
    return ascendc_cpu::HalfBits(value);
}

constexpr aclError ACL_SUCCESS = 0;
constexpr aclError ACL_ERROR_NONE = 0;
constexpr aclError ACL_ERROR_INVALID_PARAM = 100000;
constexpr aclError ACL_ERROR_UNINITIALIZE = 100001;
constexpr aclError ACL_ERROR_REPEAT_INITIALIZE = 100002;
constexpr aclError ACL_ERROR_RT_PARAM_INVALID = 107000;
constexpr aclError ACL_ERROR_RT_INVALID_DEVICEID = 107001;
constexpr aclError ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID = 107006;
constexpr aclError ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL = 107007;
constexpr aclError ACL_ERROR_RT_MEMORY_ALLOCATION = 207001;

enum aclrtMemMallocPolicy {
    ACL_MEM_MALLOC_HUGE_FIRST = 0,
    ACL_MEM_MALLOC_HUGE_ONLY = 1,
    ACL_MEM_MALLOC_NORMAL_ONLY = 2,
};
enum aclrtMemcpyKind {
    ACL_MEMCPY_HOST_TO_HOST = 0,
    ACL_MEMCPY_HOST_TO_DEVICE = 1,
    ACL_MEMCPY_DEVICE_TO_HOST = 2,
    ACL_MEMCPY_DEVICE_TO_DEVICE = 3,
    ACL_MEMCPY_DEFAULT = 4,
};
enum aclrtRunMode {
    ACL_DEVICE = 0,
    ACL_HOST = 1,
};
enum aclrtLastErrLevel {
    ACL_RT_THREAD_LEVEL = 0,
};
enum aclrtStreamStatus {
    ACL_STREAM_STATUS_COMPLETE = 0,
    ACL_STREAM_STATUS_NOT_READY = 1,
};
// The older query of an event, which says 0 for what the newer one calls 1.
enum aclrtEventStatus {
    ACL_EVENT_STATUS_COMPLETE = 0,
    ACL_EVENT_STATUS_NOT_READY = 1,
};
enum aclrtEventRecordedStatus {
    ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,
    ACL_EVENT_RECORDED_STATUS_COMPLETE = 1,
};
constexpr uint32_t ACL_EVENT_SYNC = 1;
constexpr uint32_t ACL_EVENT_CAPTURE_STREAM_PROGRESS = 2;
constexpr uint32_t ACL_EVENT_TIME_LINE = 8;
constexpr uint32_t ACL_STREAM_FAST_LAUNCH = 1;
constexpr uint32_t ACL_STREAM_FAST_SYNC = 2;
enum aclDeviceInfo {
    ACL_DEVICE_INFO_UNDEFINED = -1,
    ACL_DEVICE_INFO_AI_CORE_NUM = 0,
    ACL_DEVICE_INFO_VECTOR_CORE_NUM = 1,
    ACL_DEVICE_INFO_L2_SIZE = 2,
};

extern "C" {
aclError aclInit(const char *configPath);
aclError aclFinalize();
const char *aclGetRecentErrMsg();
// The code of the last call of this thread that failed; the first of the two forgets it.
aclError aclrtGetLastError(aclrtLastErrLevel level);
aclError aclrtPeekAtLastError(aclrtLastErrLevel level);

aclError aclrtGetDeviceCount(uint32_t *count);
aclError aclrtSetDevice(int32_t deviceId);
aclError aclrtGetDevice(int32_t *deviceId);
aclError aclrtResetDevice(int32_t deviceId);
aclError aclrtSynchronizeDevice();
aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);
aclError aclrtGetRunMode(aclrtRunMode *runMode);
const char *aclrtGetSocName();
aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t *value);
aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId);
aclError aclrtDestroyContext(aclrtContext context);
aclError aclrtSetCurrentContext(aclrtContext context);
aclError aclrtGetCurrentContext(aclrtContext *context);

aclError aclrtCreateStream(aclrtStream *stream);
aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag);
aclError aclrtDestroyStream(aclrtStream stream);
aclError aclrtSynchronizeStream(aclrtStream stream);
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);
aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status);
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);

aclError aclrtCreateEvent(aclrtEvent *event);
aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag);
aclError aclrtDestroyEvent(aclrtEvent event);
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);
aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);
aclError aclrtSynchronizeEvent(aclrtEvent event);
aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);
aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status);
aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status);
// Both events recorded, and made for it where they have flags (ACL_EVENT_TIME_LINE).
aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent);

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy);
aclError aclrtFree(void *devPtr);
aclError aclrtMallocHost(void **hostPtr, size_t size);
aclError aclrtFreeHost(void *hostPtr);
aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count);
aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream);
aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind);
aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind, aclrtStream stream);
aclError aclrtMemcpy2d(
    void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, aclrtMemcpyKind kind);
}

// The stub that the toolkit's build makes for each kernel: ACLRT_LAUNCH_KERNEL(add)(blockDim, stream, x, y, z).
#define ACLRT_LAUNCH_KERNEL(kernel) aclrtlaunch_##kernel

#endif
