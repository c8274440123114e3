// Each row is wanted twice, and the row that it is taken from is rounded up.
// gm x: float[16] = iota
// gm y: float[32] out
// expect: fault bounds: DataCopy: src of 32 bytes begins at byte 64 of `x` (64 bytes)
// expect y: 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 8
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void rows_twice(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
    pipe.InitBuffer(through, 2, 8 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 2 * 8);
    gy.SetGlobalBuffer((__gm__ float *)y, 4 * 8);
    for (uint32_t row = 0; row < 4; ++row) {
        LocalTensor<float> a = through.AllocTensor<float>();
        DataCopy(a, gx[(row + 1) / 2 * 8], 8); //- <-- here
        //+ DataCopy(a, gx[row / 2 * 8], 8);
        through.EnQue(a);
        a = through.DeQue<float>();
        DataCopy(gy[row * 8], a, 8);
        through.FreeTensor(a);
    }
}
