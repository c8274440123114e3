// A word that is read once and never again orders nothing.
// gm flags: int32_t[16] inout
// gm z: int32_t[32] inout
// blocks: 2
// option: replay 1
// expect: fault race: GetValue of pipe S reads byte 0 of `z` (128 bytes) while SetValue of pipe S on block 0 may still be writing it
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
        const int32_t got = gz.GetValue(0); // <-- here
        gz.SetValue(16, got + 1);
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gz[16]);
    }
}
