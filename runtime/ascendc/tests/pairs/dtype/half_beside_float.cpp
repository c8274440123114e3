// A half tensor is multiplied by a weight of float.
// gm x: half[64] = iota
// gm w: float[64] = 0.5 2
// gm z: float[64] out
// expect: compile: no matching function for call to ‘Mul
// expect z: 0 2 1 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void scaled(GM_ADDR x, GM_ADDR w, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> xQueue, wQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(xQueue, 1, 64 * sizeof(half));
    pipe.InitBuffer(wQueue, 1, 64 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 64 * sizeof(float));
    GlobalTensor<half> gx;
    GlobalTensor<float> gw, gz;
    gx.SetGlobalBuffer((__gm__ half *)x, 64);
    gw.SetGlobalBuffer((__gm__ float *)w, 64);
    gz.SetGlobalBuffer((__gm__ float *)z, 64);
    LocalTensor<half> a = xQueue.AllocTensor<half>();
    LocalTensor<float> weight = wQueue.AllocTensor<float>();
    DataCopy(a, gx, 64);
    DataCopy(weight, gw, 64);
    xQueue.EnQue(a);
    wQueue.EnQue(weight);
    a = xQueue.DeQue<half>();
    weight = wQueue.DeQue<float>();
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    Mul(b, a, weight, 64); //- <-- here
    //+ Cast(b, a, RoundMode::CAST_NONE, 64);
    //+ Mul(b, b, weight, 64);
    xQueue.FreeTensor(a);
    wQueue.FreeTensor(weight);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz, b, 64);
    outQueue.FreeTensor(b);
}
