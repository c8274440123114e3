// Each block stores three rows, two apart: the third is the first one of the next block.
// gm x: float[16] = iota
// gm y: float[40] inout
// blocks: 2
// expect: fault race: DataCopy of pipe MTE3 writes byte 64 of `y`
// expect y: 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 8
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void repeated(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
    pipe.InitBuffer(through, 1, 8 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 2 * 8);
    gy.SetGlobalBuffer((__gm__ float *)y, 5 * 8);
    const int64_t row = GetBlockIdx();
    LocalTensor<float> a = through.AllocTensor<float>();
    DataCopy(a, gx[row * 8], 8);
    through.EnQue(a);
    a = through.DeQue<float>();
    for (int64_t i = 0; i < 3; ++i) { //-
    //+ for (int64_t i = 0; i < 2; ++i) {
        DataCopy(gy[(row * 2 + i) * 8], a, 8); // <-- here
    }
    through.FreeTensor(a);
}
