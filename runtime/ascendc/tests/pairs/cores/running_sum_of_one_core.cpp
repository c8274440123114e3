// A running sum in an ordinary variable: each core has one of its own, and nobody merges them.
// gm x: float[32] = ones
// gm y: float[1] inout
// scratch w: 128
// blocks: 2
// expect: fault race: writes byte 0 of `y` (4 bytes) while
// expect y: 32
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void total(GM_ADDR x, GM_ADDR y, GM_ADDR w)
{
    TPipe pipe;
    GlobalTensor<float> gx, gy, sums;
    gx.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 16, 16);
    gy.SetGlobalBuffer((__gm__ float *)y, 1);
    sums.SetGlobalBuffer((__gm__ float *)w, 32);
    float sum = 0.0f;
    for (int32_t i = 0; i < 16; ++i) {
        sum += gx.GetValue(i);
    }
    //+ sums.SetValue(GetBlockIdx() * 16, sum);
    //+ DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(sums);
    //+ SyncAll();
    //+ if (GetBlockIdx() > 0) {
    //+     return;
    //+ }
    //+ sum = sums.GetValue(0) + sums.GetValue(16);
    gy.SetValue(0, sum); // <-- here
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gy);
}
