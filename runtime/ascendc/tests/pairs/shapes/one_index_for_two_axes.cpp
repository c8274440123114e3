// A tensor of rows and columns is indexed by the row alone, like a flat one.
// blocks: 3
// gm x: float[192] = iota
// gm z: float[192] out
// expect: fault race: SyncAll or a cross-core flag must stand between them
// expect z: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, 64 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 192);
    gz.SetGlobalBuffer((__gm__ float *)z, 192);
    const uint32_t row = GetBlockIdx();
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx[row * 64], 64);
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    Muls(b, a, 2.0f, 64);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz[row], b, 64); //- <-- here
    //+ DataCopy(gz[row * 64], b, 64);
    outQueue.FreeTensor(b);
}
