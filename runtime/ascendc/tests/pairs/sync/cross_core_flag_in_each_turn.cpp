// A core sets the flag once a tile, and not all have as many tiles.
// blocks: 2
// gm x: float[320] = iota
// gm z: float[320] out
// expect: fault hang: CrossCoreWaitFlag: 1 of 2 cores have set flag 0 and the others never do
// expect z: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 2, 64 * sizeof(float));
    pipe.InitBuffer(outQueue, 2, 64 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 320);
    gz.SetGlobalBuffer((__gm__ float *)z, 320);
    for (uint32_t tile = GetBlockIdx(); tile < 5; tile += GetBlockNum()) {
        LocalTensor<float> a = inQueue.AllocTensor<float>();
        DataCopy(a, gx[tile * 64], 64);
        inQueue.EnQue(a);
        a = inQueue.DeQue<float>();
        LocalTensor<float> b = outQueue.AllocTensor<float>();
        Muls(b, a, 2.0f, 64);
        inQueue.FreeTensor(a);
        outQueue.EnQue(b);
        b = outQueue.DeQue<float>();
        DataCopy(gz[tile * 64], b, 64);
        outQueue.FreeTensor(b);
        CrossCoreSetFlag<0, PIPE_MTE3>(0); //-
        CrossCoreWaitFlag(0); //- <-- here
    }
    //+ CrossCoreSetFlag<0, PIPE_MTE3>(0);
    //+ CrossCoreWaitFlag(0);
}
