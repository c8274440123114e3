// The loop over all rows was never divided: every block stores every row.
// gm x: float[256] = iota
// gm y: float[256] out
// blocks: 2
// expect: fault race: each block writes a part of its own (GetBlockIdx)
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
    gx.SetGlobalBuffer((__gm__ float *)x, 4 * 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 4 * 64);
    for (int64_t row = 0; row < 4; ++row) { //-
    //+ for (int64_t row = GetBlockIdx(); row < 4; row += GetBlockNum()) {
        LocalTensor<float> a = inX.AllocTensor<float>();
        DataCopy(a, gx[row * 64], 64);
        inX.EnQue(a);
        a = inX.DeQue<float>();
        LocalTensor<float> b = outY.AllocTensor<float>();
        Muls(b, a, 2.0f, 64);
        inX.FreeTensor(a);
        outY.EnQue(b);
        b = outY.DeQue<float>();
        DataCopy(gy[row * 64], b, 64); // <-- here
        outY.FreeTensor(b);
    }
}
