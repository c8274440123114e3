// The result of a comparison is taken for floats: it is bits.
// gm x: float[64] = -1 2 -3 4
// gm z: float[64] out
// expect: compile: the result of Compare is a tensor of uint8_t or int8_t
// expect z: 0 1 0 1
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void positive(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> maskBuf, onesBuf;
    pipe.InitBuffer(inQueue, 1, 64 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 64 * sizeof(float));
    pipe.InitBuffer(maskBuf, 32);
    pipe.InitBuffer(onesBuf, 64 * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gz.SetGlobalBuffer((__gm__ float *)z, 64);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, 64);
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    CompareScalar(b, a, 0.0f, CMPMODE::GT, 64); //- <-- here
    //+ LocalTensor<uint8_t> mask = maskBuf.Get<uint8_t>();
    //+ LocalTensor<float> ones = onesBuf.Get<float>();
    //+ Duplicate(ones, 1.0f, 64);
    //+ CompareScalar(mask, a, 0.0f, CMPMODE::GT, 64);
    //+ Select(b, mask, ones, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz, b, 64);
    outQueue.FreeTensor(b);
}
