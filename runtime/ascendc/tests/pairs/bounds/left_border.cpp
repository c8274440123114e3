// A causal convolution reads what stands before the first element.
// gm x: float[64] = ones
// gm y: float[64] out
// expect: fault bounds: GetValue: the element of 4 bytes begins at byte -4 of `x` (256 bytes)
// expect y: 1 1.5 1.5 1.5
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void causal(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    for (int32_t i = 0; i < 64; ++i) {
        const float before = gx.GetValue(i - 1); //- <-- here
        //+ const float before = i == 0 ? 0.0f : gx.GetValue(i - 1);
        gy.SetValue(i, gx.GetValue(i) + before * 0.5f);
    }
    DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(gy);
}
