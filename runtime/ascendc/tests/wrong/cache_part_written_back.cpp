// A write-back from the middle of a line leaves what was changed before it in the cache.
// expect: fault cache: which SetValue of block 0 has written into its cache and nobody into GM
// gm z: float[64] inout
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> gz;
    gz.SetGlobalBuffer((__gm__ float *)z);
    gz.SetValue(3, 1.0f);
    gz.SetValue(8, 3.0f);
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gz[8]);
    pipe_barrier(PIPE_ALL);
    DataCopy(a, gz, 8); // <-- here
}
