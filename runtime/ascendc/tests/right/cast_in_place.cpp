// Casts between widths whose operands share memory: narrowing from the start on, widening from the upper half, one repeat widened.
// gm x: float[160] = iota
// gm z: float[160] inout
// gm v: float[160] inout
// expect z: 0 1 2 3 4 5 6 7
// expect v: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z, GM_ADDR v)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 160 * sizeof(float));
    GlobalTensor<float> gx, gz, gv;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    gv.SetGlobalBuffer((__gm__ float *)v);
    LocalTensor<float> a = buffer.Get<float>();
    LocalTensor<half> h = a.ReinterpretCast<half>();
    DataCopy(a, gx, 160);
    PipeBarrier<PIPE_ALL>();
    Cast(h, a, RoundMode::CAST_NONE, 160);
    Adds(h[160], h, half(0), 160);
    Cast(a, h[160], RoundMode::CAST_NONE, 160);
    PipeBarrier<PIPE_ALL>();
    assert(a.GetValue(0) == 0.0f && a.GetValue(64) == 64.0f && a.GetValue(159) == 159.0f);
    DataCopy(gz, a, 160);
    PipeBarrier<PIPE_ALL>();
    Cast(h, a, RoundMode::CAST_NONE, 64);
    Cast(a, h, RoundMode::CAST_NONE, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gv, a, 64);
}
