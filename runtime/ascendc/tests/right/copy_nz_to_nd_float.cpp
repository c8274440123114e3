// Rows of a fractal have 16 elements whatever their size: two data blocks of float.
// gm x: float[1024] = iota
// gm z: float[512] inout
// expect z: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 64 65
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 1024 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    LocalTensor<float> a = queue.AllocTensor<float>();
    DataCopy(a, gx, 1024);
    queue.EnQue(a);
    a = queue.DeQue<float>();
    // Two matrices of 4 x 32, Z shapes 64 elements apart, matrices 256; the rows of both side by side.
    DataCopy(gz, a, Nz2NdParamsFull{2, 4, 32, 1, 4, 80, 40});
    queue.FreeTensor(a);
}
