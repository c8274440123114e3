// Repeats of one data block, a data block behind each other: every access is legal, and the result is no sum over rows.
// gm x: half[2048] = ones
// gm z: half[128] out
// note: WholeReduceSum: srcBlkStride is 8 and has no effect
// expect z: 16 16 16
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, bBuf;
    pipe.InitBuffer(aBuf, 4096);
    pipe.InitBuffer(bBuf, 256);
    LocalTensor<half> a = aBuf.Get<half>(), b = bBuf.Get<half>();
    GlobalTensor<half> gx, gz;
    gx.SetGlobalBuffer((__gm__ half *)x);
    gz.SetGlobalBuffer((__gm__ half *)z);
    DataCopy(a, gx, 2048);
    PipeBarrier<PIPE_ALL>();
    WholeReduceSum<half>(b, a, 16, 128, 1, 8, 1);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, b, 128);
}
