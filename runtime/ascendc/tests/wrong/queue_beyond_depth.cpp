// Two EnQue in a row, the depth is one.
// gm x: float[64] = iota
// gm z: float[64] out
// expect: fault queue: 1 tensors wait in the queue (VECIN), its depth is 1
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    pipe.InitBuffer(queue, 2, 256);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    LocalTensor<float> a = queue.AllocTensor<float>();
    DataCopy(a, gx, 64);
    queue.EnQue(a);
    LocalTensor<float> b = queue.AllocTensor<float>();
    DataCopy(b, gx, 64);
    queue.EnQue(b); // <-- here
    (void)gz;
}
