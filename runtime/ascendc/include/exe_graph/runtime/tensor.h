// What is known of a tensor on the host side: shape and element type, not its elements (asc-devkit, docs: gert::Tensor,
// gert::CompileTimeTensorDesc).
#ifndef ASCENDC_CPU_EXE_GRAPH_TENSOR_H
#define ASCENDC_CPU_EXE_GRAPH_TENSOR_H

#include "exe_graph/runtime/shape.h"
#include "graph/types.h"

namespace gert {
class CompileTimeTensorDesc {
public:
    explicit CompileTimeTensorDesc(ge::DataType type = ge::DT_UNDEFINED) : type_(type) {}
    ge::DataType GetDataType() const { return type_; }
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
    const Shape &GetStorageShape() const { return shape_.GetStorageShape(); }
    const Shape &GetOriginShape() const { return shape_.GetOriginShape(); }
    int64_t GetShapeSize() const { return GetStorageShape().GetShapeSize(); }
    size_t GetSize() const { return static_cast<size_t>(ge::GetSizeInBytes(GetShapeSize(), GetDataType())); }
    ge::Format GetStorageFormat() const { return ge::FORMAT_ND; }
    ge::Format GetOriginFormat() const { return ge::FORMAT_ND; }
    // Elements exist on the host for inputs with ValueDepend only, which this build does not give.
    template <typename T>
    const T *GetData() const
    {
        return nullptr;
    }
    const CompileTimeTensorDesc &Desc() const { return desc_; }

private:
    CompileTimeTensorDesc desc_;
    StorageShape shape_;
};
} // namespace gert

#endif
