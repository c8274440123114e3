// A prefix sum along rows in place: each row adds the one before it, which another block stores.
// blocks: 2
// gm x: float[192] inout
// expect: fault race: SyncAll or a cross-core flag must stand between them
// expect x: 0 0 0
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void scan(GM_ADDR x)
{
    LocalTensor<float> a(TPosition::VECCALC, 0, 64), b(TPosition::VECCALC, 256, 64);
    GlobalTensor<float> gx;
    gx.SetGlobalBuffer((__gm__ float *)x, 192);
    const uint32_t first = GetBlockIdx() + 1, last = first + 1; //-
    //+ const uint32_t first = 1, last = GetBlockIdx() == 0 ? 3 : 1;
    for (uint32_t row = first; row < last; ++row) {
        DataCopy(a, gx[(row - 1) * 64], 64); // <-- here
        DataCopy(b, gx[row * 64], 64);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Add(b, a, b, 64);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(gx[row * 64], b, 64); // <-- here
        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    }
}
