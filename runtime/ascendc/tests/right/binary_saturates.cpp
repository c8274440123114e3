// CTRL bit 48 asks for the largest number instead of infinity and wrapping.
// option: saturate 1
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> hBuf;
    pipe.InitBuffer(hBuf, 16 * sizeof(half));
    LocalTensor<half> h = hBuf.Get<half>();
    TBuf<TPosition::VECCALC> nBuf;
    pipe.InitBuffer(nBuf, 8 * sizeof(int32_t));
    LocalTensor<int32_t> n = nBuf.Get<int32_t>();
    for (int i = 0; i < 16; ++i) {
        h.SetValue(i, half(60000.0f));
    }
    for (int i = 0; i < 8; ++i) {
        n.SetValue(i, 2147483647);
    }
    Expect(GetSaturationFlag(), true);
    Add(h, h, h, 16);
    Expect(h.GetValue(0), 65504.0f);
    Add(n, n, n, 8);
    Expect(n.GetValue(0), 2147483647);
    SetSaturationFlag(false);
    Add(h, h, h, 16);
    Expect(h.GetValue(0), 1.0f / 0.0f);
}
