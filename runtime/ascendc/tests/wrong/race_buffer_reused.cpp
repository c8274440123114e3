// The second load may overwrite what V still reads, and the second sum what MTE3 does: V_MTE2 and MTE3_V are missing.
// gm x: float[128] = iota
// gm z: float[128] out
// option: replay 6
// expect: fault race: HardEvent::V_MTE2
// expect: fault race: HardEvent::MTE3_V
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 512);
    LocalTensor<float> a = buf.Get<float>(64);
    LocalTensor<float> b = buf.GetWithOffset<float>(64, 256);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    for (int i = 0; i < 2; ++i) {
        DataCopy(a, gx[i * 64], 64); // <-- here
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Add(b, a, a, 64); // <-- here
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(gz[i * 64], b, 64);
    }
}
