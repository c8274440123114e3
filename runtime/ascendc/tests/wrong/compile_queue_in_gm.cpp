// No queue lives in GM.
// expect: compile: no queue lives at this position
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TQue<TPosition::GM, 1> queue; // <-- here
    pipe.InitBuffer(queue, 1, 256);
}
