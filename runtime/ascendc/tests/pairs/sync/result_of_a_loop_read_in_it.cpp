// The maximum over all blocks is subtracted in the loop that still looks for it.
// blocks: 2
// gm x: float[128] = iota
// gm z: float[128] out
// gm top: float[8] inout
// expect: fault race: SyncAll or a cross-core flag must stand between them
// expect z: -127 -126 -125
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void shifted(GM_ADDR x, GM_ADDR z, GM_ADDR top)
{
    LocalTensor<float> a(TPosition::VECCALC, 0, 64), work(TPosition::VECCALC, 256, 64), most(TPosition::VECCALC, 512, 8);
    GlobalTensor<float> gx, gz, gtop;
    gx.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 64, 64);
    gz.SetGlobalBuffer((__gm__ float *)z + GetBlockIdx() * 64, 64);
    gtop.SetGlobalBuffer((__gm__ float *)top, 8);
    DataCopy(a, gx, 64);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Duplicate(most, 0.0f, 8);
    ReduceMax(most, a, work, 64);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    SetAtomicMax<float>();
    DataCopy(gtop, most, 8);
    SetAtomicNone();
    PipeBarrier<PIPE_ALL>(); //-
    //+ SyncAll();
    DataCopy(most, gtop, 8); // <-- here
    SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
    Adds(a, a, -most.GetValue(0), 64);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gz, a, 64);
}
