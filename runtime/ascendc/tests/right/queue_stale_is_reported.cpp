// The copy out comes after FreeTensor, which the chip forgives while nobody allocates the buffer again.
// gm x: float[64] = iota
// gm z: float[64] out
// option: stale report
// expect z: 0 1 2 3 4 5 6 7
// note: was freed (FreeTensor); allocate it again before use
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
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
    a = queue.DeQue<float>();
    queue.FreeTensor(a);
    DataCopy(gz, a, 64);
}
