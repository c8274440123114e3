// An element is read as a scalar while the copy that brings it is under way: no event from MTE2 to
// the scalar unit.
// gm x: float[256] = 5 6 7 8
// option: auto_sync 0
// gm z: float[256] out
// expect: fault race: SetFlag and WaitFlag of HardEvent::MTE2_S
// expect z: 0 1 2 3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void minus_first(GM_ADDR x, GM_ADDR z)
{
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 256);
    gz.SetGlobalBuffer((__gm__ float *)z, 256);
    LocalTensor<float> head(TPosition::VECCALC, 0, 8), a(TPosition::VECCALC, 256, 64);
    DataCopy(head, gx, 8);
    //+ SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
    //+ WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
    const float first = head.GetValue(0); // <-- here
    for (int i = 0; i < 4; ++i) {
        DataCopy(a, gx[i * 64], 64);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Adds(a, a, -first, 64);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(gz[i * 64], a, 64);
        PipeBarrier<PIPE_ALL>();
    }
}
