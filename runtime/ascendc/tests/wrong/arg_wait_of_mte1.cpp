// A vector core has no such pipe.
// expect: fault arg: PIPE_MTE1 is no pipe of this core, which waits for it forever
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    WaitFlag<HardEvent::MTE1_V>(EVENT_ID0); // <-- here
}
