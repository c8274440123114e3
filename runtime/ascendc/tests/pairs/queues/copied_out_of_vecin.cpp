// A pure copy writes back from the VECIN tensor: that queue has no event between MTE2 and MTE3.
// gm x: float[256] = iota
// gm z: float[256] out
// expect: fault race: or a queue, must stand between them
// expect z: 0 1 2 3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void copied(GM_ADDR x, GM_ADDR z)
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
        DataCopy(a, gx[i * 64], 64); // <-- here
        inQueue.EnQue(a);
        a = inQueue.DeQue<float>();
        DataCopy(gz[i * 64], a, 64); //- <-- here
        inQueue.FreeTensor(a); //-
        //+ LocalTensor<float> b = outQueue.AllocTensor<float>();
        //+ Adds(b, a, 0.0f, 64);
        //+ inQueue.FreeTensor(a);
        //+ outQueue.EnQue(b);
        //+ b = outQueue.DeQue<float>();
        //+ DataCopy(gz[i * 64], b, 64);
        //+ outQueue.FreeTensor(b);
    }
}
