// The bytes that a tiling function hands to its kernel (asc-devkit, docs: gert::TilingData).
#ifndef ASCENDC_CPU_EXE_GRAPH_TILING_DATA_H
#define ASCENDC_CPU_EXE_GRAPH_TILING_DATA_H

#include <cstring>

#include "exe_graph/runtime/runtime_attrs.h"

namespace gert {
class TilingData {
public:
    TilingData() = default;
    TilingData(const TilingData &) = delete;
    TilingData &operator=(const TilingData &) = delete;
    void *GetData() { return words_.data(); }
    const void *GetData() const { return words_.data(); }
    size_t GetCapacity() const { return words_.size() * sizeof words_[0]; }
    void SetDataSize(const size_t size) { size_ = size; }
    size_t GetDataSize() const { return size_; }
    // The next bytes; null where they do not fit.
    void *Expand(size_t size)
    {
        if (size > GetCapacity() - size_) {
            return nullptr;
        }
        size_ += size;
        return static_cast<uint8_t *>(GetData()) + size_ - size;
    }
    template <typename T, std::enable_if_t<std::is_standard_layout_v<T>, int> = 0>
    ge::graphStatus Append(const T &data)
    {
        return Append(&data, 1);
    }
    template <typename T, std::enable_if_t<std::is_standard_layout_v<T>, int> = 0>
    ge::graphStatus Append(const T *data, size_t append_num)
    {
        void *const to = Expand(append_num * sizeof(T));
        if (to == nullptr) {
            return ge::GRAPH_FAILED;
        }
        std::memcpy(to, data, append_num * sizeof(T));
        return ge::GRAPH_SUCCESS;
    }

private:
    std::vector<uint64_t> words_ = std::vector<uint64_t>(8192);
    size_t size_ = 0;
};

template <typename T>
TilingData &operator<<(TilingData &out, const T &data)
{
    out.Append(data);
    return out;
}
} // namespace gert

#endif
