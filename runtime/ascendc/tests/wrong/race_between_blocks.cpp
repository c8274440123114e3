// Nothing orders a block's write and its neighbour's read.
// blocks: 4
// gm x: float[256] = iota
// gm z: float[512] inout
// option: replay 4
// expect: fault race: SyncAll or a cross-core flag must stand between them
#include "kernel_operator.h"
using namespace AscendC;

// Every block writes its part, then reads its neighbour's.
extern "C" __global__ __aicore__ void rotate(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
    LocalTensor<float> a = buf.Get<float>();
    GlobalTensor<float> gx, gz;
    const int64_t block = GetBlockIdx();
    const int64_t blocks = GetBlockNum();
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    DataCopy(a, gx[block * 64], 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(gz[block * 64], a, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(a, gz[(block + 1) % blocks * 64], 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(gz[(blocks + block) * 64], a, 64);
}
