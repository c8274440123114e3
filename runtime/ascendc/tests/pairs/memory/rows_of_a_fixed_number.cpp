// 64 whole rows a tile, though a row has 4096 elements: 1 MiB a value.
// gm x: float[8192] = iota
// gm z: float[8192] out
// expect: fault bounds: InitBuffer: 1048576 bytes more after 0, UB has 196608
// expect z: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t ROW = 4096;
constexpr uint32_t ROWS = 64; //-
//+ constexpr uint32_t ROWS = 2;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inQueue;
    TQue<TPosition::VECOUT, 1> outQueue;
    pipe.InitBuffer(inQueue, 1, ROWS * ROW * sizeof(float)); // <-- here
    pipe.InitBuffer(outQueue, 1, ROWS * ROW * sizeof(float));
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x, 2 * ROW);
    gz.SetGlobalBuffer((__gm__ float *)z, 2 * ROW);
    LocalTensor<float> a = inQueue.AllocTensor<float>();
    DataCopy(a, gx, 2 * ROW);
    inQueue.EnQue(a);
    a = inQueue.DeQue<float>();
    LocalTensor<float> b = outQueue.AllocTensor<float>();
    Muls(b, a, 2.0f, 2 * ROW);
    inQueue.FreeTensor(a);
    outQueue.EnQue(b);
    b = outQueue.DeQue<float>();
    DataCopy(gz, b, 2 * ROW);
    outQueue.FreeTensor(b);
}
