// One more call on the result, after it was handed to the copy that may have begun.
// gm x: float[256] = iota
// gm z: float[256] out
// expect: fault queue: Maxs: dst lies in a buffer that is enqueued
// expect: fault race: SetFlag and WaitFlag of HardEvent::V_MTE3
// expect z: 1 1 2 3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void at_least_one(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 2, 64 * sizeof(float));
    pipe.InitBuffer(outQueue, 2, 64 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 256);
    gz.SetGlobalBuffer((__gm__ float *)z, 256);
    for (int i = 0; i < 4; ++i) {
        LocalTensor<float> a = inQueue.AllocTensor<float>();
        DataCopy(a, gx[i * 64], 64);
        inQueue.EnQue(a);
        a = inQueue.DeQue<float>();
        LocalTensor<float> b = outQueue.AllocTensor<float>();
        Muls(b, a, 1.0f, 64);
        inQueue.FreeTensor(a);
        outQueue.EnQue(b); //-
        Maxs(b, b, 1.0f, 64); // <-- here
        //+ outQueue.EnQue(b);
        b = outQueue.DeQue<float>();
        DataCopy(gz[i * 64], b, 64); // <-- here
        outQueue.FreeTensor(b);
    }
}
