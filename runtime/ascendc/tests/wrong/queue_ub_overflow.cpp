// Three buffers of 64 KiB and one more byte.
// expect: fault memory: 32 bytes more after 196608, UB has 196608
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> a, b;
    pipe.InitBuffer(a, 3 * 65536);
    pipe.InitBuffer(b, 1); // <-- here
}
