// Forms of a count with isSetMask = false take the registers, not the count (SetVectorMask.md, example of counter mode).
// note: Maxs: the count is 128 and has no effect with isSetMask = false: 2 elements are computed
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, dBuf, wBuf;
    pipe.InitBuffer(aBuf, 512);
    pipe.InitBuffer(dBuf, 512);
    pipe.InitBuffer(wBuf, 512);
    LocalTensor<float> a = aBuf.Get<float>(), d = dBuf.Get<float>(), w = wBuf.Get<float>();
    Duplicate(a, 2.0f, 128);
    Duplicate(d, -9.0f, 128);
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(100);
    Adds<float, false>(d, a, 1.0f, 1);
    Muls<float, false>(d, d, 4.0f, 1);
    SetMaskNorm();
    for (int i = 0; i < 128; ++i) {
        Expect(d.GetValue(i), i < 100 ? 12.0f : -9.0f, i);
    }
    SetVectorMask<float>(0, 5);
    Maxs<float, false>(d, a, 50.0f, 128);
    for (int i = 0; i < 128; ++i) {
        Expect(d.GetValue(i), i == 0 || i == 2 ? 50.0f : i < 100 ? 12.0f : -9.0f, i);
    }
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(100);
    ReduceSum<float, false>(d, a, w, 1);
    SetMaskNorm();
    ResetMask();
    Expect(d.GetValue(0), 200.0f);
}
