// The last pair that takes part decides how far dst goes.
// expect: fault bounds: PairReduceSum: dst is touched up to byte 516, the tensor has 512
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
    const uint64_t bits[2] = {3, 0};
    PairReduceSum(d, x, 2, bits, 4, 1, 8); // <-- here
}
