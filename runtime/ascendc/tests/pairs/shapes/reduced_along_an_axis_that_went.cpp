// A row is summed, and its sum is summed over the row's length again.
// gm x: float[64] = ones
// gm z: float[8] out
// expect: fault poison: ReduceSum: src has no value at element 1
// expect z: 64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void row_sum(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> workBuf, sumBuf;
    pipe.InitBuffer(inQueue, 1, 64 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 32);
    pipe.InitBuffer(workBuf, 256);
    pipe.InitBuffer(sumBuf, 64 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gz.SetGlobalBuffer((__gm__ float *)z, 8);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, 64);
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    LocalTensor<float> sum = sumBuf.Get<float>(); //-
    Duplicate(b, 0.0f, 8);
    ReduceSum(sum, a, workBuf.Get<float>(), 64); //-
    ReduceSum(b, sum, workBuf.Get<float>(), 64); //- <-- here
    //+ ReduceSum(b, a, workBuf.Get<float>(), 64);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz, b, 8);
    outQueue.FreeTensor(b);
}
