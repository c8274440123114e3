// A repeat is counted in the wider type; the narrow side takes four data blocks.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> hBuf;
    pipe.InitBuffer(hBuf, 128 * sizeof(half));
    LocalTensor<half> h = hBuf.Get<half>();
    TBuf<TPosition::VECCALC> fBuf;
    pipe.InitBuffer(fBuf, 128 * sizeof(float));
    LocalTensor<float> f = fBuf.Get<float>();
    for (int i = 0; i < 128; ++i) {
        h.SetValue(i, half(i));
    }
    Cast(f, h, RoundMode::CAST_NONE, uint64_t(64), uint8_t(2), {1, 1, 8, 4});
    for (int i = 0; i < 128; ++i) {
        Expect(f.GetValue(i), float(i), i);
    }
    Cast(h, f, RoundMode::CAST_RINT, uint64_t(64), uint8_t(2), {1, 1, 4, 8});
    for (int i = 0; i < 128; ++i) {
        Expect(h.GetValue(i), float(i), i);
    }
    Cast(f, f, RoundMode::CAST_CEIL, 128);
    Expect(f.GetValue(5), 5.0f);
}
