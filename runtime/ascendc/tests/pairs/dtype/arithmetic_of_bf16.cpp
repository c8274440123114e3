// Two tensors of bfloat16_t are added as they are; the vector unit only casts them.
// gm x: bfloat16_t[64] = 1 2 3 4
// gm z: bfloat16_t[64] out
// expect: compile: Add does not take this element type on this chip
// expect z: 2 4 6 8
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> wideBuf;
    pipe.InitBuffer(inQueue, 1, 64 * sizeof(bfloat16_t));
    pipe.InitBuffer(outQueue, 1, 64 * sizeof(bfloat16_t));
    pipe.InitBuffer(wideBuf, 64 * sizeof(float));
    GlobalTensor<bfloat16_t> gx, gz;
    gx.SetGlobalBuffer((__gm__ bfloat16_t *)x, 64);
    gz.SetGlobalBuffer((__gm__ bfloat16_t *)z, 64);
    LocalTensor<bfloat16_t> a = inQueue.AllocTensor<bfloat16_t>();
    DataCopy(a, gx, 64);
    inQueue.EnQue(a);
    a = inQueue.DeQue<bfloat16_t>();
    LocalTensor<bfloat16_t> b = outQueue.AllocTensor<bfloat16_t>();
    Add(b, a, a, 64); //- <-- here
    //+ LocalTensor<float> wide = wideBuf.Get<float>();
    //+ Cast(wide, a, RoundMode::CAST_NONE, 64);
    //+ PipeBarrier<PIPE_V>();
    //+ Add(wide, wide, wide, 64);
    //+ PipeBarrier<PIPE_V>();
    //+ Cast(b, wide, RoundMode::CAST_RINT, 64);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<bfloat16_t>();
    DataCopy(gz, b, 64);
    outQueue.FreeTensor(b);
}
