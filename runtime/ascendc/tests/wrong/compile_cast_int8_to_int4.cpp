// This chip casts half to int4b_t and nothing else.
// expect: compile: Cast has no conversion between these element types on this chip
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
    LocalTensor<int8_t> bytes = h.ReinterpretCast<int8_t>();
    Cast(four, bytes, RoundMode::CAST_NONE, 64); // <-- here
    (void)four;
}
