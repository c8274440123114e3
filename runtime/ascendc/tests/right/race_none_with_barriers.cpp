// PIPE_ALL stands between the stages.
// gm x: float[64] = iota
// gm z: float[64] out
// option: replay 1
// expect z: 0 2 4
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 512);
    LocalTensor<float> a = buf.Get<float>(64);
    LocalTensor<float> b = buf.GetWithOffset<float>(64, 256);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    DataCopy(a, gx, 64);
    pipe_barrier(PIPE_ALL);
    Add(b, a, a, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, b, 64);
    PipeBarrier<PIPE_MTE3>();
    DataCopy(gz, b, 64);
}
