// Scalar reads and writes of GM go through the cache and come back after an invalidate.
// gm x: float[256] = iota
// gm z: float[256] inout
// expect z: 42 0 0
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    Expect(gx.GetValue(3), 3.0f);
    gz.SetValue(0, 42.0f);
    Expect(gz.GetValue(0), 42.0f);
    Expect(gz.GetValue(20), 0.0f);
    Duplicate(a, 6.0f, 64);
    pipe_barrier(PIPE_ALL);
    DataCopy(gz[16], a, 16);
    pipe_barrier(PIPE_ALL);
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gz[16]);
    Expect(gz.GetValue(20), 6.0f);
    DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE>(gz);
}
