// The scalar unit has no barrier.
// expect: compile: the scalar unit has no barrier
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    PipeBarrier<PIPE_S>(); // <-- here
}
