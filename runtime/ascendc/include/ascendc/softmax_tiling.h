// How a softmax is cut into parts, as host code decides it and the kernel reads it (asc-devkit,
// include/adv_api/activation/softmax_tilingdata.h; SoftMax-SimpleSoftMax-Tiling page).
#ifndef ASCENDC_CPU_SOFTMAX_TILING_H
#define ASCENDC_CPU_SOFTMAX_TILING_H

#include <cstdint>

#define ASCENDC_CPU_SOFTMAX_FIELDS(ROW)                                                                                  \
    ROW(srcM) ROW(srcK) ROW(srcSize) ROW(outMaxM) ROW(outMaxK) ROW(outMaxSize) ROW(splitM) ROW(splitK) ROW(splitSize)    \
    ROW(reduceM) ROW(reduceK) ROW(reduceSize) ROW(rangeM) ROW(tailM) ROW(tailSplitSize) ROW(tailReduceSize)

namespace AscendC {
namespace tiling {
struct SoftMaxTiling {
#define ASCENDC_CPU_FIELD(name) uint32_t name = 0;
    ASCENDC_CPU_SOFTMAX_FIELDS(ASCENDC_CPU_FIELD)
#undef ASCENDC_CPU_FIELD
};
} // namespace tiling
} // namespace AscendC

namespace ascendc_cpu {
// Bytes of temporary space for so many rows of `k` elements, beside the largest number and the sum of each, which are `size` bytes wide.
constexpr uint32_t SoftMaxSpace(uint32_t rows, uint32_t k, uint32_t size)
{
    return rows * (32 / size + k + 64) * 4;
}
// The same of its gradient; `front` is the sum of each row alone.
constexpr uint32_t SoftMaxGradSpace(uint32_t rows, uint32_t k, uint32_t size, bool front)
{
    const uint32_t block = 32 / size;
    return rows * (size == 2 ? block * 2 + k * 3 + 64 : (front ? block : block * 2) + k + 64) * 4;
}
} // namespace ascendc_cpu

#endif
