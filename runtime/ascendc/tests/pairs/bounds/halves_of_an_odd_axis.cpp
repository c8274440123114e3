// Both halves of each row are multiplied, a gated unit; of an odd number of columns the second one is read past the end.
// gm x: float[30] = iota
// gm y: float[16] inout
// value d: uint32_t = 15 //-
//+ // value d: uint32_t = 14
// expect: fault bounds: DataCopyPad: src ends 4 bytes behind the end of `x`
// expect y: 0 8 18 30 44 60 78 294 330
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void gated(GM_ADDR x, GM_ADDR y, uint32_t d)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 2 * 8 * sizeof(float));
    pipe.InitBuffer(outY, 1, 8 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gy.SetGlobalBuffer((__gm__ float *)y);
    const uint32_t half_row = (d + 1) / 2; //-
    //+ const uint32_t half_row = d / 2;
    const DataCopyExtParams copy{1, uint32_t(half_row * sizeof(float)), 0, 0, 0};
    for (uint32_t row = 0; row < 2; ++row) {
        LocalTensor<float> a = inX.AllocTensor<float>();
        DataCopyPad(a, gx[row * d], copy, {false, 0, 0, 0.0f});
        DataCopyPad(a[8], gx[row * d + half_row], copy, {false, 0, 0, 0.0f}); // <-- here
        inX.EnQue(a);
        a = inX.DeQue<float>();
        LocalTensor<float> b = outY.AllocTensor<float>();
        Mul(b, a, a[8], half_row);
        inX.FreeTensor(a);
        outY.EnQue(b);
        b = outY.DeQue<float>();
        DataCopyPad(gy[row * half_row], b, copy);
        outY.FreeTensor(b);
    }
}
