// A column comes in with an element in each data block, and is then taken as if its elements lay one behind the other.
// gm x: float[16] = iota
// gm z: float[16] out
// expect: fault poison: DataCopyPad: src has no value at element 1
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, bBuf;
    pipe.InitBuffer(aBuf, 16 * 32);
    pipe.InitBuffer(bBuf, 16 * 32);
    LocalTensor<float> a = aBuf.Get<float>(), b = bBuf.Get<float>();
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    DataCopyPad(a, gx, DataCopyExtParams(16, 4, 0, 0, 0), DataCopyPadExtParams<float>(false, 0, 0, 0));
    PipeBarrier<PIPE_ALL>();
    Muls(b, a, 2.0f, 16);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(gz, b, DataCopyExtParams(1, 64, 0, 0, 0)); // <-- here
}
