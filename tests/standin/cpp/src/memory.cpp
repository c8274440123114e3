// Device memory, which is GM of the machine, and host memory; copies between them.
#include "memory.h"

#include "context.h"
#include "errors.h"
#include "launch.h"

#include <cstdlib>
#include <cstring>

namespace standin {
namespace {
struct HostBlock {
    size_t bytes;
};
struct Registered {
    uint64_t bytes;
};
constexpr uint64_t TOTAL_BYTES = 64ull << 30;

int Allocate(const char *call, void **devPtr, size_t size)
{
    if (size == 0) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: size is 0; a block has at least one byte", call);
    }
    if (size > TOTAL_BYTES - DeviceBytes()) {
        return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "%s: no memory for %zu bytes, %llu are left", call, size,
            static_cast<unsigned long long>(TOTAL_BYTES - DeviceBytes()));
    }
    static std::atomic<int> count{0};
    *devPtr = ascendc_cpu::AddGlobal(Text("aclrtMalloc %d", ++count), size, -1, true);
    if (*devPtr == nullptr) {
        return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "%s: no memory for %zu bytes", call, size);
    }
    TableOf<DeviceBlock>().AddAs(*devPtr, std::make_shared<DeviceBlock>(DeviceBlock{size}));
    return ACL_SUCCESS;
}

bool IsDevice(const void *at)
{
    return ascendc_cpu::BytesBehind(reinterpret_cast<uint64_t>(at)) > 0;
}

// What is wrong with an end of a copy; empty: nothing.
std::string Wrong(const char *what, const void *at, size_t bytes, bool on_device)
{
    const auto address = reinterpret_cast<uint64_t>(at);
    if (bytes == 0) {
        return "";
    }
    if (at == nullptr) {
        return Text("%s is null", what);
    }
    if (on_device && ascendc_cpu::BytesBehind(address) < bytes) {
        return Text("%s is to have %zu bytes of device memory and begins at %s", what, bytes, ascendc_cpu::DescribeGlobal(address).c_str());
    }
    if (!on_device && IsDevice(at) && TableOf<Registered>().Get(at) == nullptr) {
        return Text("%s is device memory; the kind says host", what);
    }
    return "";
}

struct Copy {
    void *dst;
    const void *src;
    size_t count;
    bool to_device;
    bool from_device;

    std::string Mistake() const
    {
        const std::string wrong = Wrong("dst", dst, count, to_device);
        return wrong.empty() ? Wrong("src", src, count, from_device) : wrong;
    }
    void Do() const
    {
        if (count > 0) {
            std::memmove(dst, src, count);
        }
    }
};

int Plan(const char *call, void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind, Copy *copy)
{
    if (count > destMax) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: count is %zu, destMax %zu", call, count, destMax);
    }
    switch (kind) {
        case ACL_MEMCPY_HOST_TO_HOST: *copy = {dst, src, count, false, false}; break;
        case ACL_MEMCPY_HOST_TO_DEVICE:
        case ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE: *copy = {dst, src, count, true, false}; break;
        case ACL_MEMCPY_DEVICE_TO_HOST: *copy = {dst, src, count, false, true}; break;
        case ACL_MEMCPY_DEVICE_TO_DEVICE:
        case ACL_MEMCPY_INNER_DEVICE_TO_DEVICE:
        case ACL_MEMCPY_INTER_DEVICE_TO_DEVICE: *copy = {dst, src, count, true, true}; break;
        case ACL_MEMCPY_DEFAULT: *copy = {dst, src, count, IsDevice(dst), IsDevice(src)}; break;
        default: return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: there is no kind of copy %d, only 0 to 7", call, static_cast<int>(kind));
    }
    const std::string wrong = copy->Mistake();
    return wrong.empty() ? ACL_SUCCESS : Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %s", call, wrong.c_str());
}

// The memory may have been freed since the call.
Result Late(const Copy &copy)
{
    const std::string wrong = copy.Mistake();
    if (!wrong.empty()) {
        return {ACL_ERROR_RT_SYS_DMA, "a queued copy cannot be done any more: " + wrong};
    }
    copy.Do();
    return {};
}

