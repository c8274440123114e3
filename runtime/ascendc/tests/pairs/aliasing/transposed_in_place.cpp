// A square tensor is transposed in place, tile by tile, while other blocks still read it.
// gm x: float[32] inout
// gm y: float[32] out
// blocks: 2
// expect: fault race: SyncAll or a cross-core flag must stand between them
// expect y: 0 0 0 0
#include "kernel_operator.h"
using namespace AscendC;

// Two rows of two tiles of eight floats; each block moves a row.
extern "C" __global__ __aicore__ void transposed(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
    pipe.InitBuffer(through, 2, 8 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 32);
    gy.SetGlobalBuffer((__gm__ float *)y, 32);
    const int64_t row = GetBlockIdx();
    for (int64_t column = 0; column < 2; ++column) {
        LocalTensor<float> a = through.AllocTensor<float>();
        DataCopy(a, gx[(row * 2 + column) * 8], 8);
        through.EnQue(a);
        a = through.DeQue<float>();
        DataCopy(gx[(column * 2 + row) * 8], a, 8); //- <-- here
        //+ DataCopy(gy[(column * 2 + row) * 8], a, 8);
        through.FreeTensor(a);
    }
}
