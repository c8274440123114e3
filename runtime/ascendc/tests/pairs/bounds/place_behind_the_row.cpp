// The last element of each row is picked at `d`.
// gm x: float[70] = iota
// gm y: float[70] out
// expect: fault poison: GetValue
// expect y: -69 -68 -67
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void from_the_last(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    constexpr uint32_t d = 70, room = 72;
    pipe.InitBuffer(inX, 1, room * sizeof(float));
    pipe.InitBuffer(outY, 1, room * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, d);
    gy.SetGlobalBuffer((__gm__ float *)y, d);
    LocalTensor<float> a = inX.AllocTensor<float>();
    DataCopyPad(a, gx, {1, d * sizeof(float), 0, 0, 0}, {false, 0, 0, 0.0f});
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    const float last = a.GetValue(d); //- <-- here
    //+ const float last = a.GetValue(d - 1);
    Adds(b, a, -last, d);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopyPad(gy, b, {1, d * sizeof(float), 0, 0, 0});
    outY.FreeTensor(b);
}
