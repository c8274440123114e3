// Even blocks add to what odd ones take the larger of: the order decides what is left.
// blocks: 2
// gm x: float[8] = ones
// gm z: float[8] inout
// option: replay 2
// expect: fault race: SyncAll or a cross-core flag must stand between them
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void two_ways(GM_ADDR x, GM_ADDR z)
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
    if (GetBlockIdx() % 2 == 0) {
        SetAtomicAdd<float>();
    } else {
        SetAtomicMax<float>();
    }
    DataCopy(gz, a, 8); // <-- here
    SetAtomicNone();
}
