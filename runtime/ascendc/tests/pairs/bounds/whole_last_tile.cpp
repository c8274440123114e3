// The last tile is copied whole, past the end of the tensor.
// gm x: float[300] = iota
// gm y: float[300] out
// value n: uint32_t = 300
// expect: fault bounds: DataCopyPad: src ends 336 bytes behind the end of `x`
// expect: fault bounds: DataCopyPad: dst ends 336 bytes behind the end of `y`
// expect y: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y, uint32_t n)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    pipe.InitBuffer(inX, 2, 128 * sizeof(float));
    pipe.InitBuffer(outY, 2, 128 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, n);
    gy.SetGlobalBuffer((__gm__ float *)y, n);
    for (uint32_t at = 0; at < n; at += 128) {
        const uint32_t count = 128; //-
        //+ const uint32_t count = n - at < 128 ? n - at : 128;
        const DataCopyExtParams copy{1, uint32_t(count * sizeof(float)), 0, 0, 0};
        LocalTensor<float> a = inX.AllocTensor<float>();
        DataCopyPad(a, gx[at], copy, {false, 0, 0, 0.0f}); // <-- here
        inX.EnQue(a);
        a = inX.DeQue<float>();
        LocalTensor<float> b = outY.AllocTensor<float>();
        Muls(b, a, 2.0f, count);
        inX.FreeTensor(a);
        outY.EnQue(b);
        b = outY.DeQue<float>();
        DataCopyPad(gy[at], b, copy); // <-- here
        outY.FreeTensor(b);
    }
}
