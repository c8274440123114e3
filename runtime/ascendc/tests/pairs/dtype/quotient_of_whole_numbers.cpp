// Whole numbers are divided: Div takes half and float.
// gm x: int32_t[64] = 7 8 9 -1
// gm z: int32_t[64] out
// expect: compile: Div does not take this element type on this chip
// expect z: 3 4 4 -1
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void halved(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> aBuf, twoBuf;
    pipe.InitBuffer(inQueue, 1, 64 * sizeof(int32_t));
    pipe.InitBuffer(outQueue, 1, 64 * sizeof(int32_t));
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    pipe.InitBuffer(twoBuf, 64 * sizeof(float));
    GlobalTensor<int32_t> gx, gz;
    gx.SetGlobalBuffer((__gm__ int32_t *)x, 64);
    gz.SetGlobalBuffer((__gm__ int32_t *)z, 64);
    LocalTensor<int32_t> a = inQueue.AllocTensor<int32_t>();
    DataCopy(a, gx, 64);
    inQueue.EnQue(a);
    a = inQueue.DeQue<int32_t>();
    LocalTensor<int32_t> b = outQueue.AllocTensor<int32_t>();
    LocalTensor<int32_t> two = twoBuf.Get<int32_t>(); //-
    Duplicate(two, 2, 64); //-
    Div(b, a, two, 64); //- <-- here
    //+ LocalTensor<float> wide = aBuf.Get<float>(), two = twoBuf.Get<float>();
    //+ Duplicate(two, 2.0f, 64);
    //+ Cast(wide, a, RoundMode::CAST_NONE, 64);
    //+ Div(wide, wide, two, 64);
    //+ Cast(b, wide, RoundMode::CAST_FLOOR, 64);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<int32_t>();
    DataCopy(gz, b, 64);
    outQueue.FreeTensor(b);
}
