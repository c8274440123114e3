// What is known of a tensor on the host side: shape, format and element type, and its elements where the operator declares that it reads
// them (asc-devkit, docs: gert::Tensor, gert::CompileTimeTensorDesc).
#ifndef ASCENDC_CPU_EXE_GRAPH_TENSOR_H
#define ASCENDC_CPU_EXE_GRAPH_TENSOR_H

#include "exe_graph/runtime/storage_format.h"
#include "exe_graph/runtime/storage_shape.h"
#include "exe_graph/runtime/tensor_data.h"

namespace gert {
class Tensor;
} // namespace gert

namespace ascendc_cpu {
// Called where a function asks for elements that are not there.
inline void (*onMissingElements)(const gert::Tensor &) = nullptr;
} // namespace ascendc_cpu

namespace gert {
class CompileTimeTensorDesc {
public:
    CompileTimeTensorDesc() = default;
    ge::DataType GetDataType() const { return type_; }
    const StorageFormat &GetFormat() const { return format_; }
    ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
    ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
    void SetDataType(const ge::DataType data_type) { type_ = data_type; }
    void SetStorageFormat(const ge::Format format) { format_.SetStorageFormat(format); }
    void SetOriginFormat(const ge::Format format) { format_.SetOriginFormat(format); }

private:
    ge::DataType type_ = ge::DT_UNDEFINED;
    StorageFormat format_;
};

class Tensor {
public:
    Tensor() = default;
    Tensor(const StorageShape &storage_shape, const StorageFormat &storage_format, ge::DataType data_type) : shape_(storage_shape)
    {
        desc_.SetDataType(data_type);
        desc_.SetStorageFormat(storage_format.GetStorageFormat());
        desc_.SetOriginFormat(storage_format.GetOriginFormat());
    }
    ge::DataType GetDataType() const { return desc_.GetDataType(); }
    void SetDataType(const ge::DataType data_type) { desc_.SetDataType(data_type); }
    const StorageShape &GetShape() const { return shape_; }
    StorageShape &GetShape() { return shape_; }
    const StorageFormat &GetFormat() const { return desc_.GetFormat(); }
    const Shape &GetStorageShape() const { return shape_.GetStorageShape(); }
    Shape &MutableStorageShape() { return shape_.MutableStorageShape(); }
    const Shape &GetOriginShape() const { return shape_.GetOriginShape(); }
    Shape &MutableOriginShape() { return shape_.MutableOriginShape(); }
    int64_t GetShapeSize() const { return GetStorageShape().GetShapeSize(); }
    size_t GetSize() const { return static_cast<size_t>(ge::GetSizeInBytes(GetShapeSize(), GetDataType())); }
    ge::Format GetStorageFormat() const { return desc_.GetStorageFormat(); }
    void SetStorageFormat(const ge::Format storage_format) { desc_.SetStorageFormat(storage_format); }
    ge::Format GetOriginFormat() const { return desc_.GetOriginFormat(); }
    void SetOriginFormat(const ge::Format origin_format) { desc_.SetOriginFormat(origin_format); }
    // Elements that host functions read are on the host.
    TensorPlacement GetPlacement() const { return elements_ != nullptr ? kOnHost : kOnDeviceHbm; }
    // Null where neither ValueDepend nor InputsDataDependency nor TilingInputsDataDependency names the input.
    const void *GetAddr() const
    {
        if (elements_ == nullptr && ascendc_cpu::onMissingElements != nullptr) {
            ascendc_cpu::onMissingElements(*this);
        }
        return elements_;
    }
    template <class T>
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

namespace ascendc_cpu {
// A tensor whose shape is stored as it was made.
inline gert::Tensor PlainTensor(ge::DataType type, const gert::Shape &shape)
{
    gert::StorageShape both;
    both.MutableOriginShape() = shape;
    both.MutableStorageShape() = shape;
    return gert::Tensor(both, gert::StorageFormat(), type);
}
} // namespace ascendc_cpu

#endif
