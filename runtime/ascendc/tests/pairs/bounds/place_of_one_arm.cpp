// Only one of two places that are read is held to the table.
// gm x: float[64] = ones
// gm at: int32_t[2] = 1 3
// gm s: float[3] = 1 2 3
// gm y: float[64] out
// value first: int32_t = 0
// expect: fault bounds: GetValue: the element of 4 bytes begins at byte 12 of `s` (12 bytes)
// expect y: 3 3 3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void scaled(GM_ADDR x, GM_ADDR at, GM_ADDR s, GM_ADDR y, int32_t first)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 64 * sizeof(float));
    pipe.InitBuffer(outY, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gs, gy;
    GlobalTensor<int32_t> places;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    places.SetGlobalBuffer((__gm__ int32_t *)at, 2);
    gs.SetGlobalBuffer((__gm__ float *)s, 3);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    const int32_t k0 = places.GetValue(0), k1 = places.GetValue(1);
    const int32_t k = first > 0 ? (k0 < 2 ? k0 : 2) : k1; //-
    //+ const int32_t k = first > 0 ? (k0 < 2 ? k0 : 2) : (k1 < 2 ? k1 : 2);
    const float factor = gs.GetValue(k); // <-- here
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 64);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    Muls(b, a, factor, 64);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 64);
    outY.FreeTensor(b);
}
