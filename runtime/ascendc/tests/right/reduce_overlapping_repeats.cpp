// Repeats of eight data blocks, a data block behind each other: every access is legal, and the result is no sum over rows.
// gm x: half[2048] = ones
// gm z: half[112] out
// note: WholeReduceSum: repeats of 256 bytes begin 32 bytes behind each other
// expect z: 128 128 128
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
    WholeReduceSum<half>(b, a, 128, 112, 1, 1, 1);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, b, 112);
}
