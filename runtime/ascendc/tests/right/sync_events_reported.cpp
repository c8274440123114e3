// FetchEventID gives an id that stays free: two flags of one id are noted, and count.
// gm x: float[128] = iota
// gm z: float[64] out
// option: events report
// note: SetFlag: MTE2_V id 0 is set again before anyone waited for it
// expect z: 64 66 68
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 512);
    LocalTensor<float> a = buf.Get<float>();
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    DataCopy(a, gx, 64);
    const event_t first = static_cast<event_t>(pipe.FetchEventID(HardEvent::MTE2_V));
    SetFlag<HardEvent::MTE2_V>(first);
    DataCopy(a[64], gx[64], 64);
    const event_t second = static_cast<event_t>(pipe.FetchEventID(HardEvent::MTE2_V));
    SetFlag<HardEvent::MTE2_V>(second);
    WaitFlag<HardEvent::MTE2_V>(first);
    WaitFlag<HardEvent::MTE2_V>(second);
    Add(a, a, a[64], 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, a, 64);
}
