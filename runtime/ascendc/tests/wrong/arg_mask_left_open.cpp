// ReduceMax works under masks of its own, and no page says which it leaves.
// expect: fault arg: Adds: the mask registers hold what ReduceMax left in them
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, dBuf, wBuf;
    pipe.InitBuffer(xBuf, 512);
    pipe.InitBuffer(dBuf, 512);
    pipe.InitBuffer(wBuf, 512);
    LocalTensor<float> x = xBuf.Get<float>(), d = dBuf.Get<float>();
    Duplicate(x, 1.0f, 128);
    ReduceMax(d, x, wBuf.Get<float>(), 128);
    Adds<float, false>(d, x, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8}); // <-- here
}
