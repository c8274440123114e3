// bfloat16_t through float, and the scalar conversions.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 16 * sizeof(bfloat16_t));
    LocalTensor<bfloat16_t> b = bBuf.Get<bfloat16_t>();
    TBuf<TPosition::VECCALC> fBuf;
    pipe.InitBuffer(fBuf, 16 * sizeof(float));
    LocalTensor<float> f = fBuf.Get<float>();
    TBuf<TPosition::VECCALC> nBuf;
    pipe.InitBuffer(nBuf, 16 * sizeof(int32_t));
    LocalTensor<int32_t> n = nBuf.Get<int32_t>();
    for (int i = 0; i < 16; ++i) {
        f.SetValue(i, 1.0f + i * 0.001f);
    }
    Cast(b, f, RoundMode::CAST_RINT, 16);
    Expect(ToFloat(b.GetValue(0)), 1.0f);
    Expect(ToFloat(b.GetValue(8)), 1.0078125f);
    Cast(f, b, RoundMode::CAST_NONE, 16);
    Expect(f.GetValue(8), 1.0078125f);
    Cast(n, b, RoundMode::CAST_CEIL, 16);
    Expect(n.GetValue(8), 2);
    Expect(ToFloat(ToBfloat16(3.14159f)), 3.140625f);
    Expect(Cast(Cast(3.14159f)), 3.140625f);
    Duplicate(b, ToBfloat16(2.0f), 16);
    Expect(ToFloat(b.GetValue(15)), 2.0f);
}
