// One block adds floats where another one adds whole numbers: what is left hangs from who comes first.
// blocks: 2
// gm x: float[8] = ones
// gm z: float[8] inout
// option: replay 2
// expect: fault race: SyncAll or a cross-core flag must stand between them
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void two_types(GM_ADDR x, GM_ADDR z)
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
        SetAtomicAdd<float>();
    } else {
        SetAtomicAdd<int32_t>();
    }
    DataCopy(gz, a, 8); // <-- here
    SetAtomicNone();
}
