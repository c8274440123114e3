// Shapes on the host side (asc-devkit, docs: gert::Shape, gert::StorageShape).
#ifndef ASCENDC_CPU_EXE_GRAPH_SHAPE_H
#define ASCENDC_CPU_EXE_GRAPH_SHAPE_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace gert {
class Shape {
public:
    static constexpr size_t kMaxDimNum = 25;
    static constexpr int64_t kInvalidDimValue = std::numeric_limits<int64_t>::min();

    Shape() = default;
    Shape(const std::vector<int64_t> &dims) : dims_(dims) {}
    Shape(std::initializer_list<int64_t> dims) : dims_(dims) {}
    size_t GetDimNum() const { return dims_.size(); }
    int64_t GetDim(size_t i) const
    {
        return i < dims_.size() ? dims_[i] : i < kMaxDimNum ? 0 : kInvalidDimValue;
    }
    int64_t operator[](size_t i) const { return GetDim(i); }
    int64_t &operator[](size_t i) { return dims_.at(i); }
    int64_t GetShapeSize() const
    {
        int64_t size = 1;
        for (const int64_t dim : dims_) {
            size *= dim;
        }
        return size;
    }
    bool IsScalar() const { return dims_.empty(); }
    void SetScalar() { dims_.clear(); }
    void SetDimNum(size_t n) { dims_.resize(n); }
    void SetDim(size_t i, int64_t value) { dims_.at(i) = value; }
    Shape &AppendDim(int64_t value)
    {
        dims_.push_back(value);
        return *this;
    }
    bool operator==(const Shape &other) const { return dims_ == other.dims_; }
    bool operator!=(const Shape &other) const { return dims_ != other.dims_; }

private:
    std::vector<int64_t> dims_;
};

// Storage and origin differ in private formats only; here they are one.
class StorageShape {
public:
    StorageShape() = default;
    explicit StorageShape(const Shape &shape) : shape_(shape) {}
    const Shape &GetStorageShape() const { return shape_; }
    const Shape &GetOriginShape() const { return shape_; }
    bool operator==(const StorageShape &other) const { return shape_ == other.shape_; }
    bool operator!=(const StorageShape &other) const { return shape_ != other.shape_; }

private:
    Shape shape_;
};
} // namespace gert

#endif
