// Buffers fill UB to the last byte; Select in tensor-scalar mode needs 8 KiB that it keeps there.
// gm x: float[64] = -1 2 -3 4
// gm z: float[64] out
// expect: fault bounds: Select: this mode writes to the last 8192 bytes of UB, and buffers end at byte 195520
// expect z: 0 2 0 4
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 24064; //-
//+ constexpr uint32_t TILE = 22528;

extern "C" __global__ __aicore__ void relu(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    TBuf<TPosition::VECCALC> maskBuf;
    pipe.InitBuffer(inQueue, 1, TILE * sizeof(float));
    pipe.InitBuffer(outQueue, 1, TILE * sizeof(float));
    pipe.InitBuffer(maskBuf, TILE / 8);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gz.SetGlobalBuffer((__gm__ float *)z, 64);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, 64);
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    LocalTensor<uint8_t> mask = maskBuf.Get<uint8_t>();
    CompareScalar(mask, a, 0.0f, CMPMODE::GT, 64);
    Select(b, mask, a, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64); // <-- here
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz, b, 64);
    outQueue.FreeTensor(b);
}
