// Sums over rows are stored in the loop that divides the rows.
// gm x: float[256] = ones
// gm y: float[64] inout
// blocks: 2
// expect: fault race: each block writes a part of its own (GetBlockIdx), or adds (SetAtomicAdd)
// expect y: 4 4 4
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void column_sums(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 2 * 64 * sizeof(float));
    pipe.InitBuffer(outY, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 2 * 64, 2 * 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 2 * 64);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    Add(b, a, a[64], 64);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    //+ SetAtomicAdd<float>();
    DataCopy(gy, b, 64); // <-- here
    //+ SetAtomicNone();
    outY.FreeTensor(b);
}
