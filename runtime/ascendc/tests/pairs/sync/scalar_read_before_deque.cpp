// GetValue reads the first element while the copy may still be on its way, and no wait of the
// compiler helps.
// gm x: float[64] = 5 6 7 8
// gm z: float[64] out
// option: auto_sync 0
// expect: fault race: SetFlag and WaitFlag of HardEvent::MTE2_S
// expect z: 0 1 2 3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void from_the_first(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, 64 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gz.SetGlobalBuffer((__gm__ float *)z, 64);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, 64);
    const float first = a.GetValue(0); //- <-- here
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    //+ SetFlag<HardEvent::V_S>(EVENT_ID0);
    //+ WaitFlag<HardEvent::V_S>(EVENT_ID0);
    //+ const float first = a.GetValue(0);
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    Adds(b, a, -first, 64);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz, b, 64);
    outQueue.FreeTensor(b);
}
