// Short inputs are an early case that stores nothing.
// gm x: float[64] = iota
// gm y: float[64] out
// value n: uint32_t = 64
// option: whole 1
// expect: fault poison: `y` is not wholly written: no block writes 256 of its 256 bytes, byte 0 is the first
// expect y: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    if (n <= 64) { //-
        return; //-
    } //-
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 2, 64 * sizeof(float));
    pipe.InitBuffer(outY, 2, 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, n);
    gy.SetGlobalBuffer((__gm__ float *)y, n);
    for (uint32_t at = 0; at < n; at += 64) {
        LocalTensor<float> a = inX.AllocTensor<float>();
        DataCopy(a, gx[at], 64);
        inX.EnQue(a);
        a = inX.DeQue<float>();
        LocalTensor<float> b = outY.AllocTensor<float>();
        Muls(b, a, 2.0f, 64);
        inX.FreeTensor(a);
        outY.EnQue(b);
        b = outY.DeQue<float>();
        DataCopy(gy[at], b, 64);
        outY.FreeTensor(b);
    }
}
