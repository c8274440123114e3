// Rows are stored at indices that are data; two of them may be one.
// gm ids: int32_t[4] = 1 0 1 2
// gm x: float[32] = iota
// gm y: float[24] out
// blocks: 2
// expect: fault race: DataCopy of pipe MTE3 writes byte
// expect y: 8 9 10 11 12 13 14 15 16 17 18 19
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void scatter(GM_ADDR ids, GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
    pipe.InitBuffer(through, 2, 8 * sizeof(float));
    GlobalTensor<int32_t> places;
    GlobalTensor<float> gx, gy;
    places.SetGlobalBuffer((__gm__ int32_t *)ids, 4);
    gx.SetGlobalBuffer((__gm__ float *)x, 4 * 8);
    gy.SetGlobalBuffer((__gm__ float *)y, 3 * 8);
    const int64_t first = GetBlockIdx() * 2; //-
    for (int64_t row = first; row < first + 2; ++row) { //-
    //+ for (int64_t row = 0; row < 4; ++row) {
        const int64_t place = places.GetValue(row);
        //+ if (place % GetBlockNum() != GetBlockIdx()) {
        //+     continue;
        //+ }
        LocalTensor<float> a = through.AllocTensor<float>();
        DataCopy(a, gx[row * 8], 8);
        through.EnQue(a);
        a = through.DeQue<float>();
        DataCopy(gy[place * 8], a, 8); // <-- here
        //+ PipeBarrier<PIPE_MTE3>();
        through.FreeTensor(a);
    }
}
