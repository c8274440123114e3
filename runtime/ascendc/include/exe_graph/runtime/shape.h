// Shapes on the host side (asc-devkit, docs: gert::Shape).
#ifndef ASCENDC_CPU_EXE_GRAPH_SHAPE_H
#define ASCENDC_CPU_EXE_GRAPH_SHAPE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <type_traits>
#include <vector>

namespace gert {
struct Shape {
public:
    static constexpr size_t kMaxDimNum = 25;
    static constexpr int64_t kInvalidDimValue = std::numeric_limits<int64_t>::min();

    Shape() = default;
    // One with too many axes stays without any.
    Shape(const std::initializer_list<int64_t> &args)
    {
        for (const int64_t arg : args.size() <= kMaxDimNum ? args : std::initializer_list<int64_t>{}) {
            dims_[dim_num_++] = arg;
        }
    }
    size_t GetDimNum() const { return dim_num_; }
    int64_t GetDim(const size_t idx) const { return idx < kMaxDimNum ? dims_[idx] : kInvalidDimValue; }
    const int64_t &operator[](const size_t idx) const { return dims_.at(idx); }
    int64_t &operator[](const size_t idx) { return dims_.at(idx); }
    // 1 of a shape without axes; kInvalidDimValue where the product is more than there is.
    int64_t GetShapeSize() const
    {
        int64_t size = 1;
        for (size_t i = 0; i < dim_num_; ++i) {
            if (__builtin_mul_overflow(size, dims_[i], &size)) {
                return kInvalidDimValue;
            }
        }
        return size;
    }
    bool IsScalar() const { return dim_num_ == 0; }
    void SetScalar() { dim_num_ = 0; }
    // Axes that are new have the length that they had before, or 0.
    void SetDimNum(const size_t dim_num) { dim_num_ = dim_num; }
    void SetDim(size_t idx, const int64_t dim_value)
    {
        if (idx < kMaxDimNum) {
            dims_[idx] = dim_value;
            dim_num_ = dim_num_ < idx ? idx : dim_num_;
        }
    }
    Shape &AppendDim(const int64_t value)
    {
        if (dim_num_ < kMaxDimNum) {
            dims_[dim_num_++] = value;
        }
        return *this;
    }
    bool operator==(const Shape &rht) const
    {
        bool equal = dim_num_ == rht.dim_num_;
        for (size_t i = 0; equal && i < dim_num_; ++i) {
            equal = dims_[i] == rht.dims_[i];
        }
        return equal;
    }
    bool operator!=(const Shape &rht) const { return !(*this == rht); }

private:
    size_t dim_num_ = 0;
    std::array<int64_t, kMaxDimNum> dims_{};
};
} // namespace gert

#endif
