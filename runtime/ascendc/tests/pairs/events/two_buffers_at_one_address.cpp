// The second buffer begins in the middle of the first: the turn fills what the turn before still
// works on.
// gm x: float[256] = -1 2 -3 4
// gm z: float[256] out
// expect: fault race: DataCopy of pipe MTE2 writes UB while
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
        LocalTensor<float> a(TPosition::VECCALC, i % 2 * 128, 64); //-
        //+ LocalTensor<float> a(TPosition::VECCALC, i % 2 * 256, 64);
        const event_t id = static_cast<event_t>(i % 2);
        WaitFlag<HardEvent::MTE3_MTE2>(id);
        DataCopy(a, gx[i * 64], 64); // <-- here
        SetFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE2_V>(id);
        Maxs(a, a, 0.0f, 64);
        SetFlag<HardEvent::V_MTE3>(id);
        WaitFlag<HardEvent::V_MTE3>(id);
        DataCopy(gz[i * 64], a, 64);
        SetFlag<HardEvent::MTE3_MTE2>(id);
    }
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
}
