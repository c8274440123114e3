// A repeat below 0 is no repeat.
// expect: fault arg: PairReduceSum: repeatTime is -1; allowed are 0 to 255
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
    PairReduceSum(d, x, -1, 64, 1, 1, 8); // <-- here
}
