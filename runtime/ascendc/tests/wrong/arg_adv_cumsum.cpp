// Running sums take rows of whole data blocks.
// expect: fault arg: rows are whole data blocks of 8 elements
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 4096);
    LocalTensor<float> x = buf.Get<float>(), last = x[512];
    Duplicate(x, 1.0f, 64);
    CumSum<float>(x, last, x, CumSumInfo{2, 12}); // <-- here
}
