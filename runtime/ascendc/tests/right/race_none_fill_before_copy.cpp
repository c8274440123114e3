// A buffer is filled by V before a copy writes a part of it; what it held before ends when it is allocated, not later.
// gm x: float[64] = iota
// gm z: float[64] out
// option: replay 2
// expect z: 0 1 2 3 4 5 6 7 9
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    for (int i = 0; i < 8; ++i) {
        LocalTensor<float> a = queue.AllocTensor<float>();
        // The queue makes MTE2 wait for the copy that read the buffer; V must do so by hand.
        if (i > 0) {
            SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
            WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        }
        Duplicate(a, 9.0f, 64);
        SetFlag<HardEvent::V_MTE2>(EVENT_ID1);
        WaitFlag<HardEvent::V_MTE2>(EVENT_ID1);
        DataCopy(a, gx, 8);
        queue.EnQue(a);
        a = queue.DeQue<float>();
        DataCopy(gz, a, 64);
        queue.FreeTensor(a);
    }
}
