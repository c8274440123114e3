// Slices of two axes: every (1 + stride)-th row, and gaps inside of a row of any number of elements in GM.
// gm x: int32_t[261] = iota
// gm z: int32_t[261] inout
// expect z: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 16 17 18 19 20 21 22 23 0 0 0 0 0 0 0 31 32 33
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 48 * sizeof(int32_t));
    LocalTensor<int32_t> a = buf.Get<int32_t>();
    GlobalTensor<int32_t> gx, gz;
    gx.SetGlobalBuffer((__gm__ int32_t *)x, 261);
    gz.SetGlobalBuffer((__gm__ int32_t *)z, 261);
    // Rows of 87: from 16 on three blocks of 8, 7 apart; rows 0 and 2.
    SliceInfo from[K_MAX_DIM] = {{16, 53, 7, 1, 87}, {0, 2, 1, 1, 3}};
    SliceInfo to[K_MAX_DIM] = {{0, 23, 0, 1, 24}, {0, 1, 0, 1, 2}};
    DataCopy(a, gx, to, from, 2);
    PipeBarrier<PIPE_ALL>();
    for (int32_t row = 0; row < 2; ++row) {
        for (int32_t i = 0; i < 24; ++i) {
            Expect(a.GetValue(row * 24 + i), row * 2 * 87 + 16 + i / 8 * 15 + i % 8, i);
        }
    }
    DataCopy(gz, a, from, to, 2);
}
