// A vector core has no such pipe.
// expect: fault arg: PIPE_FIX is no pipe of this core, which waits for it forever
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    PipeBarrier<PIPE_FIX>(); // <-- here
}
