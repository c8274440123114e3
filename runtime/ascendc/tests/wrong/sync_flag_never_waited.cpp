// A flag that stays set meets the next kernel.
// expect: fault sync: V_MTE3 id 2 is set and nobody waits for it
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID2); // <-- here
}
