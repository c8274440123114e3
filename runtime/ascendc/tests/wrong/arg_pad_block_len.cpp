// blockLen is a multiple of the element.
// expect: fault arg: blockLen is 10 bytes; allowed are multiples of the element (4)
// gm x: float[64] = iota
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    GlobalTensor<float> gx;
    gx.SetGlobalBuffer((__gm__ float *)x);
    DataCopyPad(a, gx, DataCopyExtParams(1, 10, 0, 0, 0), DataCopyPadExtParams<float>(false, 0, 0, 0)); // <-- here
}
