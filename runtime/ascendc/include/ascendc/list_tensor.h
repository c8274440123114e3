// Lists of tensors: what a kernel gets for a dynamic input or output (asc-devkit, include/basic_api/kernel_operator_list_tensor_intf.h;
// ListTensorDesc and TensorDesc pages).
//
// In GM a list is words of 8 bytes: the offset in bytes of its pointers; for each tensor a word with the number of its axes (low
// half) and its index (high half), then its axes; then a pointer for each.
#ifndef ASCENDC_CPU_LIST_TENSOR_H
#define ASCENDC_CPU_LIST_TENSOR_H

#include "ascendc/tensor.h"

namespace ascendc_cpu {
struct ListedTensor {
    uint32_t dim;
    uint32_t index;
    const uint64_t *shape;
    uint64_t data;
};
uint32_t TensorsOfList(const void *list);
ListedTensor TensorOfList(const void *list, uint32_t index);
[[noreturn]] void NoAxis(uint32_t offset, uint64_t dim);
} // namespace ascendc_cpu

namespace AscendC {
class ListTensorDesc;

// One tensor of a list. The shape goes to the memory that SetShapeAddr names, before GetDesc.
template <class T>
class TensorDesc {
public:
    ASCENDC_API void SetShapeAddr(uint64_t *shapePtr) { shape_ = shapePtr; }
    ASCENDC_API uint64_t GetDim() { return tensor_.dim; }
    ASCENDC_API uint64_t GetIndex() { return tensor_.index; }
    ASCENDC_API uint64_t GetShape(uint32_t offset)
    {
        if (offset >= tensor_.dim) {
            ascendc_cpu::NoAxis(offset, tensor_.dim);
        }
        return shape_ != nullptr ? shape_[offset] : tensor_.shape[offset];
    }
    ASCENDC_API __gm__ T *GetDataPtr() { return reinterpret_cast<__gm__ T *>(tensor_.data); }
    ASCENDC_API GlobalTensor<T> GetDataObj()
    {
        GlobalTensor<T> tensor;
        tensor.SetGlobalBuffer(GetDataPtr());
        return tensor;
    }

private:
    friend class ListTensorDesc;
    uint64_t *shape_ = nullptr;
    ascendc_cpu::ListedTensor tensor_ = {};
};

class ListTensorDesc {
public:
    ListTensorDesc() = default;
    ASCENDC_API ListTensorDesc(__gm__ void *data, uint32_t length = 0xffffffff, uint32_t shapeSize = 0xffffffff)
    {
        Init(data, length, shapeSize);
    }
    // The limits are for the toolkit; here the list may not leave its tensor.
    ASCENDC_API void Init(__gm__ void *data, uint32_t = 0xffffffff, uint32_t = 0xffffffff)
    {
        list_ = data;
        size_ = ascendc_cpu::TensorsOfList(data);
    }
    ASCENDC_API uint32_t GetSize() { return size_; }
    template <class T>
    ASCENDC_API void GetDesc(TensorDesc<T> &desc, uint32_t index)
    {
        desc.tensor_ = ascendc_cpu::TensorOfList(list_, index);
        for (uint32_t i = 0; desc.shape_ != nullptr && i < desc.tensor_.dim; ++i) {
            desc.shape_[i] = desc.tensor_.shape[i];
        }
    }
    template <class T>
    ASCENDC_API __gm__ T *GetDataPtr(uint32_t index)
    {
        return reinterpret_cast<__gm__ T *>(ascendc_cpu::TensorOfList(list_, index).data);
    }

private:
    const void *list_ = nullptr;
    uint32_t size_ = 0;
};
} // namespace AscendC

#endif
