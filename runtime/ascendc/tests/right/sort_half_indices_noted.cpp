// Of half a chip writes twice as many indices as values.
// note: a chip writes 64 numbers to dstIndex, which has 32
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, nBuf, sortedBuf;
    pipe.InitBuffer(xBuf, 64);
    pipe.InitBuffer(nBuf, 128);
    pipe.InitBuffer(sortedBuf, 256);
    LocalTensor<half> x = xBuf.Get<half>(), sorted = sortedBuf.Get<half>(), none;
    LocalTensor<uint32_t> n = nBuf.Get<uint32_t>();
    Duplicate(x, half(1.0f), 32);
    for (int i = 0; i < 32; ++i) {
        n.SetValue(i, i);
    }
    Sort<half, false>(sorted, x, n, none, 1);
    Extract(x, n, sorted, 1);
    Expect(n.GetValue(31), 31u);
}
