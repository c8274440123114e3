// The flags of the last two turns are set, too, though no turn behind them waits: the first turns
// did not wait either.
// gm x: float[256] = -1 2 -3 4
// gm z: float[256] out
// expect: fault sync: SetFlag: MTE3_MTE2 id 0 is set and nobody waits for it
// expect z: 0 2 0 4
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void relu(GM_ADDR x, GM_ADDR z)
{
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 256);
    gz.SetGlobalBuffer((__gm__ float *)z, 256);
    for (int i = 0; i < 4; ++i) {
        LocalTensor<float> a(TPosition::VECCALC, i % 2 * 256, 64);
        const event_t id = static_cast<event_t>(i % 2);
        if (i > 1) {
            WaitFlag<HardEvent::MTE3_MTE2>(id);
        }
        DataCopy(a, gx[i * 64], 64);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Maxs(a, a, 0.0f, 64);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(gz[i * 64], a, 64);
        SetFlag<HardEvent::MTE3_MTE2>(id); //- <-- here
        //+ if (i + 2 < 4) {
        //+     SetFlag<HardEvent::MTE3_MTE2>(id);
        //+ }
    }
}
