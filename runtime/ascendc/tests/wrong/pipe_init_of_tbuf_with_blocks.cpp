// A TBuf has one block.
// expect: compile: a TBuf takes InitBuffer(buf, len)
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 2, 256); // <-- here
}
