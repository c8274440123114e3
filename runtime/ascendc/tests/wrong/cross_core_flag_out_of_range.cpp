// Flags are 0 to 15.
// expect: fault sync: flag 16; flags are 0 to 15
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void set()
{
    CrossCoreSetFlag<0, PIPE_MTE3>(16); // <-- here
}
