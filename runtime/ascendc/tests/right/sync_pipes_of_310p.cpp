// Cores of 310P have the pipes of the cube unit, too.
// chip: ascend310p3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    PipeBarrier<PIPE_M>();
    PipeBarrier<PIPE_MTE1>();
    SetFlag<HardEvent::M_V>(EVENT_ID0);
    WaitFlag<HardEvent::M_V>(EVENT_ID0);
}
