// Elements are set in the cache of the scalar unit, and nobody writes their line back.
// gm x: float[64] = iota
// gm y: float[64] out
// blocks: 4
// note: the kernel ends and has not written its lines back
// expect y: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void doubled(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> gx, gy;
    const int64_t at = GetBlockIdx() * 16;
    gx.SetGlobalBuffer((__gm__ float *)x + at, 16);
    gy.SetGlobalBuffer((__gm__ float *)y + at, 16);
    for (int32_t i = 0; i < 16; ++i) {
        gy.SetValue(i, gx.GetValue(i) * 2.0f); // <-- here
    }
    //+ DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gy);
}
