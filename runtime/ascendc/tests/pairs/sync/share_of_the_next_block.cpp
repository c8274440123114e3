// Each block stores its share doubled, then adds the elements eight further on: the last of them
// are those of the next block, for which nothing waits.
// blocks: 2
// gm x: float[40] = iota
// gm z: float[32] out
// gm w: float[40] inout
// expect: fault race: SyncAll or a cross-core flag must stand between them
// expect z: 16 20 24 28
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void doubled_sums(GM_ADDR x, GM_ADDR z, GM_ADDR w)
{
    LocalTensor<float> a(TPosition::VECCALC, 0, 24), b(TPosition::VECCALC, 128, 16);
    GlobalTensor<float> gx, gz, doubled;
    gx.SetGlobalBuffer((__gm__ float *)x, 40);
    gz.SetGlobalBuffer((__gm__ float *)z, 32);
    doubled.SetGlobalBuffer((__gm__ float *)w, 40);
    const uint32_t at = GetBlockIdx() * 16, count = GetBlockIdx() == 0 ? 16 : 24;
    DataCopy(a, gx[at], count);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Muls(a, a, 2.0f, count);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(doubled[at], a, count);
    PipeBarrier<PIPE_ALL>(); //-
    //+ SyncAll();
    DataCopy(a, doubled[at], 16);
    DataCopy(b, doubled[at + 8], 16); // <-- here
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(a, a, b, 16);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gz[at], a, 16);
}
