// Small helpers of the toolkit's headers that kernels in the wild rely on (asc-devkit, kernel_utils: AscendCUtils, AlignUp,
// CeilDivision, DivCeil, ConstCeil, Ceil).
#ifndef ASCENDC_CPU_UTILS_H
#define ASCENDC_CPU_UTILS_H

#include "ascendc/mask_registers.h"

constexpr bool likely(bool value)
{
    return value;
}
constexpr bool unlikely(bool value)
{
    return value;
}

namespace AscendC {
ASCENDC_API constexpr int32_t CeilDivision(int32_t num1, int32_t num2)
{
    return num2 == 0 ? 0 : (num1 + num2 - 1) / num2;
}
ASCENDC_API constexpr uint32_t DivCeil(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}
ASCENDC_API constexpr uint32_t ConstCeil(uint32_t a, uint32_t b)
{
    return DivCeil(a, b);
}
// Of 32 bits, whatever its operands have; not a constant expression.
ASCENDC_API uint32_t Ceil(uint32_t a, uint32_t b)
{
    return DivCeil(a, b);
}
ASCENDC_API constexpr uint32_t AlignUp(uint32_t a, uint32_t b)
{
    return DivCeil(a, b) * b;
}

class AscendCUtils {
public:
    ASCENDC_API static void SetMaskCount() { ascendc_cpu::SetCounterMode(true); }
    ASCENDC_API static void SetMaskNorm() { ascendc_cpu::SetCounterMode(false); }
    template <typename T>
    ASCENDC_API static void SetMask(const uint64_t &maskHigh, const uint64_t &maskLow)
    {
        ascendc_cpu::SetMask(maskHigh, maskLow);
    }
    template <typename T>
    ASCENDC_API static void SetMask(int32_t len)
    {
        ascendc_cpu::SetLanes(len < 0 ? 0 : static_cast<uint64_t>(len));
    }
    ASCENDC_API static void ResetMask() { ascendc_cpu::SetMask(~0ull, ~0ull); }
    // Elements of a data block.
    ASCENDC_API static int32_t GetC0Count(const int32_t dtypeSize) { return DEFAULT_C0_SIZE / dtypeSize; }
};
} // namespace AscendC

#endif
