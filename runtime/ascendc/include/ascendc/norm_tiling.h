// How a normalisation is cut into parts, as host code decides it and the kernel reads it (asc-devkit,
// include/adv_api/normalization/rmsnorm_tilingdata.h, layernorm_tilingdata.h; RmsNorm-Tiling and LayerNorm-Tiling pages).
#ifndef ASCENDC_CPU_NORM_TILING_H
#define ASCENDC_CPU_NORM_TILING_H

#include <cstdint>

#define ASCENDC_CPU_RMS_NORM_FIELDS(ROW)                                                                                 \
    ROW(uint32_t, bLength) ROW(uint32_t, sLength) ROW(uint32_t, hLength) ROW(uint32_t, originalHLength)                  \
    ROW(float, reciprocalOfHLength) ROW(uint32_t, mainBshLength) ROW(uint32_t, mainBsLength)                             \
    ROW(uint32_t, mainBsLengthAlign) ROW(uint32_t, loopRound) ROW(uint32_t, inputTailPos) ROW(uint32_t, tailBshLength)   \
    ROW(uint32_t, tailBsLength)
// Of LayerNorm by rows, which host files of operators keep in their tiling data.
#define ASCENDC_CPU_LAYER_NORM_FIELDS(ROW)                                                                               \
    ROW(uint32_t, aLength) ROW(uint32_t, rLength) ROW(uint32_t, halfAddRepeatTimes) ROW(uint32_t, rHeadLength)           \
    ROW(float, k2Rec) ROW(float, k2RRec) ROW(uint32_t, inputXSize) ROW(uint32_t, meanVarSize)                            \
    ROW(uint32_t, numberOfTmpBuf) ROW(uint32_t, varianceTmpTensorPos) ROW(uint32_t, varianceTmpTensorSize)               \
    ROW(uint32_t, tmpBufSize) ROW(uint32_t, oneTmpSize) ROW(uint32_t, firstTmpStartPos) ROW(uint32_t, secondTmpStartPos) \
    ROW(uint32_t, thirdTmpStartPos) ROW(uint32_t, loopRound) ROW(uint32_t, inputRoundSize) ROW(uint32_t, inputTailSize)  \
    ROW(uint32_t, inputTailPos) ROW(uint32_t, meanVarRoundSize) ROW(uint32_t, meanVarTailSize)                           \
    ROW(uint32_t, meanVarTailPos) ROW(uint32_t, arCurLength) ROW(uint32_t, aCurLength) ROW(float, rValueBack)

namespace AscendC {
namespace tiling {
struct LayerNormSeparateTiling {
#define ASCENDC_CPU_FIELD(type, name) type name = 0;
    ASCENDC_CPU_LAYER_NORM_FIELDS(ASCENDC_CPU_FIELD)
#undef ASCENDC_CPU_FIELD
};
struct RmsNormTiling {
#define ASCENDC_CPU_FIELD(type, name) type name = 0;
    ASCENDC_CPU_RMS_NORM_FIELDS(ASCENDC_CPU_FIELD)
#undef ASCENDC_CPU_FIELD
};
} // namespace tiling
} // namespace AscendC
using AscendC::tiling::LayerNormSeparateTiling;
using AscendC::tiling::RmsNormTiling;

namespace ascendc_cpu {
// A basic block has such rows (RmsNorm page).
constexpr bool IsRmsNormBlock(uint64_t rows, uint32_t h)
{
    return h % 64 == 0 && h < 2048 && rows % 8 == 0;
}
// Bytes of temporary space for so many rows at once: a number for each, the squares, and half as floats.
constexpr uint32_t RmsNormSpace(uint32_t rows, uint32_t h, uint32_t size)
{
    return ((rows + 7) / 8 * 8 + rows * h * (size == 2 ? 2 : 1)) * 4;
}
} // namespace ascendc_cpu

#endif
