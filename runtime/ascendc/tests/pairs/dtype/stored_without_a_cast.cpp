// The computation is in float and its result is stored to half as it is.
// gm x: half[64] = 0
// gm z: half[64] out
// expect: compile: no matching function for call to ‘DataCopy
// expect z: 1 1 1
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void exponential(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> wideBuf;
    pipe.InitBuffer(inQueue, 1, 64 * sizeof(half));
    pipe.InitBuffer(outQueue, 1, 64 * sizeof(float));
    pipe.InitBuffer(wideBuf, 64 * sizeof(float));
    GlobalTensor<half> gx, gz;
    gx.SetGlobalBuffer((__gm__ half *)x, 64);
    gz.SetGlobalBuffer((__gm__ half *)z, 64);
    LocalTensor<half> a = inQueue.AllocTensor<half>();
    DataCopy(a, gx, 64);
    inQueue.EnQue(a);
    a = inQueue.DeQue<half>();
    LocalTensor<float> wide = wideBuf.Get<float>();
    Cast(wide, a, RoundMode::CAST_NONE, 64);
    inQueue.FreeTensor(a);
    LocalTensor<float> b = outQueue.AllocTensor<float>(); //-
    Exp(b, wide, 64); //-
    outQueue.EnQue(b); //-
    b = outQueue.DeQue<float>(); //-
    //+ LocalTensor<half> b = outQueue.AllocTensor<half>();
    //+ Exp(wide, wide, 64);
    //+ Cast(b, wide, RoundMode::CAST_RINT, 64);
    //+ outQueue.EnQue(b);
    //+ b = outQueue.DeQue<half>();
    DataCopy(gz, b, 64); // <-- here
    outQueue.FreeTensor(b);
}
