#include "context.h"

#include "errors.h"

#include <utility>

namespace standin {
namespace {
std::atomic<uint64_t> inits{0};
std::atomic<bool> saturates{false};
thread_local void *current = nullptr;

struct Device {
    uint64_t references = 0;
    void *primary = nullptr;
};
std::mutex devices_lock;
Device devices[DEVICES];

void *MakeContext(int device, bool is_primary)
{
    auto context = std::make_shared<Context>();
    context->handle = NextHandle();
    context->device = device;
    context->is_primary = is_primary;
    context->stream = std::make_shared<Stream>(context->handle, device);
    return TableOf<Context>().AddAs(const_cast<void *>(context->handle), context);
}

void EndContext(const void *handle)
{
    if (const std::shared_ptr<Context> context = TableOf<Context>().Remove(handle)) {
        context->stream->Close();
    }
}

int CheckDevice(const char *call, int64_t device)
{
    return device >= 0 && device < DEVICES
        ? ACL_SUCCESS
        : Fail(ACL_ERROR_RT_INVALID_DEVICEID, "%s: there is no device %lld; this machine has 0 to %d", call, static_cast<long long>(device),
              DEVICES - 1);
}

int UseDevice(const char *call, int32_t device)
{
    if (const int error = CheckDevice(call, device)) {
        return error;
    }
    const std::lock_guard<std::mutex> guard(devices_lock);
    Device &used = devices[device];
    if (used.primary == nullptr) {
        used.primary = MakeContext(device, true);
    }
    ++used.references;
    current = used.primary;
    return ACL_SUCCESS;
}

int LeaveDevice(const char *call, int32_t device, bool force)
{
    if (const int error = CheckDevice(call, device)) {
        return error;
    }
    void *ended = nullptr;
    {
        const std::lock_guard<std::mutex> guard(devices_lock);
        Device &used = devices[device];
        if (used.references == 0) {
            return Fail(ACL_ERROR_RT_CONTEXT_NULL, "%s: device %d is not in use; pair each reset with an aclrtSetDevice", call, device);
        }
        used.references = force ? 0 : used.references - 1;
        if (used.references == 0) {
            std::swap(ended, used.primary);
        }
    }
    if (ended != nullptr) {
        EndContext(ended);
    }
    return ACL_SUCCESS;
}

int SynchroniseDevice(const char *call, int32_t timeout)
{
    const std::shared_ptr<Context> context = CurrentContext();
    std::vector<std::shared_ptr<Stream>> streams;
    for (const auto &[handle, other] : TableOf<Context>().All()) {
        if (other->device == context->device) {
            streams.push_back(other->stream);
        }
    }
    for (const auto &[handle, stream] : TableOf<Stream>().All()) {
        if (stream->device == context->device) {
            streams.push_back(stream);
        }
    }
    Result first;
    for (const std::shared_ptr<Stream> &stream : streams) {
        Result result;
        if (!stream->Wait(timeout, &result)) {
            return Fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "%s: stream %d has not come to its end in %d ms", call, stream->id, timeout);
        }
        if (first.code == 0) {
            first = result;
        }
    }
    return Told(call, first);
}
} // namespace

bool IsInitialised()
{
    return inits > 0;
}
uint64_t Inits()
{
    return inits;
}
uint64_t DeviceReferences()
{
    const std::lock_guard<std::mutex> guard(devices_lock);
    uint64_t count = 0;
    for (const Device &device : devices) {
        count += device.references;
    }
    return count;
}
void ForgetInits()
{
    inits = 0;
    saturates = false;
}
bool SaturatesOverflow()
{
    return saturates;
}

std::shared_ptr<Context> CurrentContext()
{
    return current == nullptr ? nullptr : TableOf<Context>().Get(current);
}

void EndDevices()
{
    std::vector<void *> ended;
    {
        const std::lock_guard<std::mutex> guard(devices_lock);
        for (Device &device : devices) {
            if (device.primary != nullptr) {
                ended.push_back(device.primary);
            }
            device = {};
        }
    }
    for (const void *handle : ended) {
        EndContext(handle);
    }
}
} // namespace standin

using namespace standin;

