// The output tensor is allocated before the loop, and freed in each of its turns.
// gm x: float[256] = iota
// gm z: float[256] out
// expect: fault queue: Muls: dst lies in a buffer that was freed (FreeTensor)
// expect: fault queue: EnQue: the tensor's buffer in the queue (VECOUT) is free
// expect z: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 2, 64 * sizeof(float));
    pipe.InitBuffer(outQueue, 2, 64 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 256);
    gz.SetGlobalBuffer((__gm__ float *)z, 256);
    LocalTensor<float> b = outQueue.AllocTensor<float>(); //-
    //+ LocalTensor<float> b;
    for (int i = 0; i < 4; ++i) {
        LocalTensor<float> a = inQueue.AllocTensor<float>();
        DataCopy(a, gx[i * 64], 64);
        inQueue.EnQue(a);
        a = inQueue.DeQue<float>();
        //+ b = outQueue.AllocTensor<float>();
        Muls(b, a, 2.0f, 64); // <-- here
        inQueue.FreeTensor(a);
        outQueue.EnQue(b); // <-- here
        b = outQueue.DeQue<float>();
        DataCopy(gz[i * 64], b, 64);
        outQueue.FreeTensor(b);
    }
}
