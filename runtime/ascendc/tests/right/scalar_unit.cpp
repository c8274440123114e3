// Bit counts and conversions of the scalar unit.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    Expect(ScalarGetCountOfValue<1>(0xffull), 8);
    Expect(ScalarGetCountOfValue<0>(0xffull), 56);
    Expect(ScalarCountLeadingZero(1), 63);
    Expect(CountLeadingZero(0), 64);
    Expect(ScalarGetSFFValue<1>(8), 3);
    Expect(GetSFFValue<0>(7), 3);
    Expect(CountBitsCntSameAsSignBit(0), 63);
    Expect((ScalarCast<float, int32_t, RoundMode::CAST_ROUND>(2.5f)), 3);
    Expect((Cast<float, half, RoundMode::CAST_ODD>(1.5f)), 1.5f);
    half h = 2;
    h += half(0.5f);
    h *= half(2);
    Expect(h, 5.0f);
    Expect(Std::max(3, 4), 4);
    Expect(Std::min(3, 4), 3);
}