extern "C" {
aclError aclInit(const char *)
{
    STANDIN_ENTER(aclInit, NOTHING)
    // Each one counts, for aclFinalizeReference.
    return inits++ == 0 ? ACL_SUCCESS : Fail(ACL_ERROR_REPEAT_INITIALIZE, "aclInit: called before");
}
aclError aclFinalize(void)
{
    STANDIN_ENTER(aclFinalize, INIT)
    inits = 0;
    EndDevices();
    return ACL_SUCCESS;
}
aclError aclFinalizeReference(uint64_t *refCount)
{
    STANDIN_ENTER(aclFinalizeReference, INIT)
    const uint64_t left = --inits;
    if (left == 0) {
        EndDevices();
    }
    if (refCount != nullptr) {
        *refCount = left;
    }
    return ACL_SUCCESS;
}

aclError aclrtGetDeviceCount(uint32_t *count)
{
    STANDIN_ENTER(aclrtGetDeviceCount, INIT)
    STANDIN_NOT_NULL(count)
    *count = DEVICES;
    return ACL_SUCCESS;
}
aclError aclrtSetDevice(int32_t deviceId)
{
    STANDIN_ENTER(aclrtSetDevice, INIT)
    return UseDevice(api.name(), deviceId);
}
rtError_t rtSetDevice(int32_t devId)
{
    STANDIN_ENTER(rtSetDevice, NOTHING)
    return UseDevice(api.name(), devId);
}
aclError aclrtResetDevice(int32_t deviceId)
{
    STANDIN_ENTER(aclrtResetDevice, INIT)
    return LeaveDevice(api.name(), deviceId, false);
}
aclError aclrtResetDeviceForce(int32_t deviceId)
{
    STANDIN_ENTER(aclrtResetDeviceForce, INIT)
    return LeaveDevice(api.name(), deviceId, true);
}
aclError aclrtGetDevice(int32_t *deviceId)
{
    STANDIN_ENTER(aclrtGetDevice, CONTEXT)
    STANDIN_NOT_NULL(deviceId)
    *deviceId = CurrentContext()->device;
    return ACL_SUCCESS;
}
aclError aclrtSynchronizeDevice(void)
{
    STANDIN_ENTER(aclrtSynchronizeDevice, CONTEXT)
    return SynchroniseDevice(api.name(), -1);
}
aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout)
{
    STANDIN_ENTER(aclrtSynchronizeDeviceWithTimeout, CONTEXT)
    return SynchroniseDevice(api.name(), timeout);
}
aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t)
{
    STANDIN_ENTER(aclrtDeviceTaskAbort, INIT)
    if (const int error = CheckDevice(api.name(), deviceId)) {
        return error;
    }
    for (const auto &[handle, stream] : TableOf<Stream>().All()) {
        if (stream->device == deviceId) {
            stream->Abort();
        }
    }
    return ACL_SUCCESS;
}
aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus *deviceStatus)
{
    STANDIN_ENTER(aclrtQueryDeviceStatus, INIT)
    STANDIN_NOT_NULL(deviceStatus)
    if (const int error = CheckDevice(api.name(), deviceId)) {
        return error;
    }
    *deviceStatus = ACL_RT_DEVICE_STATUS_NORMAL;
    return ACL_SUCCESS;
}
aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo *utilizationInfo)
{
    STANDIN_ENTER(aclrtGetDeviceUtilizationRate, INIT)
    STANDIN_NOT_NULL(utilizationInfo)
    if (const int error = CheckDevice(api.name(), deviceId)) {
        return error;
    }
    if (utilizationInfo->extend != nullptr) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: utilizationExtend must be null", api.name());
    }
    *utilizationInfo = {-1, -1, -1, -1, nullptr};
    return ACL_SUCCESS;
}
aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode)
{
    STANDIN_ENTER(aclrtSetDeviceSatMode, CONTEXT)
    if (mode != ACL_RT_OVERFLOW_MODE_SATURATION && mode != ACL_RT_OVERFLOW_MODE_INFNAN) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: there is no mode %d, only 0 and 1", api.name(), static_cast<int>(mode));
    }
    saturates = mode == ACL_RT_OVERFLOW_MODE_SATURATION;
    return ACL_SUCCESS;
}
aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode *mode)
{
    STANDIN_ENTER(aclrtGetDeviceSatMode, CONTEXT)
    STANDIN_NOT_NULL(mode)
    *mode = saturates ? ACL_RT_OVERFLOW_MODE_SATURATION : ACL_RT_OVERFLOW_MODE_INFNAN;
    return ACL_SUCCESS;
}

aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId)
{
    STANDIN_ENTER(aclrtCreateContext, INIT)
    STANDIN_NOT_NULL(context)
    if (const int error = CheckDevice(api.name(), deviceId)) {
        return error;
    }
    *context = current = MakeContext(deviceId, false);
    return ACL_SUCCESS;
}
aclError aclrtDestroyContext(aclrtContext context)
{
    STANDIN_ENTER(aclrtDestroyContext, INIT)
    const std::shared_ptr<Context> known = TableOf<Context>().Get(context);
    if (known == nullptr || known->is_primary) {
        return Fail(ACL_ERROR_RT_INVALID_HANDLE, "%s: the context is none that aclrtCreateContext gave, or was destroyed before", api.name());
    }
    EndContext(context);
    return ACL_SUCCESS;
}
aclError aclrtSetCurrentContext(aclrtContext context)
{
    STANDIN_ENTER(aclrtSetCurrentContext, INIT)
    if (TableOf<Context>().Get(context) == nullptr) {
        return Fail(ACL_ERROR_RT_INVALID_HANDLE, "%s: there is no such context, or it was destroyed before", api.name());
    }
    current = context;
    return ACL_SUCCESS;
}
aclError aclrtGetCurrentContext(aclrtContext *context)
{
    STANDIN_ENTER(aclrtGetCurrentContext, CONTEXT)
    STANDIN_NOT_NULL(context)
    *context = current;
    return ACL_SUCCESS;
}
}
