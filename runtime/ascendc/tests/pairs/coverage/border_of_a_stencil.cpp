// A stencil stores the inner elements and forgets the two at the border.
// gm x: float[16] = ones
// gm y: float[16] out
// option: whole 1
// expect: fault poison: `y` is not wholly written: no block writes 8 of its 64 bytes, byte 0 is the first
// expect y: 1 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1.5 1
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void smoothed(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 16);
    gy.SetGlobalBuffer((__gm__ float *)y, 16);
    for (int32_t i = 1; i < 15; ++i) {
        gy.SetValue(i, (gx.GetValue(i - 1) + gx.GetValue(i) + gx.GetValue(i + 1)) * 0.5f);
    }
    //+ gy.SetValue(0, (gx.GetValue(0) + gx.GetValue(1)) * 0.5f);
    //+ gy.SetValue(15, (gx.GetValue(14) + gx.GetValue(15)) * 0.5f);
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(gy);
}
