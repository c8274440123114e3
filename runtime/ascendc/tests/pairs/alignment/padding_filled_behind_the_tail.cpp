// Behind a tail of 13 elements a Duplicate fills the rest of the repeat, and begins there.
// gm x: float[13] = -5 -3 -4
// gm z: float[1] out
// value count: uint32_t = 13
// expect: fault arg: Duplicate: dst starts at byte 340 of UB, which is not a multiple of 32
// expect z: -3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void largest(GM_ADDR x, GM_ADDR z, uint32_t count)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> wideBuf;
    pipe.InitBuffer(inQueue, 1, 64 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 32);
    pipe.InitBuffer(wideBuf, 64 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, count);
    gz.SetGlobalBuffer((__gm__ float *)z, 1);
    DataCopyExtParams row{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopyPad(a, gx, row, DataCopyPadExtParams<float>{});
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> wide = wideBuf.Get<float>(), b = outQueue.AllocTensor<float>();
    //+ Duplicate(wide, -3.4e38f, 64);
    //+ PipeBarrier<PIPE_V>();
    Muls(wide, a, 1.0f, count);
    Duplicate(wide[count], -3.4e38f, 64 - count); //- <-- here
    inQueue.FreeTensor(a);
    PipeBarrier<PIPE_V>();
    WholeReduceMax(b, wide, 64, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopyPad(gz, b, DataCopyExtParams{1, sizeof(float), 0, 0, 0});
    outQueue.FreeTensor(b);
}
