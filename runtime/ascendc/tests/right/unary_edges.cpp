// Rows of the edge table: infinities, negatives, nan.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 8 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 8 * sizeof(float));
    LocalTensor<float> b = bBuf.Get<float>();
    const float inf = 1.0f / 0.0f;
    const float values[] = {inf, -inf, 0.0f / 0.0f, 0.0f, -1.0f, 3.4e38f, 1e-45f, 89.0f};
    for (int i = 0; i < 8; ++i) {
        a.SetValue(i, values[i]);
    }
    Exp(b, a, 8);
    Expect(b.GetValue(0), inf);
    Expect(b.GetValue(1), 0.0f);
    Expect(b.GetValue(2), values[2]);
    Expect(b.GetValue(3), 1.0f);
    Expect(b.GetValue(7), inf);
    Ln(b, a, 8);
    Expect(b.GetValue(0), inf);
    Expect(b.GetValue(1), values[2]);
    Expect(b.GetValue(3), -inf);
    Expect(b.GetValue(4), values[2]);
    Sqrt(b, a, 8);
    Expect(b.GetValue(4), values[2]);
    Abs(b, a, 8);
    Expect(b.GetValue(1), inf);
}
