// From int4b_t to half there is nothing to round.
// expect: fault arg: Cast: from int4b_t to half does not round by CAST_RINT; allowed is CAST_NONE
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
    Cast(h, four, RoundMode::CAST_RINT, 64); // <-- here
    (void)four;
}
