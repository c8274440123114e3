// Inference products have the software form only.
// chip: ascend310p3
// expect: compile: no matching function for call
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void wait()
{
    SyncAll(); // <-- here
}
