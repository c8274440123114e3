// Each row's result is written as a whole data block: seven elements of the next rows with it.
// gm x: float[128] = ones
// gm y: float[16] inout
// blocks: 2
// expect: fault race: DataCopy of pipe MTE3 writes byte
// expect y: 64 64 0 0
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void row_sums(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 64 * sizeof(float));
    pipe.InitBuffer(outY, 1, 32);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 2 * 64);
    gy.SetGlobalBuffer((__gm__ float *)y);
    const int64_t row = GetBlockIdx();
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx[row * 64], 64);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    Duplicate(b, 0.0f, 8);
    WholeReduceSum(b, a, 64, 1, 1, 1, 8);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy[row], b, 8); //- <-- here
    //+ DataCopyPad(gy[row], b, {1, sizeof(float), 0, 0, 0});
    outY.FreeTensor(b);
}
