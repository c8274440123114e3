// Get of more than the TBuf has.
// expect: fault bounds: the TBuf has 256
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
    LocalTensor<float> a = buf.Get<float>(65); // <-- here
    a.SetValue(0, 1.0f);
}
