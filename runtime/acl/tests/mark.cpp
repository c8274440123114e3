#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void mark(GM_ADDR x, int32_t value)
{
    GlobalTensor<int32_t> all;
    all.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(x), 1);
    all.SetValue(0, value);
    DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(all);
}
