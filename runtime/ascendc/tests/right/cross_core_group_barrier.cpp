// Three blocks wait until two others have written.
// blocks: 5
// scratch work: 1536
// gm z: float[64] out
// option: replay 2
// expect z: 7 7 7
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR work, GM_ADDR z)
{
    GlobalTensor<float> gz;
    gz.SetGlobalBuffer((__gm__ float *)z, 64);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
    LocalTensor<float> a = buf.Get<float>();
    GroupBarrier<PipeMode::MTE3_MODE> barrier(work, 2, 3);
    Expect(barrier.GetWorkspaceLen(), 1536);
    const uint32_t id = GetBlockIdx();
    if (id >= 3) {
        Duplicate(a, 7.0f, 32);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(gz[(id - 3) * 32], a, 32);
        barrier.Arrive(id - 3);
    } else {
        barrier.Wait(id);
        DataCopy(a, gz, 64);
        PipeBarrier<PIPE_ALL>();
        Expect(a.GetValue(0), 7.0f);
        Expect(a.GetValue(63), 7.0f);
    }
}
