// Two buffers in turn, and one flag for both: the second turn waits for the flag that the first one
// has taken.
// gm x: float[256] = -1 2 -3 4
// gm z: float[256] out
// expect: fault sync: SetFlag: MTE3_MTE2 id 1 is set again before anyone waited for it
// expect: fault sync: WaitFlag: MTE3_MTE2 id 0 is waited for again before anyone set it
// expect z: 0 2 0 4
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void relu(GM_ADDR x, GM_ADDR z)
{
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 256);
    gz.SetGlobalBuffer((__gm__ float *)z, 256);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
    for (int i = 0; i < 4; ++i) {
        LocalTensor<float> a(TPosition::VECCALC, i % 2 * 256, 64);
        const event_t id = static_cast<event_t>(i % 2);
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0); //-
        //+ WaitFlag<HardEvent::MTE3_MTE2>(id);
        DataCopy(a, gx[i * 64], 64);
        SetFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE2_V>(id);
        Maxs(a, a, 0.0f, 64);
        SetFlag<HardEvent::V_MTE3>(id);
        WaitFlag<HardEvent::V_MTE3>(id);
        DataCopy(gz[i * 64], a, 64);
        SetFlag<HardEvent::MTE3_MTE2>(id); // <-- here
    }
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0); // <-- here
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
}
