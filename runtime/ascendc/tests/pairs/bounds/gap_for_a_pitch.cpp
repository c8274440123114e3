// From row to row of GM `srcStride` counts the gap between them; it was given the pitch.
// gm x: float[256] = iota
// gm y: float[160] out
// expect: fault bounds: DataCopyPad: src of 80 bytes begins at byte 1040 of `x` (1024 bytes)
// expect y: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 32
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void crop(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inX;
    TQue<TPosition::VECOUT, 1> outY;
    constexpr uint16_t rows = 8;
    constexpr uint32_t width = 32, taken = 20, room = 24;
    pipe.InitBuffer(inX, 1, rows * room * sizeof(float));
    pipe.InitBuffer(outY, 1, rows * room * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, rows * width);
    gy.SetGlobalBuffer((__gm__ float *)y, rows * taken);
    LocalTensor<float> a = inX.AllocTensor<float>();
    constexpr uint32_t stride = width * sizeof(float); //-
    //+ constexpr uint32_t stride = (width - taken) * sizeof(float);
    DataCopyPad(a, gx, {rows, taken * sizeof(float), stride, 0, 0}, {false, 0, 0, 0.0f}); // <-- here
    inX.EnQue(a);
    a = inX.DeQue<float>();
    LocalTensor<float> b = outY.AllocTensor<float>();
    Adds(b, a, 0.0f, rows * room);
    inX.FreeTensor(a);
    outY.EnQue(b);
    b = outY.DeQue<float>();
    DataCopyPad(gy, b, {rows, taken * sizeof(float), 0, 0, 0});
    outY.FreeTensor(b);
}
