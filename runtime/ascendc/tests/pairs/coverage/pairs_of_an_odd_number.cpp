// Rows go in pairs, `n / 2` of them: of an odd number the last row is never stored.
// gm x: float[320] = iota
// gm y: float[320] out
// value n: uint32_t = 5
// option: whole 1
// expect: fault poison: `y` is not wholly written: no block writes 256 of its 1280 bytes, byte 1024 is the first
// expect y: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 2, 2 * 64 * sizeof(float));
    pipe.InitBuffer(outY, 2, 2 * 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, n * 64);
    gy.SetGlobalBuffer((__gm__ float *)y, n * 64);
    for (uint32_t pair = 0; pair < n / 2; ++pair) { //-
        const uint32_t count = 2 * 64; //-
    //+ for (uint32_t pair = 0; pair < (n + 1) / 2; ++pair) {
    //+     const uint32_t count = (pair * 2 + 1 < n ? 2 : 1) * 64;
        LocalTensor<float> a = inX.AllocTensor<float>();
        DataCopy(a, gx[pair * 2 * 64], count);
        inX.EnQue(a);
        a = inX.DeQue<float>();
        LocalTensor<float> b = outY.AllocTensor<float>();
        Muls(b, a, 2.0f, count);
        inX.FreeTensor(a);
        outY.EnQue(b);
        b = outY.DeQue<float>();
        DataCopy(gy[pair * 2 * 64], b, count);
        outY.FreeTensor(b);
    }
}
