// The filler of DataCopyPad is no data.
// expect: fault poison: src has no value at element 3
// gm x: float[64] = iota
// gm z: float[64] inout
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    DataCopyPad(a, gx, DataCopyExtParams(1, 12, 0, 0, 0), DataCopyPadExtParams<float>(false, 0, 0, 0));
    pipe_barrier(PIPE_ALL);
    DataCopy(gz, a, 8); // <-- here
}
