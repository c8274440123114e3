// Two tiles are put into a queue of depth 1 before one is taken out: double buffering is not depth.
// gm x: float[128] = iota
// gm z: float[128] out
// expect: fault queue: EnQue: 1 tensors wait in the queue (VECIN), its depth is 1
// expect z: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue; //-
    //+ TQue<TPosition::VECIN, 2> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 2, 64 * sizeof(float));
    pipe.InitBuffer(outQueue, 2, 64 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 128);
    gz.SetGlobalBuffer((__gm__ float *)z, 128);
    for (int i = 0; i < 2; ++i) {
        LocalTensor<float> a = inQueue.AllocTensor<float>();
        DataCopy(a, gx[i * 64], 64);
        inQueue.EnQue(a); // <-- here
    }
    for (int i = 0; i < 2; ++i) {
        LocalTensor<float> a = inQueue.DeQue<float>();
        LocalTensor<float> b = outQueue.AllocTensor<float>();
        Muls(b, a, 2.0f, 64);
        inQueue.FreeTensor(a);
        outQueue.EnQue(b);
        b = outQueue.DeQue<float>();
        DataCopy(gz[i * 64], b, 64);
        outQueue.FreeTensor(b);
    }
}
