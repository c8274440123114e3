// 300 repeats in one call: the parameter has 8 bits, so that 44 are left of them.
// gm x: float[19200] = iota
// gm y: float[19200] out
// value repeats: uint32_t = 300
// expect: fault poison: DataCopy: src has no value at element 2816
// expect y: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y, uint32_t repeats)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    const uint32_t count = repeats * 64;
    pipe.InitBuffer(inX, 1, count * sizeof(float));
    pipe.InitBuffer(outY, 1, count * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, count);
    gy.SetGlobalBuffer((__gm__ float *)y, count);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, count);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    Muls(b, a, 2.0f, 64, repeats, {1, 1, 8, 8}); //-
    //+ for (uint32_t i = 0; i < repeats; i += 255) {
    //+     const uint32_t turn = repeats - i < 255 ? repeats - i : 255;
    //+     Muls(b[i * 64], a[i * 64], 2.0f, 64, turn, {1, 1, 8, 8});
    //+ }
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, count); // <-- here
    outY.FreeTensor(b);
}
