// A word that one block writes back and another drops and reads again orders what stands before and behind it.
// gm flags: int32_t[16] inout
// gm z: int32_t[32] inout
// blocks: 2
// option: replay 1 2 3
// expect z: 7 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 8
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR flags, GM_ADDR z)
{
    GlobalTensor<int32_t> gf, gz;
    gf.SetGlobalBuffer((__gm__ int32_t *)flags);
    gz.SetGlobalBuffer((__gm__ int32_t *)z);
    if (GetBlockIdx() == 0) {
        gz.SetValue(0, 7);
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gz);
        gf.SetValue(0, 1);
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gf);
    } else {
        while (gf.GetValue(0) == 0) {
            DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gf);
        }
        const int32_t got = gz.GetValue(0);
        gz.SetValue(16, got + 1);
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gz[16]);
    }
}
