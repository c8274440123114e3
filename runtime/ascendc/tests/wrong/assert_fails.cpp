// An assertion with a message.
// expect: fault assert: assertion `n == 2` failed: n is 3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    const int n = 3;
    ascendc_assert(n == 2, "n is %d", n); // <-- here
}
