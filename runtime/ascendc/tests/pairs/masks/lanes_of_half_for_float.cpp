// 128 lanes a repeat are those of half; a repeat of float has 64.
// gm x: float[128] = iota
// gm y: float[128] out
// expect: fault arg: Muls: the mask is 128 elements, a repeat of 4-byte elements has 64
// expect y: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 128 * sizeof(float));
    pipe.InitBuffer(outY, 1, 128 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 128);
    gy.SetGlobalBuffer((__gm__ float *)y, 128);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 128);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    Muls(b, a, 2.0f, 128, 1, {1, 1, 8, 8}); //- <-- here
    //+ Muls(b, a, 2.0f, 64, 2, {1, 1, 8, 8});
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 128);
    outY.FreeTensor(b);
}
