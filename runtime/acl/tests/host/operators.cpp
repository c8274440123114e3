// A library of two-phase operators on int32 tensors, as CANN's build makes one, on the stand-in's own functions.
#include "acl/acl.h"

#include <cstring>
#include <map>
#include <mutex>
#include <numeric>
#include <vector>

extern "C" aclOpExecutor *standin_executor(void);
extern "C" aclnnStatus standin_use_executor(const aclOpExecutor *executor);
extern "C" void *standin_tensor_data(const aclTensor *tensor);
extern "C" const void *standin_values(const void *handle, uint64_t *bytes);
extern "C" const aclTensor *standin_list_tensor(const aclTensorList *list, uint64_t at);

namespace {
constexpr aclnnStatus NULLPTR = 161001;
constexpr aclnnStatus INVALID = 161002;

struct Call {
    std::vector<const aclTensor *> sources; // where there is none, `out` itself is counted up
    const aclTensor *out;
    uint64_t count;
    int32_t add;
};
std::mutex lock;
std::map<const aclOpExecutor *, Call> calls;

aclnnStatus Describe(const aclTensor *tensor, uint64_t *count)
{
    if (tensor == nullptr) {
        return NULLPTR;
    }
    int64_t *dims = nullptr;
    uint64_t rank = 0;
    aclDataType type = ACL_DT_UNDEFINED;
    if (const aclnnStatus status = aclGetViewShape(tensor, &dims, &rank)) {
        return status;
    }
    *count = std::accumulate(dims, dims + rank, uint64_t{1}, [](uint64_t all, int64_t dim) { return all * static_cast<uint64_t>(dim); });
    delete[] dims;
    if (const aclnnStatus status = aclGetDataType(tensor, &type)) {
        return status;
    }
    return type == ACL_INT32 ? 0 : INVALID;
}

template <typename T>
int32_t Sum(const void *handle)
{
    uint64_t bytes = 0;
    const auto *const values = static_cast<const T *>(standin_values(handle, &bytes));
    return std::accumulate(values, values + bytes / sizeof(T), 0, [](int32_t all, T one) { return all + static_cast<int32_t>(one); });
}

aclnnStatus Plan(Call call, aclOpExecutor **executor)
{
    if (const aclnnStatus status = Describe(call.out, &call.count)) {
        return status;
    }
    for (const aclTensor *source : call.sources) {
        uint64_t count = 0;
        if (const aclnnStatus status = Describe(source, &count)) {
            return status;
        }
        if (count != call.count) {
            return INVALID;
        }
    }
    *executor = standin_executor();
    const std::lock_guard<std::mutex> guard(lock);
    calls[*executor] = std::move(call);
    return 0;
}

// What is added to the numbers at `at`, on the stream.
struct Add {
    std::vector<const int32_t *> sources;
    int32_t *at;
    uint64_t count;
    int32_t add;
};
void DoAdd(void *given)
{
    const auto *const add = static_cast<Add *>(given);
    for (uint64_t i = 0; i < add->count; ++i) {
        add->at[i] += add->add;
        for (const int32_t *source : add->sources) {
            add->at[i] += source[i];
        }
    }
    delete add;
}
aclnnStatus Queue(Add add, aclrtStream stream)
{
    auto *const given = new Add(std::move(add));
    const aclError error = aclrtLaunchHostFunc(stream, DoAdd, given);
    if (error != ACL_SUCCESS) {
        delete given;
    }
    return error;
}
int32_t *Data(const aclTensor *tensor)
{
    return static_cast<int32_t *>(standin_tensor_data(tensor));
}
} // namespace

extern "C" {
aclnnStatus aclnnBumpGetWorkspaceSize(const aclTensor *x, int64_t by, uint64_t *size, aclOpExecutor **executor)
{
    *size = 0;
    return Plan({{}, x, 0, static_cast<int32_t>(by)}, executor);
}
aclnnStatus aclnnMixGetWorkspaceSize(const aclTensor *x, const aclTensor *bias, const aclTensorList *list, bool flag, int64_t whole, double number,
    const char *text, const aclIntArray *wholes, const aclFloatArray *numbers, const aclBoolArray *flags, const aclScalar *alpha,
    const aclTensor *out, uint64_t *size, aclOpExecutor **executor)
{
    std::vector<const aclTensor *> sources = {x};
    if (bias != nullptr) {
        sources.push_back(bias);
    }
    for (uint64_t i = 0; standin_list_tensor(list, i) != nullptr; ++i) {
        sources.push_back(standin_list_tensor(list, i));
    }
    const int32_t add = (flag ? 1 : 0) + static_cast<int32_t>(whole) + static_cast<int32_t>(number) + static_cast<int32_t>(std::strlen(text))
        + Sum<int64_t>(wholes) + Sum<float>(numbers) + Sum<bool>(flags) + Sum<int32_t>(alpha);
    uint64_t count = 0;
    if (const aclnnStatus status = Describe(x, &count)) {
        return status;
    }
    *size = count * sizeof(int32_t);
    return Plan({sources, out, 0, add}, executor);
}
aclnnStatus aclnnBump(void *, uint64_t, aclOpExecutor *executor, aclrtStream stream)
{
    Call call;
    {
        const std::lock_guard<std::mutex> guard(lock);
        call = calls[executor];
    }
    if (const aclnnStatus status = standin_use_executor(executor)) {
        return status;
    }
    return Queue({{}, Data(call.out), call.count, call.add}, stream);
}
// By way of the workspace, so that one which goes too early is met by a copy.
aclnnStatus aclnnMix(void *workspace, uint64_t size, aclOpExecutor *executor, aclrtStream stream)
{
    Call call;
    {
        const std::lock_guard<std::mutex> guard(lock);
        call = calls[executor];
    }
    if (const aclnnStatus status = standin_use_executor(executor)) {
        return status;
    }
    const uint64_t bytes = call.count * sizeof(int32_t);
    if (size != bytes) {
        return INVALID;
    }
    if (const aclError error = aclrtMemcpyAsync(workspace, bytes, Data(call.sources[0]), bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream)) {
        return error;
    }
    Add add{{}, static_cast<int32_t *>(workspace), call.count, call.add};
    for (size_t i = 1; i < call.sources.size(); ++i) {
        add.sources.push_back(Data(call.sources[i]));
    }
    if (const aclnnStatus status = Queue(std::move(add), stream)) {
        return status;
    }
    return aclrtMemcpyAsync(Data(call.out), bytes, workspace, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
}
}
