// Repeats of Gatherb may lie more than 255 data blocks apart; it leaves every element on.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, oBuf, dBuf;
    pipe.InitBuffer(xBuf, 512);
    pipe.InitBuffer(oBuf, 64);
    pipe.InitBuffer(dBuf, 308 * 32);
    LocalTensor<float> x = xBuf.Get<float>(), d = dBuf.Get<float>();
    LocalTensor<uint32_t> o = oBuf.Get<uint32_t>();
    for (int i = 0; i < 128; ++i) {
        x.SetValue(i, i);
    }
    for (int i = 0; i < 16; ++i) {
        o.SetValue(i, 32 * (15 - i));
    }
    GatherRepeatParams p;
    p.dstRepStride = 300;
    SetVectorMask<float>(0, 1);
    Gatherb(d, x, o, 2, p);
    Expect(d.GetValue(0), 120.0f);
    Expect(d.GetValue(300 * 8), 56.0f);
    Adds<float, false>(x, x, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    Expect(x.GetValue(63), 64.0f);
}
