// What SetValue writes stays in the cache of its core: a copy does not see it.
// expect: fault cache: reads byte 4 of `z` (64 bytes), which SetValue of block 0 has written into its cache
// gm z: int32_t[16] inout
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 64);
    LocalTensor<int32_t> a = buf.Get<int32_t>();
    GlobalTensor<int32_t> gz;
    gz.SetGlobalBuffer((__gm__ int32_t *)z, 16);
    gz.SetValue(0, 1);
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gz);
    gz.SetValue(1, 2);
    DataCopy(a, gz, 16); // <-- here
}
