// A source that isReuseSource gives up has no value afterwards.
// expect: fault poison: has no value
#include "kernel_operator.h"
using namespace AscendC;
using Pattern::Reduce::AR;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, tmpBuf;
    pipe.InitBuffer(xBuf, 1024);
    pipe.InitBuffer(yBuf, 256);
    pipe.InitBuffer(tmpBuf, 256);
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    Duplicate(x, 2.0f, 256);
    const uint32_t shape[] = {2, 128};
    ReduceSum<float, AR, true>(y, x, shape, true);
    y.SetValue(0, x.GetValue(0)); // <-- here
    (void)y, (void)tmp, (void)shape;
}
