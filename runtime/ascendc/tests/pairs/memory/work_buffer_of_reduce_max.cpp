// ReduceMax was given one data block to work in, for a tile of 8192 elements.
// gm x: float[8192] = iota
// gm z: float[8] out
// expect: fault bounds: ReduceMax: sharedTmpBuffer is touched up to byte 1024, the tensor has 32
// expect z: 8191
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void largest(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> workBuf;
    pipe.InitBuffer(inQueue, 1, 8192 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 32);
    pipe.InitBuffer(workBuf, 32); //-
    //+ pipe.InitBuffer(workBuf, 1024);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 8192);
    gz.SetGlobalBuffer((__gm__ float *)z, 8);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, 8192);
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    Duplicate(b, 0.0f, 8);
    PipeBarrier<PIPE_V>();
    ReduceMax(b, a, workBuf.Get<float>(), 8192); // <-- here
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz, b, 8);
    outQueue.FreeTensor(b);
}
