// A writer that has met the others since and not written its line back has forgotten it, also where the reader drops its own line.
// blocks: 2
// expect: fault cache: GetValue: reads byte 64 of `z`
// gm z: int32_t[32] inout
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR z)
{
    GlobalTensor<int32_t> gz;
    gz.SetGlobalBuffer((__gm__ int32_t *)z, 32);
    if (GetBlockIdx() == 1) {
        gz.SetValue(16, 5);
    }
    SyncAll();
    if (GetBlockIdx() == 0) {
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gz[16]);
        (void)gz.GetValue(16); // <-- here
    }
    SyncAll();
}
