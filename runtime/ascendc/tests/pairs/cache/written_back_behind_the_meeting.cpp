// Each block leaves its sum in a line of its own, and writes the line back after all have met.
// gm x: float[32] = ones
// gm y: float[1] out
// scratch w: 128
// blocks: 2
// expect: fault cache: reads byte 64 of `w`
// expect y: 32
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void total(GM_ADDR x, GM_ADDR y, GM_ADDR w)
{
    TPipe pipe;
    GlobalTensor<float> gx, gy, sums;
    gx.SetGlobalBuffer((__gm__ float *)x, 32);
    gy.SetGlobalBuffer((__gm__ float *)y, 1);
    sums.SetGlobalBuffer((__gm__ float *)w, 32);
    const int64_t own = GetBlockIdx() * 16;
    float sum = 0.0f;
    for (int64_t i = own; i < own + 16; ++i) {
        sum += gx.GetValue(i);
    }
    sums.SetValue(own, sum);
    //+ DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(sums[own]);
    SyncAll();
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(sums[own]); //-
    if (GetBlockIdx() == 0) {
        float all = 0.0f;
        for (int64_t block = 0; block < GetBlockNum(); ++block) {
            all += sums.GetValue(block * 16); // <-- here
        }
        gy.SetValue(0, all);
        DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gy);
    }
}
