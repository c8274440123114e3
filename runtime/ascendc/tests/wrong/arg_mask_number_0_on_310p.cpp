// A number of 0 is refused like bits of 0.
// chip: ascend310p3
// expect: fault arg: Adds: the mask is 0, which this chip refuses
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, dBuf;
    pipe.InitBuffer(xBuf, 512);
    pipe.InitBuffer(dBuf, 512);
    LocalTensor<float> x = xBuf.Get<float>(), d = dBuf.Get<float>();
    Duplicate(x, 1.0f, 128);
    Duplicate(d, 1.0f, 128);
    Adds(d, x, 1.0f, uint64_t(0), 1, {1, 1, 8, 8}); // <-- here
}
