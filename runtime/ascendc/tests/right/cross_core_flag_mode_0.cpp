// A cross-core flag of all vector cores, set by the pipe that wrote; a core waits for itself, too.
// blocks: 4
// gm x: float[256] = iota
// gm z: float[512] out
// option: replay 5
// expect z: 0 1 2
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
    CrossCoreSetFlag<0, PIPE_MTE3>(3);
    CrossCoreWaitFlag(3);
    DataCopy(a, gz[(block + 1) % blocks * 64], 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(gz[(blocks + block) * 64], a, 64);
}
