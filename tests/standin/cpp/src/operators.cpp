#include "operators.h"

#include "errors.h"
#include "handles.h"
#include "standin/operator.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace standin {
namespace {
struct Tensor {
    std::vector<int64_t> dims;
    aclDataType type;
    void *data;
    bool is_dense;
};
// A scalar, an array or a list of scalars, with a copy of what it was made of.
struct Other {
    const char *kind;
    std::vector<uint8_t> bytes;
};
struct TensorList {
    std::vector<const void *> tensors;
};
struct Executor {
    bool repeatable = false;
    std::shared_ptr<Planned> planned; // by a library of an operator project
};

template <typename H>
H *Given(void *handle)
{
    return static_cast<H *>(handle);
}

void *MakeOther(const char *call, const char *kind, const void *value, size_t bytes)
{
    if (value == nullptr && bytes > 0) {
        Fail(ACL_ERROR_INVALID_PARAM, "%s: value is null", call);
        return nullptr;
    }
    const auto *const from = static_cast<const uint8_t *>(value);
    return TableOf<Other>().Add(std::make_shared<Other>(Other{kind, {from, from + bytes}}));
}
// Bytes of one element; 0 where the interface has no such type, or one of less than a byte.
size_t ElementBytes(aclDataType type)
{
    switch (type) {
        case ACL_INT8: case ACL_UINT8: case ACL_BOOL: return 1;
        case ACL_FLOAT16: case ACL_BF16: case ACL_INT16: case ACL_UINT16: return 2;
        case ACL_FLOAT: case ACL_INT32: case ACL_UINT32: return 4;
        case ACL_INT64: case ACL_UINT64: case ACL_DOUBLE: case ACL_COMPLEX64: return 8;
        default: return 0;
    }
}
int DestroyOther(const char *call, const char *kind, const void *handle)
{
    const std::shared_ptr<Other> other = TableOf<Other>().Get(handle);
    if (other == nullptr || std::string(other->kind) != kind) {
        return Fail(ACL_ERROR_INVALID_PARAM, "%s: this is no %s that lives", call, kind);
    }
    TableOf<Other>().Remove(handle);
    return ACL_SUCCESS;
}
std::shared_ptr<Executor> ExecutorOf(const char *call, const void *handle)
{
    std::shared_ptr<Executor> executor = TableOf<Executor>().Get(handle);
    if (executor == nullptr) {
        Fail(ACL_ERROR_INVALID_PARAM, "%s: the executor was used up, destroyed, or never made", call);
    }
    return executor;
}
int SetAddress(const char *call, const void *executor_handle, const void *tensor_handle, void *addr)
{
    const std::shared_ptr<Executor> executor = ExecutorOf(call, executor_handle);
    const std::shared_ptr<Tensor> tensor = executor == nullptr ? nullptr : TableOf<Tensor>().Get(tensor_handle);
    if (tensor == nullptr || !executor->repeatable || addr == nullptr) {
        return Fail(ACL_ERROR_INVALID_PARAM, "%s: the executor must live and be repeatable, the tensor live, the address not be null", call);
    }
    tensor->data = addr;
    return ACL_SUCCESS;
}
// Whether elements follow one another in the order of the axes; without strides they do.
bool IsDense(const int64_t *dims, uint64_t rank, const int64_t *stride)
{
    int64_t wanted = 1;
    for (uint64_t axis = rank; axis > 0 && stride != nullptr; --axis) {
        if (dims[axis - 1] > 1 && stride[axis - 1] != wanted) {
            return std::find(dims, dims + rank, 0) != dims + rank;
        }
        wanted *= dims[axis - 1];
    }
    return true;
}
template <typename T>
void Forget()
{
    for (const auto &[handle, object] : TableOf<T>().All()) {
        TableOf<T>().Remove(handle);
    }
}
} // namespace

