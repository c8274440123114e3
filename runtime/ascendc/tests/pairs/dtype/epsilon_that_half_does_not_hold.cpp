// An epsilon of 1e-12 is 0 as half, and a zero is divided by it.
// gm x: half[64] = 0 2 -4 8
// gm z: half[64] out
// note: 1e-12 is 0 as half
// expect z: 0 1 -1 1
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sign(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> normBuf, wideBuf;
    pipe.InitBuffer(inQueue, 1, 64 * sizeof(half));
    pipe.InitBuffer(outQueue, 1, 64 * sizeof(half));
    pipe.InitBuffer(normBuf, 64 * sizeof(float));
    pipe.InitBuffer(wideBuf, 64 * sizeof(float));
    GlobalTensor<half> gx, gz;
    gx.SetGlobalBuffer((__gm__ half *)x, 64);
    gz.SetGlobalBuffer((__gm__ half *)z, 64);
    LocalTensor<half> a = inQueue.AllocTensor<half>();
    DataCopy(a, gx, 64);
    inQueue.EnQue(a);
    a = inQueue.DeQue<half>();
    LocalTensor<half> b = outQueue.AllocTensor<half>();
    LocalTensor<half> norm = normBuf.Get<half>(); //-
    Abs(norm, a, 64); //-
    Adds(norm, norm, static_cast<half>(1e-12f), 64); //- <-- here
    Div(b, a, norm, 64); //-
    //+ LocalTensor<float> norm = normBuf.Get<float>(), wide = wideBuf.Get<float>();
    //+ Cast(wide, a, RoundMode::CAST_NONE, 64);
    //+ Abs(norm, wide, 64);
    //+ Adds(norm, norm, 1e-12f, 64);
    //+ Div(wide, wide, norm, 64);
    //+ Cast(b, wide, RoundMode::CAST_RINT, 64);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<half>();
    DataCopy(gz, b, 64);
    outQueue.FreeTensor(b);
}
