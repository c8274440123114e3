// The instruction takes a repeat of 8 bits.
// expect: fault arg: BlockReduceSum: repeatTime is 256; allowed are 0 to 255
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
    BlockReduceSum(d, x, 256, 8, 0, 1, 0); // <-- here
}