int PlanRows(const char *call, void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
    aclrtMemcpyKind kind, std::vector<Copy> *rows)
{
    if (kind != ACL_MEMCPY_HOST_TO_DEVICE && kind != ACL_MEMCPY_DEVICE_TO_HOST) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the kind is %d; rows are copied by 1 (to the device) and 2 (to the host) only", call,
            static_cast<int>(kind));
    }
    if (width > dpitch || width > spitch) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: width is %zu, dpitch %zu, spitch %zu; rows overlap", call, width, dpitch, spitch);
    }
    for (size_t row = 0; row < height; ++row) {
        Copy copy;
        const int error = Plan(
            call, static_cast<char *>(dst) + row * dpitch, width, static_cast<const char *>(src) + row * spitch, width, kind, &copy);
        if (error != ACL_SUCCESS) {
            return error;
        }
        rows->push_back(copy);
    }
    return ACL_SUCCESS;
}

int CheckFill(const char *call, void *devPtr, size_t maxCount, size_t count, bool on_device)
{
    if (count > maxCount) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: count is %zu, maxCount %zu", call, count, maxCount);
    }
    const std::string wrong = Wrong("devPtr", devPtr, count, on_device);
    return wrong.empty() ? ACL_SUCCESS : Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %s", call, wrong.c_str());
}

int CheckRange(const char *call, const void *devPtr, size_t size)
{
    const std::string wrong = Wrong("devPtr", devPtr, size, true);
    return wrong.empty() ? ACL_SUCCESS : Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: %s", call, wrong.c_str());
}
} // namespace

uint64_t DeviceBytes()
{
    uint64_t bytes = 0;
    for (const auto &[at, block] : TableOf<DeviceBlock>().All()) {
        bytes += block->bytes;
    }
    return bytes;
}
uint64_t HostBlocks()
{
    return TableOf<HostBlock>().size();
}
uint64_t RegisteredBlocks()
{
    return TableOf<Registered>().size();
}

void FreeEverything()
{
    for (const auto &[at, block] : TableOf<DeviceBlock>().All()) {
        ascendc_cpu::RemoveGlobal(at);
        TableOf<DeviceBlock>().Remove(at);
    }
    for (const auto &[at, block] : TableOf<Registered>().All()) {
        ascendc_cpu::RemoveGlobal(at);
        TableOf<Registered>().Remove(at);
    }
    for (const auto &[at, block] : TableOf<HostBlock>().All()) {
        std::free(at);
        TableOf<HostBlock>().Remove(at);
    }
}
} // namespace standin

using namespace standin;

