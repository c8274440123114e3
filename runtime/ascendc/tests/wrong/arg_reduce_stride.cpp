// Strides have 16 bits.
// expect: fault arg: WholeReduceSum: srcRepStride is 65536; allowed are 0 to 65535
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
    WholeReduceSum(d, x, 64, 1, 1, 1, 65536); // <-- here
}
