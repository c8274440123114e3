// Each block takes the tile of its index, whether or not the tensor has as many.
// gm x: float[192] = iota
// gm y: float[192] out
// value n: uint32_t = 192
// blocks: 4
// expect: fault bounds: DataCopy: src of 256 bytes begins at byte 768 of `x` (768 bytes)
// expect: fault bounds: DataCopy: dst of 256 bytes begins at byte 768 of `y` (768 bytes)
// expect y: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 64 * sizeof(float));
    pipe.InitBuffer(outY, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, n);
    gy.SetGlobalBuffer((__gm__ float *)y, n);
    const uint32_t at = GetBlockIdx() * 64;
    //+ if (at >= n) {
    //+     return;
    //+ }
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx[at], 64); // <-- here
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    Muls(b, a, 2.0f, 64);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy[at], b, 64); // <-- here
    outY.FreeTensor(b);
}
