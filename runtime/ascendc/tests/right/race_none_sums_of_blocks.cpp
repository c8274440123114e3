// One block stores, all meet, all add, all meet, and each reads: sums of one type need no order among themselves.
// blocks: 3
// gm x: float[8] = ones
// gm z: float[32] out
// option: replay 3
// expect z: 4 4 4 4 4 4 4 4 4 4
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sums_behind_a_meeting(GM_ADDR x, GM_ADDR z)
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
    if (GetBlockIdx() == 0) {
        DataCopy(gz, a, 8);
    }
    SyncAll();
    SetAtomicAdd<float>();
    DataCopy(gz, a, 8);
    SetAtomicNone();
    SyncAll();
    DataCopy(a[8], gz, 8);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(gz[8 + GetBlockIdx() * 8], a[8], 8);
}
