// Blocks add to one place in turn, twice: the sum has an order, and no race.
// blocks: 5
// scratch work: 160
// gm z: float[8] inout
// option: replay 3
// expect z: 30 30 30
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR work, GM_ADDR z)
{
    GlobalTensor<int32_t> gw;
    GlobalTensor<float> gz;
    gw.SetGlobalBuffer((__gm__ int32_t *)work, 40);
    gz.SetGlobalBuffer((__gm__ float *)z, 8);
    TPipe pipe;
    TBuf<TPosition::VECCALC> workBuf, sumBuf;
    pipe.InitBuffer(workBuf, 6 * 32);
    pipe.InitBuffer(sumBuf, 32);
    LocalTensor<int32_t> ub = workBuf.Get<int32_t>();
    LocalTensor<float> sum = sumBuf.Get<float>();
    InitDetermineComputeWorkspace(gw, ub);
    for (int turn = 0; turn < 2; ++turn) {
        WaitPreBlock(gw, ub);
        DataCopy(sum, gz, 8);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Adds(sum, sum, float(GetBlockIdx() + 1), 8);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(gz, sum, 8);
        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        NotifyNextBlock(gw, ub);
    }
}
