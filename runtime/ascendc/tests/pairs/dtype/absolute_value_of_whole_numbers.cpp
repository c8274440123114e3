// Abs of int32_t: it takes half and float.
// gm x: int32_t[64] = -1 2 -3 4
// gm z: int32_t[64] out
// expect: compile: Abs does not take this element type on this chip
// expect z: 1 2 3 4
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void magnitude(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, 64 * sizeof(int32_t));
    pipe.InitBuffer(outQueue, 1, 64 * sizeof(int32_t));
    GlobalTensor<int32_t> gx, gz;
    gx.SetGlobalBuffer((__gm__ int32_t *)x, 64);
    gz.SetGlobalBuffer((__gm__ int32_t *)z, 64);
    LocalTensor<int32_t> a = inQueue.AllocTensor<int32_t>();
    DataCopy(a, gx, 64);
    inQueue.EnQue(a);
    a = inQueue.DeQue<int32_t>();
    LocalTensor<int32_t> b = outQueue.AllocTensor<int32_t>();
    Abs(b, a, 64); //- <-- here
    //+ Muls(b, a, int32_t(-1), 64);
    //+ PipeBarrier<PIPE_V>();
    //+ Max(b, b, a, 64);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<int32_t>();
    DataCopy(gz, b, 64);
    outQueue.FreeTensor(b);
}
