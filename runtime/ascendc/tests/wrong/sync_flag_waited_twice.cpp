// One SetFlag, two WaitFlag.
// expect: fault sync: MTE2_V id 0 is waited for again before anyone set it
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0); // <-- here
}
