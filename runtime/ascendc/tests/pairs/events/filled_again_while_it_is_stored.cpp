// One buffer for all turns, and only the order forwards: the next turn fills what the copy to GM
// still reads.
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
    LocalTensor<float> a(TPosition::VECCALC, 0, 64);
    //+ SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    for (int i = 0; i < 4; ++i) {
        //+ WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        DataCopy(a, gx[i * 64], 64); // <-- here
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Maxs(a, a, 0.0f, 64);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(gz[i * 64], a, 64);
        //+ SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
    }
    //+ WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
}
