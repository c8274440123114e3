// The result is written in place into the input's tensor and put into the output queue, which never
// gave it.
// gm x: float[256] = iota
// gm z: float[256] out
// expect: fault queue: EnQue: the tensor does not come from this queue (VECOUT)
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
    for (int i = 0; i < 4; ++i) {
        LocalTensor<float> a = inQueue.AllocTensor<float>();
        DataCopy(a, gx[i * 64], 64);
        inQueue.EnQue(a);
        a = inQueue.DeQue<float>();
        Muls(a, a, 2.0f, 64); //-
        outQueue.EnQue(a); //- <-- here
        //+ LocalTensor<float> b = outQueue.AllocTensor<float>();
        //+ Muls(b, a, 2.0f, 64);
        //+ inQueue.FreeTensor(a);
        //+ outQueue.EnQue(b);
        LocalTensor<float> c = outQueue.DeQue<float>();
        DataCopy(gz[i * 64], c, 64);
        outQueue.FreeTensor(c);
    }
}
