// Two elements of int4b_t share a byte: counts, masks and offsets are of whole bytes.
// expect: fault arg: Cast: 63 elements of int4b_t end in the middle of a byte
// expect: fault arg: Cast: 7 elements of int4b_t end in the middle of a byte
// expect: fault arg: Cast: two elements of int4b_t share a byte, so that bits 2k and 2k + 1 of a mask are alike; this one is 0x6
// expect: fault arg: int4b_t: 33 elements end in the middle of a byte
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
    Cast(four, h, RoundMode::CAST_RINT, 63); // <-- here
    Cast(four, h, RoundMode::CAST_RINT, uint64_t(7), 1, {1, 1, 2, 8}); // <-- here
    const uint64_t mask[2] = {6, 0};
    Cast(four, h, RoundMode::CAST_RINT, mask, 1, {1, 1, 2, 8}); // <-- here
    Cast(four[33], h, RoundMode::CAST_RINT, 0); // <-- here
    (void)four;
}
