// The offset into GM is given in bytes; it counts elements.
// gm x: float[80] = ones
// gm y: float[5] out
// expect: fault bounds: DataCopy: src of 64 bytes begins at byte
// expect y: 16 16 16 16 16
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void row_sums(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 2, 16 * sizeof(float));
    pipe.InitBuffer(outY, 2, 32);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 80);
    gy.SetGlobalBuffer((__gm__ float *)y, 5);
    for (uint32_t row = 0; row < 5; ++row) {
        LocalTensor<float> a = inX.AllocTensor<float>();
        DataCopy(a, gx[row * 16 * sizeof(float)], 16); //- <-- here
        //+ DataCopy(a, gx[row * 16], 16);
        inX.EnQue(a);
        a = inX.DeQue<float>();
        LocalTensor<float> b = outY.AllocTensor<float>();
        WholeReduceSum(b, a, 16, 1, 1, 1, 8);
        inX.FreeTensor(a);
        outY.EnQue(b);
        b = outY.DeQue<float>();
        DataCopyPad(gy[row], b, {1, sizeof(float), 0, 0, 0});
        outY.FreeTensor(b);
    }
}
