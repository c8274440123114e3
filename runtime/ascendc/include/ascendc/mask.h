// The mask registers and the modes of the vector unit (asc-devkit, 掩码操作 pages and 特殊寄存器访问).
#ifndef ASCENDC_CPU_MASK_H
#define ASCENDC_CPU_MASK_H

#include "ascendc/mask_registers.h"

namespace ascendc_cpu {
void SetSaturation(bool saturate);
bool GetSaturation();
void InitState();
} // namespace ascendc_cpu

namespace AscendC {
ASCENDC_API void SetMaskCount()
{
    ascendc_cpu::SetCounterMode(true);
}
ASCENDC_API void SetMaskNorm()
{
    ascendc_cpu::SetCounterMode(false);
}
// The mask of instructions with isSetMask = false: bits in normal mode, a number of elements (low word) in counter mode.
template <typename T, MaskMode mode = MaskMode::NORMAL>
ASCENDC_API void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow)
{
    ascendc_cpu::SetMask(maskHigh, maskLow);
}
// The first `len` elements of a repeat, or of all in counter mode.
template <typename T, MaskMode mode = MaskMode::NORMAL>
ASCENDC_API void SetVectorMask(int32_t len)
{
    const uint64_t n = len < 0 ? 0 : static_cast<uint64_t>(len);
    if (mode == MaskMode::COUNTER) {
        ascendc_cpu::SetMask(0, n);
    } else {
        ascendc_cpu::SetLanes(n);
    }
}
ASCENDC_API void ResetMask()
{
    ascendc_cpu::SetMask(~0ull, ~0ull);
}

#if __NPU_ARCH__ == 2201
enum class SaturationMode { FLOAT_OVERFLOW, INT_OVERFLOW };
template <SaturationMode mode = SaturationMode::FLOAT_OVERFLOW>
ASCENDC_API void SetSaturationFlag(bool enableSat)
{
    ascendc_cpu::SetSaturation(enableSat);
}
template <SaturationMode mode = SaturationMode::FLOAT_OVERFLOW>
ASCENDC_API bool GetSaturationFlag()
{
    return ascendc_cpu::GetSaturation();
}
// Bits of CTRL: on this chip only bit 48, where 0 is saturation (SetCtrlSpr.md).
template <int8_t startBit, int8_t endBit>
ASCENDC_API void SetCtrlSpr(int64_t value)
{
    static_assert(startBit == 48 && endBit == 48, "only bit 48 of CTRL can be set on this chip");
    ascendc_cpu::SetSaturation((value & 1) == 0);
}
template <int8_t startBit, int8_t endBit>
ASCENDC_API int64_t GetCtrlSpr()
{
    static_assert(startBit == 48 && endBit == 48, "only bit 48 of CTRL can be read on this chip");
    return ascendc_cpu::GetSaturation() ? 0 : 1;
}
#endif
#if ASCENDC_CPU_CANN >= 805
// What a kernel without TPipe calls first: no atomic copies; on 910b and A3 also normal mode and every element (InitSocState.md).
ASCENDC_API void InitSocState()
{
    ascendc_cpu::InitState();
}
#endif
} // namespace AscendC

ASCENDC_API void set_mask_count()
{
    ascendc_cpu::SetCounterMode(true);
}
ASCENDC_API void set_mask_norm()
{
    ascendc_cpu::SetCounterMode(false);
}
ASCENDC_API void set_vector_mask(uint64_t high, uint64_t low)
{
    ascendc_cpu::SetMask(high, low);
}

#endif