uint64_t Tensors()
{
    return TableOf<Tensor>().size();
}
uint64_t OtherObjects()
{
    return TableOf<Other>().size() + TableOf<TensorList>().size();
}
uint64_t Executors()
{
    return TableOf<Executor>().size();
}
void ForgetObjects()
{
    Forget<Tensor>();
    Forget<Other>();
    Forget<TensorList>();
    Forget<Executor>();
}

bool LookAt(const aclTensor *handle, TensorFacts *facts)
{
    const std::shared_ptr<Tensor> tensor = TableOf<Tensor>().Get(handle);
    if (tensor != nullptr) {
        *facts = {tensor->dims, tensor->type, tensor->data, tensor->is_dense};
    }
    return tensor != nullptr;
}
bool ItemsOf(const aclTensorList *handle, std::vector<const aclTensor *> *items)
{
    const std::shared_ptr<TensorList> list = TableOf<TensorList>().Get(handle);
    items->clear();
    for (size_t i = 0; list != nullptr && i < list->tensors.size(); ++i) {
        items->push_back(static_cast<const aclTensor *>(list->tensors[i]));
    }
    return list != nullptr;
}
bool BytesOf(const void *handle, const char *kind, std::vector<uint8_t> *bytes)
{
    const std::shared_ptr<Other> array = TableOf<Other>().Get(handle);
    if (array == nullptr || std::strcmp(array->kind, kind) != 0) {
        return false;
    }
    *bytes = array->bytes;
    return true;
}
aclOpExecutor *MakeExecutor(std::shared_ptr<Planned> planned)
{
    return Given<aclOpExecutor>(TableOf<Executor>().Add(std::make_shared<Executor>(Executor{false, std::move(planned)})));
}
std::shared_ptr<Planned> UseExecutor(const char *call, const aclOpExecutor *handle)
{
    const std::shared_ptr<Executor> executor = ExecutorOf(call, handle);
    if (executor != nullptr && !executor->repeatable) {
        TableOf<Executor>().Remove(handle);
    }
    if (executor != nullptr && executor->planned == nullptr) {
        Fail(ACL_ERROR_INVALID_PARAM, "%s: the executor is none of an operator project", call);
    }
    return executor == nullptr ? nullptr : executor->planned;
}
} // namespace standin

using namespace standin;

