// Each core sets the flag before it has stored what the others wait for.
// blocks: 2
// gm x: float[16] = iota
// gm z: float[16] out
// gm w: float[16] inout
// expect: fault race: SyncAll or a cross-core flag must stand between them
// expect z: 16 20 24 28 32 36 40 44 16 20 24
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sums(GM_ADDR x, GM_ADDR z, GM_ADDR w)
{
    LocalTensor<float> a(TPosition::VECCALC, 0, 8), b(TPosition::VECCALC, 32, 8);
    GlobalTensor<float> gx, gz, doubled;
    gx.SetGlobalBuffer((__gm__ float *)x, 16);
    gz.SetGlobalBuffer((__gm__ float *)z, 16);
    doubled.SetGlobalBuffer((__gm__ float *)w, 16);
    const uint32_t own = GetBlockIdx() * 8, next = (GetBlockIdx() + 1) % 2 * 8;
    CrossCoreSetFlag<0, PIPE_MTE3>(0); //-
    DataCopy(a, gx[own], 8);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Muls(a, a, 2.0f, 8);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(doubled[own], a, 8);
    //+ CrossCoreSetFlag<0, PIPE_MTE3>(0);
    CrossCoreWaitFlag(0);
    DataCopy(b, doubled[next], 8); // <-- here
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(b, a, b, 8);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gz[own], b, 8);
}
