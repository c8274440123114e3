// InitBuffer takes bytes and was given the number of elements.
// gm x: float[256] = iota
// gm z: float[256] out
// expect: fault bounds: DataCopy: dst is touched up to byte 1024, the tensor has 256
// expect: fault bounds: Muls: dst is touched up to byte 1024, the tensor has 256
// expect: fault bounds: DataCopy: src is touched up to byte 1024, the tensor has 256
// expect z: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 256;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(outQueue, 1, TILE); //-
    pipe.InitBuffer(inQueue, 1, TILE); //-
    //+ pipe.InitBuffer(outQueue, 1, TILE * sizeof(float));
    //+ pipe.InitBuffer(inQueue, 1, TILE * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, TILE);
    gz.SetGlobalBuffer((__gm__ float *)z, TILE);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, TILE); // <-- here
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    Muls(b, a, 2.0f, TILE); // <-- here
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz, b, TILE); // <-- here
    outQueue.FreeTensor(b);
}
