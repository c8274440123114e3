// int32_t is cast to half in one call: that takes a scale (SetDeqScale), and is no plain cast.
// gm x: int32_t[64] = 1 2 -3 4
// gm z: half[64] out
// expect: fault arg: Cast: from int32_t to half multiplies by what SetDeqScale sets, which nothing has called
// expect z: 1 2 -3 4
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void narrowed(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> wideBuf;
    pipe.InitBuffer(inQueue, 1, 64 * sizeof(int32_t));
    pipe.InitBuffer(outQueue, 1, 64 * sizeof(half));
    pipe.InitBuffer(wideBuf, 64 * sizeof(float));
    GlobalTensor<int32_t> gx;
    GlobalTensor<half> gz;
    gx.SetGlobalBuffer((__gm__ int32_t *)x, 64);
    gz.SetGlobalBuffer((__gm__ half *)z, 64);
    LocalTensor<int32_t> a = inQueue.AllocTensor<int32_t>();
    DataCopy(a, gx, 64);
    inQueue.EnQue(a);
    a = inQueue.DeQue<int32_t>();
    LocalTensor<half> b = outQueue.AllocTensor<half>();
    Cast(b, a, RoundMode::CAST_NONE, 64); //- <-- here
    //+ LocalTensor<float> wide = wideBuf.Get<float>();
    //+ Cast(wide, a, RoundMode::CAST_NONE, 64);
    //+ Cast(b, wide, RoundMode::CAST_RINT, 64);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<half>();
    DataCopy(gz, b, 64);
    outQueue.FreeTensor(b);
}
