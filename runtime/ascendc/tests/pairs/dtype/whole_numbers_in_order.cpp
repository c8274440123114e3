// Whole numbers are put in order, which Sort32 takes as floats alone.
// gm x: int32_t[32] = 5 1 4 2 3 70 -8 0
// gm z: float[64] out
// expect: compile: Sort32 takes half and float
// expect z: 70 0 70 0 70 0 70 0 5
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sorted(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> wideBuf, indexBuf;
    pipe.InitBuffer(inQueue, 1, 128);
    pipe.InitBuffer(outQueue, 1, 256);
    pipe.InitBuffer(wideBuf, 128);
    pipe.InitBuffer(indexBuf, 128);
    GlobalTensor<int32_t> gx;
    GlobalTensor<float> gz;
    gx.SetGlobalBuffer((__gm__ int32_t *)x, 32);
    gz.SetGlobalBuffer((__gm__ float *)z, 64);
    LocalTensor<int32_t> a = inQueue.AllocTensor<int32_t>();
    DataCopy(a, gx, 32);
    inQueue.EnQue(a);
    a = inQueue.DeQue<int32_t>();
    LocalTensor<int32_t> zeros = indexBuf.Get<int32_t>();
    Duplicate(zeros, 0, 32);
    LocalTensor<uint32_t> index = zeros.ReinterpretCast<uint32_t>();
    LocalTensor<int32_t> pairs = outQueue.AllocTensor<int32_t>(); //-
    Sort32(pairs, a, index, 1); //- <-- here
    //+ LocalTensor<float> pairs = outQueue.AllocTensor<float>(), wide = wideBuf.Get<float>();
    //+ Cast(wide, a, RoundMode::CAST_NONE, 32);
    //+ Sort32(pairs, wide, index, 1);
    inQueue.FreeTensor(a);
    outQueue.EnQue(pairs);
    LocalTensor<float> b = outQueue.DeQue<float>();
    DataCopy(gz, b, 64);
    outQueue.FreeTensor(b);
}
