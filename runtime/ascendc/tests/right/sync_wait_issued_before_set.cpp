// A pipe may be told to wait before the flag's pipe is told to set it.
// gm x: float[64] = iota
// gm z: float[64] out
// option: replay 1 2 3 4 5
// expect z: 0 2 4
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
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(b, a, a, 64);
    DataCopy(a, gx, 64);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gz, b, 64);
}
