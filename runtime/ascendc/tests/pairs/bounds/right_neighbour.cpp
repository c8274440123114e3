// The right neighbour of the last element is loaded.
// gm x: float[65] = iota
// gm y: float[64] out
// value n: uint32_t = 65
// expect: fault bounds: DataCopyPad: src ends 4 bytes behind the end of `x`
// expect: fault bounds: DataCopyPad: dst ends 4 bytes behind the end of `y`
// expect y: 1 1 1
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void differences(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX, inNext;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 1, 72 * sizeof(float));
    pipe.InitBuffer(inNext, 1, 72 * sizeof(float));
    pipe.InitBuffer(outY, 1, 72 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, n);
    gy.SetGlobalBuffer((__gm__ float *)y, n - 1);
    const uint32_t count = n; //-
    //+ const uint32_t count = n - 1;
    const DataCopyExtParams copy{1, uint32_t(count * sizeof(float)), 0, 0, 0};
    LocalTensor<float> a = inX.AllocTensor<float>(), next = inNext.AllocTensor<float>();
    DataCopyPad(a, gx, copy, {false, 0, 0, 0.0f});
    DataCopyPad(next, gx[1], copy, {false, 0, 0, 0.0f}); // <-- here
    inX.EnQue(a);
    inNext.EnQue(next);
    a = inX.DeQue<float>();
    next = inNext.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    Sub(b, next, a, count);
    inX.FreeTensor(a);
    inNext.FreeTensor(next);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopyPad(gy, b, copy); // <-- here
    outY.FreeTensor(b);
}
