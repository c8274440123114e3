// The launch has tiling key 0; the toolkit has no kernel for it.
// gm z: float[8] out
// expect: refused: the tiling key is 0, and no TILING_KEY_IS of the kernel is for it: there are 1, 2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 32);
    LocalTensor<float> a = buf.Get<float>();
    if (TILING_KEY_IS(1)) {
        Duplicate(a, 1.0f, 8);
    } else if (TILING_KEY_IS(2)) {
        Duplicate(a, 2.0f, 8);
    } else {
        Duplicate(a, 3.0f, 8);
    }
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gz;
    gz.SetGlobalBuffer((__gm__ float *)z);
    DataCopy(gz, a, 8);
}
