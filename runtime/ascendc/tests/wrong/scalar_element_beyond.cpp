// Element 64 of 64.
// expect: fault bounds: element 64 of a tensor of 64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
    buf.Get<float>().SetValue(64, 1.0f); // <-- here
}
