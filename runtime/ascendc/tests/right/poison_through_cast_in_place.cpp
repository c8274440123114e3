// What has no value has none after a cast in place, and what has one keeps it.
// gm z: half[32] out
// expect z: 3 3 3 3 3 3 3 3
#include "check.h"
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
    Cast(a, h, RoundMode::CAST_NONE, 64); // the upper half is padding
    Cast(h, a, RoundMode::CAST_NONE, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, h, 32);
}
