// Sort takes half and float.
// expect: compile: Sort takes half and float
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, nBuf, yBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 256);
    pipe.InitBuffer(nBuf, 256);
    pipe.InitBuffer(yBuf, 512);
    pipe.InitBuffer(tmpBuf, 256);
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>(), tmp = tmpBuf.Get<float>();
    LocalTensor<uint32_t> n = nBuf.Get<uint32_t>();
    Duplicate(x, 1.0f, 64);
    Duplicate(n.ReinterpretCast<float>(), 0.0f, 64);
    LocalTensor<int32_t> a = x.ReinterpretCast<int32_t>(), b = y.ReinterpretCast<int32_t>(), c = tmp.ReinterpretCast<int32_t>();
    Sort<int32_t, true>(b, a, n, c, 1); // <-- here
    (void)y, (void)tmp;
}
