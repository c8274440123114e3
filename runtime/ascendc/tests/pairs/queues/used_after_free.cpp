// The input is freed as soon as it has been read once; a second call still reads it.
// gm x: float[64] = iota
// gm z: float[64] out
// expect: fault queue: Mul: src1 lies in a buffer that was freed
// expect z: 0 1 4 9
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void square(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, 64 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gz.SetGlobalBuffer((__gm__ float *)z, 64);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, 64);
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    Muls(b, a, 1.0f, 64);
    inQueue.FreeTensor(a); //-
    Mul(b, b, a, 64); // <-- here
    //+ inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz, b, 64);
    outQueue.FreeTensor(b);
}
