// The last tile has `n % 64` elements: none where the tile divides the length.
// gm x: float[320] = iota
// gm y: float[320] out
// value n: uint32_t = 320
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
    pipe.InitBuffer(inX, 2, 64 * sizeof(float));
    pipe.InitBuffer(outY, 2, 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, n);
    gy.SetGlobalBuffer((__gm__ float *)y, n);
    const uint32_t turns = (n + 63) / 64;
    for (uint32_t turn = 0; turn < turns; ++turn) {
        const uint32_t at = turn * 64;
        const uint32_t count = turn == turns - 1 ? n % 64 : 64; //-
        //+ const uint32_t count = n - at < 64 ? n - at : 64;
        const DataCopyExtParams copy{1, uint32_t(count * sizeof(float)), 0, 0, 0};
        LocalTensor<float> a = inX.AllocTensor<float>();
        DataCopyPad(a, gx[at], copy, {false, 0, 0, 0.0f});
        inX.EnQue(a);
        a = inX.DeQue<float>();
        LocalTensor<float> b = outY.AllocTensor<float>();
        Muls(b, a, 2.0f, count);
        inX.FreeTensor(a);
        outY.EnQue(b);
        b = outY.DeQue<float>();
        DataCopyPad(gy[at], b, copy);
        outY.FreeTensor(b);
    }
}
