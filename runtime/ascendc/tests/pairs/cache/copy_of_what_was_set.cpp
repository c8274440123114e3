// A copy reads what the scalar unit has set, before it is written back.
// gm x: float[64] = iota
// gm y: float[64] out
// scratch w: 256
// blocks: 4
// expect: fault cache: DataCopy: reads byte
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
    const int64_t at = GetBlockIdx() * 16;
    gx.SetGlobalBuffer((__gm__ float *)x + at, 16);
    gy.SetGlobalBuffer((__gm__ float *)y + at, 16);
    same.SetGlobalBuffer((__gm__ float *)w + at, 16);
    for (int32_t i = 0; i < 16; ++i) {
        same.SetValue(i, gx.GetValue(i));
    }
    //+ DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(same);
    SetFlag<HardEvent::S_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::S_MTE2>(EVENT_ID0);
    DataCopy(a, same, 16); // <-- here
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Muls(a, a, 2.0f, 16);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gy, a, 16);
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(same); //-
}
