// Ids are 0 to 7.
// expect: fault sync: event id 8; ids are 0 to 7
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    SetFlag<HardEvent::MTE2_V>(8); // <-- here
}
