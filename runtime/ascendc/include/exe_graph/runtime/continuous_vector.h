// Lists of attributes and of sizes (asc-devkit, docs: gert::ContinuousVector, gert::TypedContinuousVector).
#ifndef ASCENDC_CPU_EXE_GRAPH_CONTINUOUS_VECTOR_H
#define ASCENDC_CPU_EXE_GRAPH_CONTINUOUS_VECTOR_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "graph/ge_error_codes.h"
#include "securec.h"

namespace gert {
class ContinuousVector {
public:
    size_t GetSize() const { return size_; }
    size_t GetCapacity() const { return capacity_; }
    ge::graphStatus SetSize(const size_t size)
    {
        size_ = size <= capacity_ ? size : size_;
        return size <= capacity_ ? ge::GRAPH_SUCCESS : ge::GRAPH_PARAM_OUT_OF_RANGE;
    }
    const void *GetData() const { return words_.data(); }
    void *MutableData() { return words_.data(); }
    // For whoever fills a launch: a list of these elements.
    template <typename T>
    void Hold(const std::vector<T> &elements)
    {
        capacity_ = size_ = elements.size();
        words_.assign(capacity_ * sizeof(T) / sizeof(uint64_t) + 1, 0);
        for (size_t i = 0; i < size_; ++i) {
            const T element = elements[i];
            std::memcpy(reinterpret_cast<uint8_t *>(words_.data()) + i * sizeof(T), &element, sizeof(T));
        }
    }

private:
    size_t size_ = 0;
    size_t capacity_ = 0;
    std::vector<uint64_t> words_ = std::vector<uint64_t>(1); // never without an address
};

template <typename T>
class TypedContinuousVector : private ContinuousVector {
public:
    using ContinuousVector::GetCapacity;
    using ContinuousVector::GetSize;
    using ContinuousVector::SetSize;
    T *MutableData() { return static_cast<T *>(ContinuousVector::MutableData()); }
    const T *GetData() const { return static_cast<const T *>(ContinuousVector::GetData()); }

private:
    friend class RuntimeAttrs;
};
} // namespace gert

#endif
