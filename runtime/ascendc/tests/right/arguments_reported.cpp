// What a call does not take is noted: one is left out, one does what the hardware usually does.
// gm x: float[128] = iota
// gm z: float[64] out
// option: arguments report
// note: Adds: src starts at byte 4 of UB, which is not a multiple of 32
// note: DataCopy: the count is 36 bytes
// expect z: 0 1 2 3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 512);
    LocalTensor<float> a = buf.Get<float>();
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    DataCopy(a, gx, 64);
    PipeBarrier<PIPE_ALL>();
    Adds(a, a[1], 1.0f, 8);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, a, 9);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, a, 64);
}
