// A factor that an attribute chooses is loaded under a condition that only a core knows, and nothing says that it is there.
// gm x: float[128] = ones
// gm s: float[3] = 1 2 3
// gm y: float[128] out
// value m: uint32_t uint32_t = 3 3
// expect: fault bounds: GetValue: the element of 4 bytes begins at byte 12 of `s` (12 bytes)
// expect y: 2 2 2
#include "kernel_operator.h"
using namespace AscendC;

struct Sizes {
    uint32_t factors;
    uint32_t chosen;
};

extern "C" __global__ __aicore__ void scaled(GM_ADDR x, GM_ADDR s, GM_ADDR y, Sizes sizes)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 2, 64 * sizeof(float));
    pipe.InitBuffer(outY, 2, 64 * sizeof(float));
    GlobalTensor<float> gx, gs, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 2 * 64);
    gs.SetGlobalBuffer((__gm__ float *)s, sizes.factors);
    gy.SetGlobalBuffer((__gm__ float *)y, 2 * 64);
    for (uint32_t row = 0; row < 2; ++row) {
        LocalTensor<float> a = inX.AllocTensor<float>();
        DataCopy(a, gx[row * 64], 64);
        inX.EnQue(a);
        a = inX.DeQue<float>();
        LocalTensor<float> b = outY.AllocTensor<float>();
        const bool isScaled = row > 0; //-
        //+ const bool isScaled = row > 0 && sizes.chosen < sizes.factors;
        Muls(b, a, isScaled ? gs.GetValue(sizes.chosen) : 2.0f, 64); // <-- here
        inX.FreeTensor(a);
        outY.EnQue(b);
        b = outY.DeQue<float>();
        DataCopy(gy[row * 64], b, 64);
        outY.FreeTensor(b);
    }
}
