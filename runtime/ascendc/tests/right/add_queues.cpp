// A vector add through double-buffered queues on three blocks.
// blocks: 3
// gm x: float[768] = iota
// gm y: float[768] = 2
// gm z: float[768] out
// value n: int32_t = 256
// expect z: 2 3 4 5
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, int32_t n)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX, inY;
    TQue<TPosition::VECOUT, 1> outZ;
    pipe.InitBuffer(inX, 2, 256);
    pipe.InitBuffer(inY, 2, 256);
    pipe.InitBuffer(outZ, 2, 256);
    GlobalTensor<float> gx, gy, gz;
    const int32_t base = GetBlockIdx() * n;
    gx.SetGlobalBuffer((__gm__ float *)x + base);
    gy.SetGlobalBuffer((__gm__ float *)y + base);
    gz.SetGlobalBuffer((__gm__ float *)z + base);
    for (int32_t i = 0; i < n; i += 64) {
        LocalTensor<float> a = inX.AllocTensor<float>();
        LocalTensor<float> b = inY.AllocTensor<float>();
        DataCopy(a, gx[i], 64);
        DataCopy(b, gy[i], 64);
        inX.EnQue(a);
        inY.EnQue(b);
        a = inX.DeQue<float>();
        b = inY.DeQue<float>();
        LocalTensor<float> c = outZ.AllocTensor<float>();
        Add(c, a, b, 64);
        outZ.EnQue(c);
        inX.FreeTensor(a);
        inY.FreeTensor(b);
        c = outZ.DeQue<float>();
        DataCopy(gz[i], c, 64);
        outZ.FreeTensor(c);
    }
}
