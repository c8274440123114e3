// A block that drops a line before each read of a flag sees what GM holds, also while the writer has not written its line back.
// blocks: 2
// gm flags: int32_t[64] inout
// gm z: int32_t[16] inout
// expect z: 5
#include "check.h"
using namespace AscendC;

__aicore__ inline int32_t Poll(const GlobalTensor<int32_t> &flag)
{
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag);
    return flag.GetValue(0);
}

__aicore__ inline void Set(GlobalTensor<int32_t> flag, int32_t value)
{
    flag.SetValue(0, value);
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flag);
}

extern "C" __global__ __aicore__ void k(GM_ADDR flags, GM_ADDR z)
{
    GlobalTensor<int32_t> written, seen, result;
    written.SetGlobalBuffer((__gm__ int32_t *)flags, 16);
    seen.SetGlobalBuffer((__gm__ int32_t *)flags + 16, 16);
    result.SetGlobalBuffer((__gm__ int32_t *)z, 16);
    __gm__ int32_t *const begun = reinterpret_cast<__gm__ int32_t *>(flags) + 32;
    if (GetBlockIdx() == 0) {
        written.SetValue(0, 5);
        WriteGmByPassDCache<int32_t>(begun, 1);
        while (Poll(seen) != 1) {
        }
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(written);
    } else {
        while (ReadGmByPassDCache<int32_t>(begun) != 1) {
        }
        Expect(Poll(written), 0);
        Set(seen, 1);
        while (Poll(written) != 5) {
        }
        Set(result, Poll(written));
    }
}
