// Each block waits for the one that it reads from.
// blocks: 4
// gm x: float[256] = iota
// gm z: float[512] out
// scratch w: 128
// option: replay 2
// expect z: 0 1 2
#include "kernel_operator.h"
using namespace AscendC;

// Every block writes its part, then reads its neighbour's.
extern "C" __global__ __aicore__ void rotate(GM_ADDR x, GM_ADDR z, GM_ADDR w)
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
    GlobalTensor<int32_t> counters;
    counters.SetGlobalBuffer((__gm__ int32_t *)w, 32);
    TBuf<TPosition::VECCALC> work;
    pipe.InitBuffer(work, 32);
    LocalTensor<int32_t> local = work.Get<int32_t>();
    IBSet(counters, local, static_cast<int32_t>(block), 0);
    IBWait(counters, local, static_cast<int32_t>((block + 1) % blocks), 0);
    DataCopy(a, gz[(block + 1) % blocks * 64], 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(gz[(blocks + block) * 64], a, 64);
}
