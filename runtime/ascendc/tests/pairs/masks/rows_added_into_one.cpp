// Rows are added up by repeats of stride 0, with the sum as the first source, which each repeat reads before the last one has written it.
// gm x: float[256] = ones
// gm y: float[64] out
// expect: fault overlap: Add: repeat 1 reads from src0 what an earlier repeat wrote to dst
// expect y: 4 4 4 4
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void column_sums(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 256 * sizeof(float));
    pipe.InitBuffer(outY, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 256);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 256);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    Duplicate(b, 0.0f, 64);
    Add(b, b, a, 64, 4, {1, 1, 1, 0, 0, 8}); //- <-- here
    //+ for (uint32_t row = 0; row < 4; ++row) {
    //+     Add(b, b, a[row * 64], 64);
    //+ }
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 64);
    outY.FreeTensor(b);
}