extern "C" {
aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy)
{
    STANDIN_ENTER(aclrtMalloc, CONTEXT)
    STANDIN_NOT_NULL(devPtr)
    return Allocate(api.name(), devPtr, size);
}
aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy)
{
    STANDIN_ENTER(aclrtMallocAlign32, CONTEXT)
    STANDIN_NOT_NULL(devPtr)
    return Allocate(api.name(), devPtr, size);
}
aclError aclrtMallocCached(void **devPtr, size_t size, aclrtMemMallocPolicy)
{
    STANDIN_ENTER(aclrtMallocCached, CONTEXT)
    STANDIN_NOT_NULL(devPtr)
    return Allocate(api.name(), devPtr, size);
}
aclError aclrtMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy, aclrtMallocConfig *cfg)
{
    STANDIN_ENTER(aclrtMallocWithCfg, CONTEXT)
    STANDIN_NOT_NULL(devPtr)
    if (cfg != nullptr && cfg->numAttrs > 0 && cfg->attrs == nullptr) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: cfg has %zu attributes and no list of them", api.name(), cfg->numAttrs);
    }
    return Allocate(api.name(), devPtr, size);
}
aclError aclrtFree(void *devPtr)
{
    STANDIN_ENTER(aclrtFree, INIT)
    if (TableOf<DeviceBlock>().Remove(devPtr) == nullptr) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the pointer is none that aclrtMalloc gave, or was freed before", api.name());
    }
    ascendc_cpu::RemoveGlobal(devPtr);
    return ACL_SUCCESS;
}
aclError aclrtMallocHost(void **hostPtr, size_t size)
{
    STANDIN_ENTER(aclrtMallocHost, CONTEXT)
    STANDIN_NOT_NULL(hostPtr)
    if (size == 0) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: size is 0; a block has at least one byte", api.name());
    }
    *hostPtr = std::malloc(size);
    if (*hostPtr == nullptr) {
        return Fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "%s: no memory for %zu bytes", api.name(), size);
    }
    TableOf<HostBlock>().AddAs(*hostPtr, std::make_shared<HostBlock>(HostBlock{size}));
    return ACL_SUCCESS;
}
aclError aclrtFreeHost(void *hostPtr)
{
    STANDIN_ENTER(aclrtFreeHost, INIT)
    if (TableOf<HostBlock>().Remove(hostPtr) == nullptr) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the pointer is none that aclrtMallocHost gave, or was freed before", api.name());
    }
    std::free(hostPtr);
    return ACL_SUCCESS;
}
// The device sees the host's own memory, so that its address is the same.
aclError aclrtHostRegister(void *ptr, uint64_t size, aclrtHostRegisterType type, void **devPtr)
{
    STANDIN_ENTER(aclrtHostRegister, CONTEXT)
    STANDIN_NOT_NULL(ptr)
    STANDIN_NOT_NULL(devPtr)
    if (size == 0 || type != ACL_HOST_REGISTER_MAPPED) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: size is %llu and type %d; the size is at least 1, the type 0 (mapped)", api.name(),
            static_cast<unsigned long long>(size), static_cast<int>(type));
    }
    if (IsDevice(ptr)) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: ptr is device memory, or was registered before", api.name());
    }
    ascendc_cpu::AddForeign("aclrtHostRegister", ptr, size);
    TableOf<Registered>().AddAs(ptr, std::make_shared<Registered>(Registered{size}));
    *devPtr = ptr;
    return ACL_SUCCESS;
}
aclError aclrtHostUnregister(void *ptr)
{
    STANDIN_ENTER(aclrtHostUnregister, CONTEXT)
    if (TableOf<Registered>().Remove(ptr) == nullptr) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: the pointer was not registered, or not any more", api.name());
    }
    ascendc_cpu::RemoveGlobal(ptr);
    return ACL_SUCCESS;
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count)
{
    STANDIN_ENTER(aclrtMemset, CONTEXT)
    if (const int error = CheckFill(api.name(), devPtr, maxCount, count, IsDevice(devPtr))) {
        return error;
    }
    if (count > 0) {
        std::memset(devPtr, value, count);
    }
    return ACL_SUCCESS;
}
aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream handle)
{
    STANDIN_ENTER(aclrtMemsetAsync, CONTEXT)
    const std::shared_ptr<Stream> stream = StreamOf(api.name(), handle);
    if (stream == nullptr) {
        return LastError();
    }
    if (const int error = CheckFill(api.name(), devPtr, maxCount, count, true)) {
        return error;
    }
    stream->Push([=] {
        const std::string wrong = Wrong("devPtr", devPtr, count, true);
        if (!wrong.empty()) {
            return Result{ACL_ERROR_RT_SYS_DMA, "a queued aclrtMemsetAsync cannot be done any more: " + wrong};
        }
        if (count > 0) {
            std::memset(devPtr, value, count);
        }
        return Result{};
    });
    return ACL_SUCCESS;
}
aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind)
{
    STANDIN_ENTER(aclrtMemcpy, CONTEXT)
    Copy copy;
    if (const int error = Plan(api.name(), dst, destMax, src, count, kind, &copy)) {
        return error;
    }
    copy.Do();
    return ACL_SUCCESS;
}
aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind, aclrtStream handle)
{
    STANDIN_ENTER(aclrtMemcpyAsync, CONTEXT)
    const std::shared_ptr<Stream> stream = StreamOf(api.name(), handle);
    if (stream == nullptr) {
        return LastError();
    }
    Copy copy;
    if (const int error = Plan(api.name(), dst, destMax, src, count, kind, &copy)) {
        return error;
    }
    stream->Push([copy] { return Late(copy); });
    return ACL_SUCCESS;
}
aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, aclrtMemcpyKind kind)
{
    STANDIN_ENTER(aclrtMemcpy2d, CONTEXT)
    std::vector<Copy> rows;
    if (const int error = PlanRows(api.name(), dst, dpitch, src, spitch, width, height, kind, &rows)) {
        return error;
    }
    for (const Copy &row : rows) {
        row.Do();
    }
    return ACL_SUCCESS;
}
aclError aclrtMemcpy2dAsync(
    void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, aclrtMemcpyKind kind, aclrtStream handle)
{
    STANDIN_ENTER(aclrtMemcpy2dAsync, CONTEXT)
    const std::shared_ptr<Stream> stream = StreamOf(api.name(), handle);
    if (stream == nullptr) {
        return LastError();
    }
    std::vector<Copy> rows;
    if (const int error = PlanRows(api.name(), dst, dpitch, src, spitch, width, height, kind, &rows)) {
        return error;
    }
    stream->Push([rows] {
        Result result;
        for (const Copy &row : rows) {
            result = result.code == 0 ? Late(row) : result;
        }
        return result;
    });
    return ACL_SUCCESS;
}
aclError aclrtMemFlush(void *devPtr, size_t size)
{
    STANDIN_ENTER(aclrtMemFlush, CONTEXT)
    return CheckRange(api.name(), devPtr, size);
}
aclError aclrtMemInvalidate(void *devPtr, size_t size)
{
    STANDIN_ENTER(aclrtMemInvalidate, CONTEXT)
    return CheckRange(api.name(), devPtr, size);
}
aclError aclrtCmoAsync(void *src, size_t size, aclrtCmoType cmoType, aclrtStream handle)
{
    STANDIN_ENTER(aclrtCmoAsync, CONTEXT)
    if (cmoType < ACL_RT_CMO_TYPE_PREFETCH || cmoType > ACL_RT_CMO_TYPE_FLUSH) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: there is no type %d, only 0 to 3", api.name(), static_cast<int>(cmoType));
    }
    const std::shared_ptr<Stream> stream = StreamOf(api.name(), handle);
    if (stream == nullptr || CheckRange(api.name(), src, size) != ACL_SUCCESS) {
        return LastError();
    }
    stream->Push([] { return Result{}; });
    return ACL_SUCCESS;
}
aclError aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes)
{
    STANDIN_ENTER(aclrtPointerGetAttributes, CONTEXT)
    STANDIN_NOT_NULL(attributes)
    *attributes = {};
    const bool is_host = TableOf<HostBlock>().Get(ptr) != nullptr || TableOf<Registered>().Get(ptr) != nullptr;
    attributes->location.id = static_cast<uint32_t>(CurrentContext()->device);
    attributes->location.type = is_host ? ACL_MEM_LOCATION_TYPE_HOST
        : IsDevice(ptr)                 ? ACL_MEM_LOCATION_TYPE_DEVICE
                                        : ACL_MEM_LOCATION_TYPE_UNREGISTERED;
    attributes->pageSize = 4096;
    return ACL_SUCCESS;
}
aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total)
{
    STANDIN_ENTER(aclrtGetMemInfo, CONTEXT)
    STANDIN_NOT_NULL(free)
    STANDIN_NOT_NULL(total)
    if (attr < ACL_DDR_MEM || attr > ACL_MEM_P2P_HUGE1G) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "%s: there is no kind of memory %d", api.name(), static_cast<int>(attr));
    }
    *total = TOTAL_BYTES;
    *free = TOTAL_BYTES - DeviceBytes();
    return ACL_SUCCESS;
}
}
