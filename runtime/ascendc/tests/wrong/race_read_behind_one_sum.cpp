// A block reads behind its own sum, which orders nothing of the sums of the others.
// blocks: 2
// gm x: float[8] = ones
// gm z: float[24] inout
// option: replay 3
// expect: fault race: SyncAll or a cross-core flag must stand between them
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void reads_early(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 64);
    LocalTensor<float> a = buf.Get<float>();
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    DataCopy(a, gx, 8);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    SetAtomicAdd<float>();
    DataCopy(gz, a, 8); // <-- here
    SetAtomicNone();
    PipeBarrier<PIPE_ALL>();
    DataCopy(a[8], gz, 8);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(gz[8 + GetBlockIdx() * 8], a[8], 8);
}
