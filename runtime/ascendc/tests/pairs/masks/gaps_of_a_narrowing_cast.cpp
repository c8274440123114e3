// A cast from float to half by repeats leaves each repeat of half half full; the copy takes it as dense.
// gm x: float[256] = iota
// gm y: half[256] out
// expect: fault poison: DataCopy: src has no value at element 64
// expect y: 0 1 2 3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void narrowed(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 256 * sizeof(float));
    pipe.InitBuffer(outY, 1, 512 * sizeof(half));
    GlobalTensor<float> gx;
    GlobalTensor<half> gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 256);
    gy.SetGlobalBuffer((__gm__ half *)y, 256);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 256);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<half> b = outY.AllocTensor<half>();
    Cast(b, a, RoundMode::CAST_RINT, 64, 4, {1, 1, 8, 8}); //-
    //+ Cast(b, a, RoundMode::CAST_RINT, 64, 4, {1, 1, 4, 8});
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<half>();
    DataCopy(gy, b, 256); // <-- here
    outY.FreeTensor(b);
}
