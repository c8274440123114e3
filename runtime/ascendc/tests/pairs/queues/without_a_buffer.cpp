// InitBuffer was forgotten for the second input.
// gm x: float[64] = iota
// gm y: float[64] = ones
// gm z: float[64] out
// expect: fault queue: AllocTensor: the queue has no buffers
// expect z: 1 2 3 4
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> xQueue, yQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(xQueue, 1, 64 * sizeof(float));
    //+ pipe.InitBuffer(yQueue, 1, 64 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gy, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    gz.SetGlobalBuffer((__gm__ float *)z, 64);
    LocalTensor<float> a = xQueue.AllocTensor<float>();
    LocalTensor<float> b = yQueue.AllocTensor<float>(); // <-- here
    DataCopy(a, gx, 64);
    DataCopy(b, gy, 64);
    xQueue.EnQue(a);
    yQueue.EnQue(b);
    a = xQueue.DeQue<float>();
    b = yQueue.DeQue<float>();
    LocalTensor<float> c = outQueue.AllocTensor<float>();
    Add(c, a, b, 64);
    xQueue.FreeTensor(a);
    yQueue.FreeTensor(b);
    outQueue.EnQue(c);
    c = outQueue.DeQue<float>();
    DataCopy(gz, c, 64);
    outQueue.FreeTensor(c);
}
