// A write-back goes from an element to the end of its line: what was changed before it stays in the cache.
// gm z: float[64] inout
// expect z: 1 2 0 0 0 0 0 0 3 0
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> gz;
    gz.SetGlobalBuffer((__gm__ float *)z);
    gz.SetValue(0, 1.0f);
    gz.SetValue(8, 3.0f);
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gz[8]);
    pipe_barrier(PIPE_ALL);
    DataCopy(a, gz[8], 8);
    pipe_barrier(PIPE_ALL);
    Expect(a.GetValue(0), 3.0f);
    Expect(gz.GetValue(0), 1.0f);
    gz.SetValue(1, 2.0f);
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gz);
}
