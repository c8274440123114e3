// Each block has 8 elements of its own, half a line: the write-back of one takes what the next one has written.
// gm x: float[32] = iota
// gm y: float[32] out
// blocks: 2
// expect: fault cache: each core writes back the whole line
// expect y: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void doubled(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 32);
    gy.SetGlobalBuffer((__gm__ float *)y, 32);
    for (int64_t part = 0; part < 2; ++part) {
        const int64_t at = (part * GetBlockNum() + GetBlockIdx()) * 8; //-
        //+ const int64_t at = (GetBlockIdx() * 2 + part) * 8;
        for (int64_t i = at; i < at + 8; ++i) {
            gy.SetValue(i, gx.GetValue(i) * 2.0f); // <-- here
        }
        DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gy[at]);
    }
}
