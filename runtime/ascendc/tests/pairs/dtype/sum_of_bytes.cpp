// Tensors of int8_t are added as they are; the vector unit only moves and casts them.
// gm x: int8_t[64] = 1 2 -3 4
// gm z: int8_t[64] out
// expect: compile: Add does not take this element type on this chip
// expect z: 2 4 -6 8
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> wideBuf;
    pipe.InitBuffer(inQueue, 1, 64);
    pipe.InitBuffer(outQueue, 1, 64);
    pipe.InitBuffer(wideBuf, 64 * sizeof(half));
    GlobalTensor<int8_t> gx, gz;
    gx.SetGlobalBuffer((__gm__ int8_t *)x, 64);
    gz.SetGlobalBuffer((__gm__ int8_t *)z, 64);
    LocalTensor<int8_t> a = inQueue.AllocTensor<int8_t>();
    DataCopy(a, gx, 64);
    inQueue.EnQue(a);
    a = inQueue.DeQue<int8_t>();
    LocalTensor<int8_t> b = outQueue.AllocTensor<int8_t>();
    Add(b, a, a, 64); //- <-- here
    //+ LocalTensor<half> wide = wideBuf.Get<half>();
    //+ Cast(wide, a, RoundMode::CAST_NONE, 64);
    //+ Add(wide, wide, wide, 64);
    //+ Cast(b, wide, RoundMode::CAST_RINT, 64);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<int8_t>();
    DataCopy(gz, b, 64);
    outQueue.FreeTensor(b);
}