extern "C" {
aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t *stride, int64_t offset,
    aclFormat, const int64_t *storageDims, uint64_t storageDimsNum, void *tensorData)
{
    STANDIN_ENTER_POINTER(aclCreateTensor, NOTHING)
    const auto negative = [](int64_t dim) { return dim < 0; };
    if ((viewDims == nullptr && viewDimsNum > 0) || (storageDims == nullptr && storageDimsNum > 0) || offset < 0
        || std::any_of(viewDims, viewDims + viewDimsNum, negative) || std::any_of(storageDims, storageDims + storageDimsNum, negative)) {
        Fail(ACL_ERROR_INVALID_PARAM, "%s: a shape is null or has an axis below 0, or the offset is below 0", api.name());
        return nullptr;
    }
    const bool is_dense = offset == 0 && IsDense(viewDims, viewDimsNum, stride);
    return Given<aclTensor>(TableOf<Tensor>().Add(std::make_shared<Tensor>(Tensor{{viewDims, viewDims + viewDimsNum}, dataType, tensorData, is_dense})));
}
aclScalar *aclCreateScalar(void *value, aclDataType dataType)
{
    STANDIN_ENTER_POINTER(aclCreateScalar, NOTHING)
    const size_t bytes = ElementBytes(dataType);
    if (bytes == 0) {
        Fail(ACL_ERROR_INVALID_PARAM, "%s: there are no scalars of type %d here", api.name(), static_cast<int>(dataType));
        return nullptr;
    }
    return Given<aclScalar>(MakeOther(api.name(), "aclScalar", value, bytes));
}
aclIntArray *aclCreateIntArray(const int64_t *value, uint64_t size)
{
    STANDIN_ENTER_POINTER(aclCreateIntArray, NOTHING)
    return Given<aclIntArray>(MakeOther(api.name(), "aclIntArray", value, size * sizeof(int64_t)));
}
aclFloatArray *aclCreateFloatArray(const float *value, uint64_t size)
{
    STANDIN_ENTER_POINTER(aclCreateFloatArray, NOTHING)
    return Given<aclFloatArray>(MakeOther(api.name(), "aclFloatArray", value, size * sizeof(float)));
}
aclBoolArray *aclCreateBoolArray(const bool *value, uint64_t size)
{
    STANDIN_ENTER_POINTER(aclCreateBoolArray, NOTHING)
    return Given<aclBoolArray>(MakeOther(api.name(), "aclBoolArray", value, size * sizeof(bool)));
}
aclTensorList *aclCreateTensorList(const aclTensor *const *value, uint64_t size)
{
    STANDIN_ENTER_POINTER(aclCreateTensorList, NOTHING)
    auto list = std::make_shared<TensorList>();
    for (uint64_t i = 0; i < size; ++i) {
        if (value == nullptr || TableOf<Tensor>().Get(value[i]) == nullptr) {
            Fail(ACL_ERROR_INVALID_PARAM, "%s: tensor %llu is none that lives", api.name(), static_cast<unsigned long long>(i));
            return nullptr;
        }
        list->tensors.push_back(value[i]);
    }
    return Given<aclTensorList>(TableOf<TensorList>().Add(list));
}
aclScalarList *aclCreateScalarList(const aclScalar *const *value, uint64_t size)
{
    STANDIN_ENTER_POINTER(aclCreateScalarList, NOTHING)
    return Given<aclScalarList>(MakeOther(api.name(), "aclScalarList", value, size * sizeof *value));
}
aclnnStatus aclDestroyTensor(const aclTensor *tensor)
{
    STANDIN_ENTER(aclDestroyTensor, NOTHING)
    return TableOf<Tensor>().Remove(tensor) != nullptr ? ACL_SUCCESS : Fail(ACL_ERROR_INVALID_PARAM, "%s: this is no tensor that lives", api.name());
}
aclnnStatus aclDestroyScalar(const aclScalar *scalar)
{
    STANDIN_ENTER(aclDestroyScalar, NOTHING)
    return DestroyOther(api.name(), "aclScalar", scalar);
}
aclnnStatus aclDestroyIntArray(const aclIntArray *array)
{
    STANDIN_ENTER(aclDestroyIntArray, NOTHING)
    return DestroyOther(api.name(), "aclIntArray", array);
}
aclnnStatus aclDestroyFloatArray(const aclFloatArray *array)
{
    STANDIN_ENTER(aclDestroyFloatArray, NOTHING)
    return DestroyOther(api.name(), "aclFloatArray", array);
}
aclnnStatus aclDestroyBoolArray(const aclBoolArray *array)
{
    STANDIN_ENTER(aclDestroyBoolArray, NOTHING)
    return DestroyOther(api.name(), "aclBoolArray", array);
}
// The tensors in it go along.
aclnnStatus aclDestroyTensorList(const aclTensorList *array)
{
    STANDIN_ENTER(aclDestroyTensorList, NOTHING)
    const std::shared_ptr<TensorList> list = TableOf<TensorList>().Remove(array);
    if (list == nullptr) {
        return Fail(ACL_ERROR_INVALID_PARAM, "%s: this is no list of tensors that lives", api.name());
    }
    for (const void *tensor : list->tensors) {
        TableOf<Tensor>().Remove(tensor);
    }
    return ACL_SUCCESS;
}
aclnnStatus aclDestroyScalarList(const aclScalarList *array)
{
    STANDIN_ENTER(aclDestroyScalarList, NOTHING)
    return DestroyOther(api.name(), "aclScalarList", array);
}
aclnnStatus aclGetViewShape(const aclTensor *handle, int64_t **viewDims, uint64_t *viewDimsNum)
{
    STANDIN_ENTER(aclGetViewShape, NOTHING)
    STANDIN_NOT_NULL(viewDims)
    STANDIN_NOT_NULL(viewDimsNum)
    const std::shared_ptr<Tensor> tensor = TableOf<Tensor>().Get(handle);
    if (tensor == nullptr) {
        return Fail(ACL_ERROR_INVALID_PARAM, "%s: this is no tensor that lives", api.name());
    }
    *viewDims = new int64_t[tensor->dims.size()];
    std::copy(tensor->dims.begin(), tensor->dims.end(), *viewDims);
    *viewDimsNum = tensor->dims.size();
    return ACL_SUCCESS;
}
aclnnStatus aclGetDataType(const aclTensor *handle, aclDataType *dataType)
{
    STANDIN_ENTER(aclGetDataType, NOTHING)
    STANDIN_NOT_NULL(dataType)
    const std::shared_ptr<Tensor> tensor = TableOf<Tensor>().Get(handle);
    if (tensor == nullptr) {
        return Fail(ACL_ERROR_INVALID_PARAM, "%s: this is no tensor that lives", api.name());
    }
    *dataType = tensor->type;
    return ACL_SUCCESS;
}
aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *handle)
{
    STANDIN_ENTER(aclSetAclOpExecutorRepeatable, NOTHING)
    const std::shared_ptr<Executor> executor = ExecutorOf(api.name(), handle);
    if (executor == nullptr) {
        return LastError();
    }
    executor->repeatable = true;
    return ACL_SUCCESS;
}
aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *handle)
{
    STANDIN_ENTER(aclDestroyAclOpExecutor, NOTHING)
    if (ExecutorOf(api.name(), handle) == nullptr) {
        return LastError();
    }
    TableOf<Executor>().Remove(handle);
    return ACL_SUCCESS;
}
aclnnStatus aclSetInputTensorAddr(aclOpExecutor *executor, const size_t, aclTensor *tensor, void *addr)
{
    STANDIN_ENTER(aclSetInputTensorAddr, NOTHING)
    return SetAddress(api.name(), executor, tensor, addr);
}
aclnnStatus aclSetOutputTensorAddr(aclOpExecutor *executor, const size_t, aclTensor *tensor, void *addr)
{
    STANDIN_ENTER(aclSetOutputTensorAddr, NOTHING)
    return SetAddress(api.name(), executor, tensor, addr);
}
aclnnStatus aclnnInit(const char *)
{
    STANDIN_ENTER(aclnnInit, NOTHING)
    return ACL_SUCCESS;
}
aclnnStatus aclnnFinalize(void)
{
    STANDIN_ENTER(aclnnFinalize, NOTHING)
    return ACL_SUCCESS;
}

