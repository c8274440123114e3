// The second half of the elements never had a value.
// gm z: half[64] out
// expect: fault poison: src has no value at element 32
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 64 * sizeof(float));
    GlobalTensor<half> gz;
    gz.SetGlobalBuffer((__gm__ half *)z);
    LocalTensor<float> a = buffer.Get<float>();
    LocalTensor<half> h = a.ReinterpretCast<half>();
    Duplicate(h, half(3), 32);
    Cast(a, h, RoundMode::CAST_NONE, 64);
    Cast(h, a, RoundMode::CAST_NONE, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, h, 64); // <-- here
}
