// What is known of a tensor on the host side: shape and element type, and its elements where the operator declares that it reads them
// (asc-devkit, docs: gert::Tensor, gert::CompileTimeTensorDesc).
#ifndef ASCENDC_CPU_EXE_GRAPH_TENSOR_H
#define ASCENDC_CPU_EXE_GRAPH_TENSOR_H

#include "exe_graph/runtime/shape.h"
#include "graph/types.h"

namespace gert {
class Tensor;
} // namespace gert

namespace ascendc_cpu {
// Called where a function asks for elements that are not there.
inline void (*onMissingElements)(const gert::Tensor &) = nullptr;
} // namespace ascendc_cpu

namespace gert {
// Private formats are not in this build: all tensors are ND.
class StorageFormat {
public:
    ge::Format GetOriginFormat() const { return ge::FORMAT_ND; }
    ge::Format GetStorageFormat() const { return ge::FORMAT_ND; }
};

class CompileTimeTensorDesc {
public:
    explicit CompileTimeTensorDesc(ge::DataType type = ge::DT_UNDEFINED) : type_(type) {}
    ge::DataType GetDataType() const { return type_; }
    StorageFormat GetFormat() const { return {}; }
    ge::Format GetStorageFormat() const { return ge::FORMAT_ND; }
    ge::Format GetOriginFormat() const { return ge::FORMAT_ND; }

private:
    ge::DataType type_;
};

class Tensor {
public:
    Tensor(ge::DataType type, const Shape &shape) : desc_(type), shape_(shape) {}
    ge::DataType GetDataType() const { return desc_.GetDataType(); }
    const StorageShape &GetShape() const { return shape_; }
    StorageFormat GetFormat() const { return {}; }
    const Shape &GetStorageShape() const { return shape_.GetStorageShape(); }
    const Shape &GetOriginShape() const { return shape_.GetOriginShape(); }
    int64_t GetShapeSize() const { return GetStorageShape().GetShapeSize(); }
    size_t GetSize() const { return static_cast<size_t>(ge::GetSizeInBytes(GetShapeSize(), GetDataType())); }
    ge::Format GetStorageFormat() const { return ge::FORMAT_ND; }
    ge::Format GetOriginFormat() const { return ge::FORMAT_ND; }
    // Null where neither ValueDepend nor InputsDataDependency nor TilingInputsDataDependency names the input.
    const void *GetAddr() const
    {
        if (elements_ == nullptr && ascendc_cpu::onMissingElements != nullptr) {
            ascendc_cpu::onMissingElements(*this);
        }
        return elements_;
    }
    template <typename T>
    const T *GetData() const
    {
        return static_cast<const T *>(GetAddr());
    }
    // For whoever fills a launch: elements that outlive it.
    void SetElements(const void *elements) { elements_ = elements; }
    const CompileTimeTensorDesc &Desc() const { return desc_; }

private:
    CompileTimeTensorDesc desc_;
    StorageShape shape_;
    const void *elements_ = nullptr;
};
} // namespace gert

#endif
