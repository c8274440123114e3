// A line is written back that lies behind the end of its tensor.
// gm z: int32_t[16] inout
// expect: fault bounds: DataCacheCleanAndInvalid: the element
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR z)
{
    GlobalTensor<int32_t> gz;
    gz.SetGlobalBuffer((__gm__ int32_t *)z);
    gz.SetValue(15, 1);
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gz);
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gz[16]); // <-- here
}
