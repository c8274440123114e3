// The scalar unit reads a line again after a copy has stored there: it finds what its cache has held since.
// gm x: float[16] = iota
// gm y: float[16] out
// scratch w: 64
// expect: fault cache: has changed since the scalar unit read its line
// expect y: 0 2 4 6
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void doubled(GM_ADDR x, GM_ADDR y, GM_ADDR w)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 16 * sizeof(float));
    LocalTensor<float> a = buf.Get<float>();
    GlobalTensor<float> gx, gy, same;
    gx.SetGlobalBuffer((__gm__ float *)x, 16);
    gy.SetGlobalBuffer((__gm__ float *)y, 16);
    same.SetGlobalBuffer((__gm__ float *)w, 16);
    DataCopy(a, gx, 16);
    PipeBarrier<PIPE_ALL>();
    DataCopy(same, a, 16);
    PipeBarrier<PIPE_ALL>();
    const float factor = same.GetValue(0) > 0.0f ? 1.0f : 2.0f;
    PipeBarrier<PIPE_ALL>();
    Muls(a, a, factor, 16);
    PipeBarrier<PIPE_ALL>();
    DataCopy(same, a, 16);
    PipeBarrier<PIPE_ALL>();
    //+ DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(same);
    for (int32_t i = 0; i < 16; ++i) {
        gy.SetValue(i, same.GetValue(i)); // <-- here
    }
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gy);
}
