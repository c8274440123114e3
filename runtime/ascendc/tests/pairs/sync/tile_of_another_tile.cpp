// A tile is looked up in the output that all blocks store, for another index: another block may
// have it.
// blocks: 2
// gm x: float[128] = iota
// gm z: float[128] inout
// expect: fault race: SyncAll or a cross-core flag must stand between them
// expect: fault race: SyncAll or a cross-core flag must stand between them
// expect z: 64 65 66
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void swapped(GM_ADDR x, GM_ADDR z)
{
    LocalTensor<float> a(TPosition::VECCALC, 0, 64);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 128);
    gz.SetGlobalBuffer((__gm__ float *)z, 128);
    const uint32_t own = GetBlockIdx() * 64, other = 64 - own;
    DataCopy(a, gx[own], 64); //-
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0); //-
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0); //-
    DataCopy(gz[own], a, 64); //- <-- here
    PipeBarrier<PIPE_ALL>(); //-
    DataCopy(a, gz[other], 64); //- <-- here
    //+ DataCopy(a, gx[other], 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(gz[own], a, 64);
}
