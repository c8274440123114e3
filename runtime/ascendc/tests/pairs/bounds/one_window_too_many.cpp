// A pooling output has `(h - 2) / 2 + 2` rows: its last window begins behind the input.
// gm x: float[512] = iota
// gm y: float[320] inout
// value h: uint32_t = 8
// expect: fault bounds: DataCopy: src of 512 bytes begins at byte 2048 of `x` (2048 bytes)
// expect y: 64 65 66 67
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void pooled(GM_ADDR x, GM_ADDR y, uint32_t h)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 2, 2 * 64 * sizeof(float));
    pipe.InitBuffer(outY, 2, 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, h * 64);
    gy.SetGlobalBuffer((__gm__ float *)y);
    const uint32_t windows = (h - 2) / 2 + 2; //-
    //+ const uint32_t windows = (h - 2) / 2 + 1;
    for (uint32_t row = 0; row < windows; ++row) {
        LocalTensor<float> a = inX.AllocTensor<float>();
        DataCopy(a, gx[row * 2 * 64], 2 * 64); // <-- here
        inX.EnQue(a);
        a = inX.DeQue<float>();
        LocalTensor<float> b = outY.AllocTensor<float>();
        Max(b, a, a[64], 64);
        inX.FreeTensor(a);
        outY.EnQue(b);
        b = outY.DeQue<float>();
        DataCopy(gy[row * 64], b, 64);
        outY.FreeTensor(b);
    }
}
