// Behind an event from the vector unit CreateVecIndex may begin; the vector unit waits for its scalar part by itself.
// option: replay 6
// option: auto_sync 0
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 512);
    LocalTensor<half> a = buf.Get<half>();
    Duplicate(a, half(1.0f), 64);
    SetFlag<HardEvent::V_S>(EVENT_ID0);
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
    CreateVecIndex(a, half(2.5f), 64);
    SetFlag<HardEvent::V_S>(EVENT_ID0);
    WaitFlag<HardEvent::V_S>(EVENT_ID0);
    Expect(float(a.GetValue(0)), 2.5f);
    Expect(float(a.GetValue(63)), 65.5f);
}
