// The scalar unit has no arithmetic of bfloat16_t.
// expect: compile: deleted function
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    const bfloat16_t a(1.5f);
    const float sum = a + a; // <-- here
    (void)sum;
}
