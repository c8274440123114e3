// Everybody waits, nobody sets.
// blocks: 2
// expect: fault hang: 0 of 2 cores have set flag 5
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void wait()
{
    CrossCoreWaitFlag(5); // <-- here
}
