// NotifyNextBlock writes counters to GM by copies of its own, which would add where the mode is still atomic.
// expect: fault arg: NotifyNextBlock: copies to GM are atomic
// scratch work: 64
// gm z: float[8] inout
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR work, GM_ADDR z)
{
    GlobalTensor<int32_t> gw;
    GlobalTensor<float> gz;
    gw.SetGlobalBuffer((__gm__ int32_t *)work, 16);
    gz.SetGlobalBuffer((__gm__ float *)z, 8);
    TPipe pipe;
    TBuf<TPosition::VECCALC> workBuf, sumBuf;
    pipe.InitBuffer(workBuf, 64);
    pipe.InitBuffer(sumBuf, 32);
    LocalTensor<int32_t> ub = workBuf.Get<int32_t>();
    LocalTensor<float> sum = sumBuf.Get<float>();
    InitDetermineComputeWorkspace(gw, ub);
    Duplicate(sum, 1.0f, 8);
    PipeBarrier<PIPE_ALL>();
    WaitPreBlock(gw, ub);
    SetAtomicAdd<float>();
    DataCopy(gz, sum, 8);
    NotifyNextBlock(gw, ub); // <-- here
}
