// Block 0 adds up what all blocks leave in the workspace, without waiting for them.
// blocks: 4
// gm x: float[256] = ones
// gm z: float[8] out
// gm w: float[32] inout
// expect: fault race: SyncAll or a cross-core flag must stand between them
// expect z: 256
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void total(GM_ADDR x, GM_ADDR z, GM_ADDR w)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> workBuf;
    pipe.InitBuffer(inQueue, 1, 256);
    pipe.InitBuffer(outQueue, 1, 32);
    pipe.InitBuffer(workBuf, 256);
    GlobalTensor<float> gx, gz, parts;
    gx.SetGlobalBuffer((__gm__ float *)x, 256);
    gz.SetGlobalBuffer((__gm__ float *)z, 8);
    parts.SetGlobalBuffer((__gm__ float *)w, 32);
    LocalTensor<float> a = inQueue.AllocTensor<float>(), b = outQueue.AllocTensor<float>();
    DataCopy(a, gx[GetBlockIdx() * 64], 64);
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    Duplicate(b, 0.0f, 8);
    ReduceSum(b, a, workBuf.Get<float>(), 64);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(parts[GetBlockIdx() * 8], b, 8);
    outQueue.FreeTensor(b);
    PipeBarrier<PIPE_ALL>(); //-
    //+ SyncAll();
    if (GetBlockIdx() == 0) {
        a = inQueue.AllocTensor<float>();
        DataCopy(a, parts, 32); // <-- here
        inQueue.EnQue(a);
        a = inQueue.DeQue<float>();
        b = outQueue.AllocTensor<float>();
        Duplicate(b, 0.0f, 8);
        ReduceSum(b, a, workBuf.Get<float>(), 32);
        inQueue.FreeTensor(a);
        outQueue.EnQue(b);
        b = outQueue.DeQue<float>();
        DataCopy(gz, b, 8);
        outQueue.FreeTensor(b);
    }
}
