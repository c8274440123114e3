// WholeReduceSum of rows of 104 floats: a repeat has 64 lanes.
// gm x: float[416] = ones
// gm y: float[4] out
// expect: fault arg: WholeReduceSum: the mask is 104 elements, a repeat of 4-byte elements has 64
// expect y: 104 104 104 104
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void row_sums(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 416 * sizeof(float));
    pipe.InitBuffer(outY, 1, 32);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 416);
    gy.SetGlobalBuffer((__gm__ float *)y, 4);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 416);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    //+ Add(a, a, a[64], 40, 4, {1, 1, 1, 13, 13, 13});
    //+ WholeReduceSum(b, a, 64, 4, 1, 1, 13);
    WholeReduceSum(b, a, 104, 4, 1, 1, 13); //- <-- here
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopyPad(gy, b, {1, 4 * sizeof(float), 0, 0, 0});
    outY.FreeTensor(b);
}
