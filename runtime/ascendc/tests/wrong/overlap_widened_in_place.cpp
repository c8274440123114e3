// Two repeats of half become float where they stand: the first one overwrites what the second one reads.
// expect: fault overlap: repeat 1 reads from src what an earlier repeat wrote to dst
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 128 * sizeof(float));
    LocalTensor<float> a = buffer.Get<float>();
    LocalTensor<half> h = a.ReinterpretCast<half>();
    Duplicate(h, half(1), 128);
    Cast(a, h, RoundMode::CAST_NONE, 128); // <-- here
}
