// An id goes back to the event that it came from.
// expect: fault sync: id 0 of MTE3_MTE2 was not given by AllocEventID
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    const TEventID id = pipe.AllocEventID<HardEvent::MTE3_S>();
    pipe.ReleaseEventID<HardEvent::MTE3_MTE2>(id); // <-- here
}
