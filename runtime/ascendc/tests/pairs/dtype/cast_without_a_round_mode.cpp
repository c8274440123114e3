// CAST_NONE, as in every sample for half to float, on a cast from float to int32_t.
// gm x: float[64] = 1.5 2.5 -3.25 4
// gm z: int32_t[64] out
// expect: fault arg: Cast: from float to int32_t does not round by CAST_NONE
// expect z: 2 2 -3 4
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void rounded(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, 64 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 64 * sizeof(int32_t));
    GlobalTensor<float> gx;
    GlobalTensor<int32_t> gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gz.SetGlobalBuffer((__gm__ int32_t *)z, 64);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, 64);
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<int32_t> b = outQueue.AllocTensor<int32_t>();
    Cast(b, a, RoundMode::CAST_NONE, 64); //- <-- here
    //+ Cast(b, a, RoundMode::CAST_RINT, 64);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<int32_t>();
    DataCopy(gz, b, 64);
    outQueue.FreeTensor(b);
}
