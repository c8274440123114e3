// Mode 4 exists on the 950 only.
// expect: compile: modes of cross-core flags are 0, 1 and 2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void set()
{
    CrossCoreSetFlag<4, PIPE_MTE3>(1); // <-- here
}
