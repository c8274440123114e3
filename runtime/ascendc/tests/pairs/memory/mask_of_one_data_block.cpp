// A mask buffer of 32 bytes holds 256 bits; the comparison is of 1024 elements.
// gm x: float[1024] = -1 2 -3 4
// gm z: float[1024] out
// expect: fault bounds: CompareScalar: dst is touched up to byte 128, the tensor has 32
// expect: fault bounds: Select: selMask is touched up to byte 128, the tensor has 32
// expect z: 0 2 0 4
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void relu(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> maskBuf;
    pipe.InitBuffer(inQueue, 1, 1024 * sizeof(float));
    pipe.InitBuffer(outQueue, 1, 1024 * sizeof(float));
    pipe.InitBuffer(maskBuf, 32); //-
    //+ pipe.InitBuffer(maskBuf, 1024 / 8);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 1024);
    gz.SetGlobalBuffer((__gm__ float *)z, 1024);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, 1024);
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    LocalTensor<uint8_t> mask = maskBuf.Get<uint8_t>();
    CompareScalar(mask, a, 0.0f, CMPMODE::GT, 1024); // <-- here
    Select(b, mask, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 1024); // <-- here
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz, b, 1024);
    outQueue.FreeTensor(b);
}
