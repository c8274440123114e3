// The copy uses the tensor that was enqueued, not the one that DeQue gives.
// gm x: float[64] = iota
// gm z: float[64] out
// expect: fault queue: is enqueued; use the tensor that DeQue gives
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void copy(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 256);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    LocalTensor<float> a = queue.AllocTensor<float>();
    DataCopy(a, gx, 64);
    queue.EnQue(a);
    DataCopy(gz, a, 64); // <-- here
    a = queue.DeQue<float>();
    queue.FreeTensor(a);
}
