// Every column is to stand twice; the odd places are never stored.
// gm x: float[64] = iota
// gm y: float[128] out
// option: whole 1
// expect: fault poison: `y` is not wholly written: no block writes 256 of its 512 bytes, byte 4 is the first
// expect y: 0 0 1 1 2 2 3 3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void upsampled(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 64 * sizeof(float));
    pipe.InitBuffer(outY, 1, 64 * 32);
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 128);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 64);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    Brcb(b, a, 8, {1, 8});
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    const DataCopyExtParams columns{64, sizeof(float), 0, sizeof(float), 0};
    DataCopyPad(gy, b, columns);
    //+ DataCopyPad(gy[1], b, columns);
    outY.FreeTensor(b);
}
