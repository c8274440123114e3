// 256 elements of int4b_t take 128 bytes.
// expect: fault bounds: Cast: dst is
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> hBuf, fourBuf;
    pipe.InitBuffer(hBuf, 512);
    pipe.InitBuffer(fourBuf, 64);
    LocalTensor<half> h = hBuf.Get<half>();
    LocalTensor<int4b_t> four = fourBuf.Get<int4b_t>();
    Duplicate(h, half(1.0f), 256);
    Cast(four, h, RoundMode::CAST_RINT, 256); // <-- here
    (void)four;
}
