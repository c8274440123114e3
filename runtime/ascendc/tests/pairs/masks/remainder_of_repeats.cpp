// `n / 64` repeats leave out what is behind the last whole one.
// gm x: float[104] = iota
// gm y: float[104] out
// expect: fault poison: DataCopy: src has no value at element 64
// expect y: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    constexpr uint32_t n = 104;
    pipe.InitBuffer(inX, 1, n * sizeof(float));
    pipe.InitBuffer(outY, 1, n * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, n);
    gy.SetGlobalBuffer((__gm__ float *)y, n);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, n);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    Muls(b, a, 2.0f, 64, n / 64, {1, 1, 8, 8});
    //+ Muls(b[n / 64 * 64], a[n / 64 * 64], 2.0f, n % 64, 1, {1, 1, 8, 8});
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, n); // <-- here
    outY.FreeTensor(b);
}
