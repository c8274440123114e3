// A kernel may have the name of a function of the C library.
// gm x: float[8] = 4 9
// gm y: float[8] out
// expect y: 2 3
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 32);
    LocalTensor<float> a = buf.Get<float>();
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x, 8);
    gy.SetGlobalBuffer((__gm__ float *)y, 8);
    DataCopy(a, gx, 8);
    PipeBarrier<PIPE_ALL>();
    Sqrt(a, a, 8);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gy, a, 8);
}
