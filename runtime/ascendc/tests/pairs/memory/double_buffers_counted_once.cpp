// Three queues of 48 KiB seem to fit 192 KiB of UB; each of them has two buffers.
// gm x: float[64] = iota
// gm y: float[64] = iota
// gm z: float[64] out
// expect: fault bounds: InitBuffer: 49152 bytes more after 196608, UB has 196608
// expect z: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 12288; //-
//+ constexpr uint32_t TILE = 4096;

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> xQueue, yQueue;
    TQue<TPosition::VECOUT, 1> zQueue;
    pipe.InitBuffer(xQueue, 2, TILE * sizeof(float));
    pipe.InitBuffer(yQueue, 2, TILE * sizeof(float));
    pipe.InitBuffer(zQueue, 2, TILE * sizeof(float)); // <-- here
    GlobalTensor<float> gx, gy, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    gz.SetGlobalBuffer((__gm__ float *)z, 64);
    LocalTensor<float> a = xQueue.AllocTensor<float>(), b = yQueue.AllocTensor<float>();
    DataCopy(a, gx, 64);
    DataCopy(b, gy, 64);
    xQueue.EnQue(a);
    yQueue.EnQue(b);
    a = xQueue.DeQue<float>();
    b = yQueue.DeQue<float>();
    LocalTensor<float> c = zQueue.AllocTensor<float>();
    Add(c, a, b, 64);
    xQueue.FreeTensor(a);
    yQueue.FreeTensor(b);
    zQueue.EnQue(c);
    c = zQueue.DeQue<float>();
    DataCopy(gz, c, 64);
    zQueue.FreeTensor(c);
}
