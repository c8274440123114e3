// The inference products have fewer modes.
// chip: ascend310p3
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> hBuf;
    pipe.InitBuffer(hBuf, 16 * sizeof(half));
    LocalTensor<half> h = hBuf.Get<half>();
    TBuf<TPosition::VECCALC> fBuf;
    pipe.InitBuffer(fBuf, 16 * sizeof(float));
    LocalTensor<float> f = fBuf.Get<float>();
    TBuf<TPosition::VECCALC> nBuf;
    pipe.InitBuffer(nBuf, 16 * sizeof(int32_t));
    LocalTensor<int32_t> n = nBuf.Get<int32_t>();
    for (int i = 0; i < 16; ++i) {
        f.SetValue(i, i + 0.5f);
    }
    Cast(h, f, RoundMode::CAST_NONE, 16);
    Expect(h.GetValue(3), 3.5f);
    Cast(n, f, RoundMode::CAST_CEIL, 16);
    Expect(n.GetValue(3), 4);
    Cast(n, h, RoundMode::CAST_FLOOR, 16);
    Expect(n.GetValue(3), 3);
    Cast(f, n, RoundMode::CAST_NONE, 16);
    Expect(f.GetValue(3), 3.0f);
}