// For libraries of operators that tests make: phase one makes an executor, phase two uses it up unless it is repeatable.
aclOpExecutor *standin_executor(void)
{
    return Given<aclOpExecutor>(TableOf<Executor>().Add(std::make_shared<Executor>()));
}
aclnnStatus standin_use_executor(const aclOpExecutor *handle)
{
    const std::shared_ptr<Executor> executor = ExecutorOf("phase two", handle);
    if (executor == nullptr) {
        return LastError();
    }
    if (!executor->repeatable) {
        TableOf<Executor>().Remove(handle);
    }
    return ACL_SUCCESS;
}
// What a scalar, an array or a list of scalars was made of, and how many bytes; nullptr where it does not live.
const void *standin_values(const void *handle, uint64_t *bytes)
{
    const std::shared_ptr<Other> other = TableOf<Other>().Get(handle);
    *bytes = other == nullptr ? 0 : other->bytes.size();
    return other == nullptr ? nullptr : other->bytes.data();
}
// The tensor at this place of a list; nullptr where there is none.
const aclTensor *standin_list_tensor(const aclTensorList *handle, uint64_t at)
{
    const std::shared_ptr<TensorList> list = TableOf<TensorList>().Get(handle);
    return list == nullptr || at >= list->tensors.size() ? nullptr : static_cast<const aclTensor *>(list->tensors[at]);
}
void *standin_tensor_data(const aclTensor *handle)
{
    const std::shared_ptr<Tensor> tensor = TableOf<Tensor>().Get(handle);
    return tensor == nullptr ? nullptr : tensor->data;
}
}
