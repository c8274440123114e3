// The last element is read at the length of the tile instead of one before it.
// gm x: float[64] = iota
// gm y: float[64] out
// expect: fault bounds: GetValue
// expect y: -63 -62 -61
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void from_the_last(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 64 * sizeof(float));
    pipe.InitBuffer(outY, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopy(a, gx, 64);
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    const float last = a.GetValue(64); //- <-- here
    //+ const float last = a.GetValue(63);
    Adds(b, a, -last, 64);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopy(gy, b, 64);
    outY.FreeTensor(b);
}
