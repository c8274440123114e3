// A shape as the graph engine has it (metadef, graph/tensor.h), which sizes of temporary space are asked for.
#ifndef ASCENDC_CPU_GRAPH_TENSOR_H
#define ASCENDC_CPU_GRAPH_TENSOR_H

#include <cstddef>
#include <vector>

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
} // namespace ge

#endif
