// The index of ReduceMax and ReduceMin counts from the start of src, elements between repeats included.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, dBuf, wBuf;
    pipe.InitBuffer(xBuf, 1024);
    pipe.InitBuffer(dBuf, 32);
    pipe.InitBuffer(wBuf, 512);
    LocalTensor<float> x = xBuf.Get<float>(), d = dBuf.Get<float>(), w = wBuf.Get<float>();
    Duplicate(x, 1.0f, 256);
    x.SetValue(130, 7.0f);
    x.SetValue(133, -7.0f);
    const uint64_t bits[2] = {0xff, 0};
    ReduceMax(d, x, w, 8, 2, 16, true);
    Expect(d.ReinterpretCast<uint32_t>().GetValue(1), 130u);
    ReduceMin(d, x, w, bits, 2, 16, true);
    Expect(d.ReinterpretCast<uint32_t>().GetValue(1), 133u);
}
