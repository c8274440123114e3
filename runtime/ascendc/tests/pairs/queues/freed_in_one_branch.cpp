// The input is freed where it is used, in one branch; in the other one it stays taken.
// gm x: float[256] = iota
// gm z: float[256] out
// expect: fault queue: AllocTensor: this tensor of the queue (VECIN) is still dequeued at the end of the kernel
// expect z: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void by_turns(GM_ADDR x, GM_ADDR z)
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
        LocalTensor<float> a = inQueue.AllocTensor<float>(); // <-- here
        DataCopy(a, gx[i * 64], 64);
        inQueue.EnQue(a);
        a = inQueue.DeQue<float>();
        LocalTensor<float> b = outQueue.AllocTensor<float>();
        if (i % 2 == 0) {
            Muls(b, a, 2.0f, 64);
            inQueue.FreeTensor(a); //-
        } else {
            Adds(b, a, 1.0f, 64);
        }
        //+ inQueue.FreeTensor(a);
        outQueue.EnQue(b);
        b = outQueue.DeQue<float>();
        DataCopy(gz[i * 64], b, 64);
        outQueue.FreeTensor(b);
    }
}
