// `GetBlockIdx() == 0` stands around the loop over the block's own share: all other shares are left out.
// gm x: float[256] = iota
// gm y: float[256] out
// blocks: 2
// option: whole 1
// expect: fault poison: `y` is not wholly written: no block writes 512 of its 1024 bytes, byte 512 is the first
// expect y: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 2, 64 * sizeof(float));
    pipe.InitBuffer(outY, 2, 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 128, 128);
    gy.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 128, 128);
    if (GetBlockIdx() != 0) { //-
        return; //-
    } //-
    for (uint32_t at = 0; at < 128; at += 64) {
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
