// Two tensors are alive at once in a queue with one buffer: the second AllocTensor waits for ever.
// gm x: float[64] = iota
// gm y: float[64] = ones
// gm z: float[64] out
// expect: fault queue: AllocTensor: all 1 blocks of the queue (VECIN) are in use and none will be freed
// expect z: 1 2 3 4
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 2> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, 64 * sizeof(float)); //-
    //+ pipe.InitBuffer(inQueue, 2, 64 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gy, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    gz.SetGlobalBuffer((__gm__ float *)z, 64);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, 64);
    inQueue.EnQue(a);
    LocalTensor<float> b = inQueue.AllocTensor<float>(); // <-- here
    DataCopy(b, gy, 64);
    inQueue.EnQue(b);
    a = inQueue.DeQue<float>();
    b = inQueue.DeQue<float>();
    LocalTensor<float> c = outQueue.AllocTensor<float>();
    Add(c, a, b, 64);
    inQueue.FreeTensor(a);
    inQueue.FreeTensor(b);
    outQueue.EnQue(c);
    c = outQueue.DeQue<float>();
    DataCopy(gz, c, 64);
    outQueue.FreeTensor(c);
}
