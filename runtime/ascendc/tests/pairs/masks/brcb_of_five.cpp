// Brcb of five elements: it counts repeats, each of which takes eight elements.
// gm x: float[5] = iota
// gm y: float[40] out
// expect: fault bounds: Brcb: dst is touched up to byte 1280, the tensor has 256
// expect y: 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void spread(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 8 * sizeof(float));
    pipe.InitBuffer(outY, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 5);
    gy.SetGlobalBuffer((__gm__ float *)y, 40);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopyPad(a, gx, {1, 5 * sizeof(float), 0, 0, 0}, {false, 0, 0, 0.0f});
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    Brcb(b, a, 5, {1, 8}); //- <-- here
    //+ Brcb(b, a, 1, {1, 8});
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 40);
    outY.FreeTensor(b);
}
