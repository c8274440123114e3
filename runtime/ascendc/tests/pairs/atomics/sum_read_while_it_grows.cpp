// The sums are read while other blocks add to them, to normalise the rows.
// gm x: float[128] = 1 3
// gm s: float[64] inout
// gm y: float[128] out
// blocks: 2
// expect: fault race: SyncAll or a cross-core flag must stand between them
// expect s: 2 6 2 6
// expect y: 0.5 0.5 0.5
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void normed(GM_ADDR x, GM_ADDR s, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 2 * 64 * sizeof(float));
    LocalTensor<float> a = buf.Get<float>(64), sums = buf.Get<float>()[64];
    GlobalTensor<float> gx, gs, gy;
    gx.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 64, 64);
    gs.SetGlobalBuffer((__gm__ float *)s, 64);
    gy.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 64, 64);
    DataCopy(a, gx, 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    SetAtomicAdd<float>();
    DataCopy(gs, a, 64); // <-- here
    SetAtomicNone();
    PipeBarrier<PIPE_ALL>();
    //+ SyncAll();
    DataCopy(sums, gs, 64);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Div(a, a, sums, 64);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gy, a, 64);
}
