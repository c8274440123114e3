// Shapes and descriptions of tensors as the graph engine has them (metadef, graph/tensor.h). Sizes of temporary space are asked for by
// shapes.
#ifndef ASCENDC_CPU_GRAPH_TENSOR_H
#define ASCENDC_CPU_GRAPH_TENSOR_H

#include <cstddef>
#include <utility>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/types.h"

namespace ge {
class Shape {
public:
    Shape() = default;
    explicit Shape(const std::vector<int64_t> &dims) : dims_(dims) {}
    size_t GetDimNum() const { return dims_.size(); }
    int64_t GetDim(size_t idx) const { return idx < dims_.size() ? dims_[idx] : 0; }
    graphStatus SetDim(size_t idx, int64_t value)
    {
        if (idx >= dims_.size()) {
            return GRAPH_FAILED;
        }
        dims_[idx] = value;
        return GRAPH_SUCCESS;
    }
    std::vector<int64_t> GetDims() const { return dims_; }
    // 0 of a shape without axes, -1 where an axis is open.
    int64_t GetShapeSize() const
    {
        int64_t size = dims_.empty() ? 0 : 1;
        for (const int64_t dim : dims_) {
            if (dim < 0) {
                return UNKNOWN_DIM;
            }
            size *= dim;
        }
        return size;
    }

private:
    std::vector<int64_t> dims_;
};

class TensorDesc {
public:
    TensorDesc() = default;
    explicit TensorDesc(Shape shape, Format format = FORMAT_ND, DataType dt = DT_FLOAT)
        : shape_(std::move(shape)), origin_shape_(shape_), format_(format), type_(dt)
    {}
    Shape GetShape() const { return shape_; }
    void SetShape(const Shape &shape) { shape_ = shape; }
    Shape GetOriginShape() const { return origin_shape_; }
    void SetOriginShape(const Shape &origin_shape) { origin_shape_ = origin_shape; }
    Format GetFormat() const { return format_; }
    void SetFormat(Format format) { format_ = format; }
    Format GetOriginFormat() const { return origin_format_; }
    void SetOriginFormat(Format origin_format) { origin_format_ = origin_format; }
    DataType GetDataType() const { return type_; }
    void SetDataType(DataType dt) { type_ = dt; }

private:
    Shape shape_;
    Shape origin_shape_;
    Format format_ = FORMAT_ND;
    Format origin_format_ = FORMAT_ND;
    DataType type_ = DT_FLOAT;
};
} // namespace ge

#endif
