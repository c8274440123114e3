// Compute takes two tensors out of a queue into which copy-in has put one.
// gm x: float[256] = iota
// gm z: float[256] out
// expect: fault queue: DeQue: nothing is enqueued in the queue (VECIN)
// expect z: 0 1 4 9
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void square(GM_ADDR x, GM_ADDR z)
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
        LocalTensor<float> again = inQueue.DeQue<float>(); //- <-- here
        LocalTensor<float> b = outQueue.AllocTensor<float>();
        Mul(b, a, again, 64); //-
        inQueue.FreeTensor(again); //-
        //+ Mul(b, a, a, 64);
        inQueue.FreeTensor(a);
        outQueue.EnQue(b);
        b = outQueue.DeQue<float>();
        DataCopy(gz[i * 64], b, 64);
        outQueue.FreeTensor(b);
    }
}
