// Block 0 stores where other blocks add, its own sum behind the store: nothing orders the store and their sums.
// blocks: 3
// gm x: float[8] = ones
// gm z: float[8] out
// option: replay 1
// expect: fault race: SyncAll or a cross-core flag must stand between them
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void first_stores(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 32);
    LocalTensor<float> a = buf.Get<float>();
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    DataCopy(a, gx, 8);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    if (GetBlockIdx() == 0) {
        DataCopy(gz, a, 8);
        PipeBarrier<PIPE_MTE3>();
    }
    SetAtomicAdd<float>();
    DataCopy(gz, a, 8); // <-- here
    SetAtomicNone();
}
