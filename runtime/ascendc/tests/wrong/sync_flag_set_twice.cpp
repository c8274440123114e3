// The same event id is set again before anyone waits.
// expect: fault sync: MTE2_V id 1 is set again
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    SetFlag<HardEvent::MTE2_V>(EVENT_ID1);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID1); // <-- here
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID1);
}
