// The maxima of each row go to the row's own element, at offset j, where no data block begins.
// gm x: float[512] = iota
// gm z: float[8] out
// expect: fault arg: BlockReduceMax: dst starts at byte 2052 of UB, which is not a multiple of 32
// expect z: 63 127 191 255
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void row_max(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> workBuf;
    pipe.InitBuffer(inQueue, 1, 512 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 64);
    pipe.InitBuffer(workBuf, 32);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 512);
    gz.SetGlobalBuffer((__gm__ float *)z, 8);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, 512);
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    LocalTensor<float> work = workBuf.Get<float>(); //-
    for (int j = 0; j < 8; ++j) { //-
        BlockReduceMax(work, a[j * 64], 1, 64, 1, 1, 8); //-
        PipeBarrier<PIPE_V>(); //-
        BlockReduceMax(b[j], work, 1, 8, 1, 1, 8); //- <-- here
        PipeBarrier<PIPE_V>(); //-
    } //-
    //+ WholeReduceMax(b, a, 64, 8, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz, b, 8);
    outQueue.FreeTensor(b);
}
