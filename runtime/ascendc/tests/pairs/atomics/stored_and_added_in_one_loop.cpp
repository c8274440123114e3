// Each block clears the sums before it adds to them, while other blocks have added already.
// gm x: float[128] = ones
// gm y: float[64] out
// blocks: 2
// expect: fault race: SyncAll or a cross-core flag must stand between them
// expect y: 2 2 2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void column_sums(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
    TBuf<TPosition::VECCALC> zeroBuf;
    pipe.InitBuffer(through, 1, 64 * sizeof(float));
    pipe.InitBuffer(zeroBuf, 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 64, 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    LocalTensor<float> zeros = zeroBuf.Get<float>();
    Duplicate(zeros, 0.0f, 64);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    //+ if (GetBlockIdx() == 0) {
    //+     DataCopy(gy, zeros, 64);
    //+ }
    //+ SyncAll();
    DataCopy(gy, zeros, 64); //- <-- here
    PipeBarrier<PIPE_MTE3>();
    LocalTensor<float> a = through.AllocTensor<float>();
    DataCopy(a, gx, 64);
    through.EnQue(a);
    a = through.DeQue<float>();
    SetAtomicAdd<float>();
    DataCopy(gy, a, 64);
    SetAtomicNone();
    through.FreeTensor(a);
}
