// The scalar unit waits before the flag is set.
// expect: fault hang: the scalar unit waits for V_S id 0
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    WaitFlag<HardEvent::V_S>(EVENT_ID0); // <-- here
    SetFlag<HardEvent::V_S>(EVENT_ID0);
}
