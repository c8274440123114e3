// A kernel that gives the maximum of each row, too, and never stores it.
// gm x: float[128] = iota
// gm y: float[128] out
// gm top: float[2] out
// option: whole 1
// expect: fault poison: `top` is not wholly written: no block writes 8 of its 8 bytes, byte 0 is the first
// expect top: 63 127
// expect y: -63 -62 -61
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void shifted(GM_ADDR x, GM_ADDR y, GM_ADDR top)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY, outTop;
    pipe.InitBuffer(inX, 2, 64 * sizeof(float));
    pipe.InitBuffer(outY, 2, 64 * sizeof(float));
    pipe.InitBuffer(outTop, 2, 32);
    GlobalTensor<float> gx, gy, gTop;
    gx.SetGlobalBuffer((__gm__ float *)x, 128);
    gy.SetGlobalBuffer((__gm__ float *)y, 128);
    gTop.SetGlobalBuffer((__gm__ float *)top, 2);
    for (uint32_t row = 0; row < 2; ++row) {
        LocalTensor<float> a = inX.AllocTensor<float>();
        DataCopy(a, gx[row * 64], 64);
        inX.EnQue(a);
        a = inX.DeQue<float>();
        LocalTensor<float> b = outY.AllocTensor<float>(), largest = outTop.AllocTensor<float>();
        WholeReduceMax(largest, a, 64, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
        Adds(b, a, -largest.GetValue(0), 64);
        inX.FreeTensor(a);
        outY.EnQue(b);
        b = outY.DeQue<float>();
        DataCopy(gy[row * 64], b, 64);
        outY.FreeTensor(b);
        outTop.EnQue(largest);
        largest = outTop.DeQue<float>();
        //+ DataCopyPad(gTop[row], largest, {1, sizeof(float), 0, 0, 0});
        outTop.FreeTensor(largest);
    }
}
