// 49 blocks on 48 cores: the last one gets no core while the others wait.
// blocks: 49
// expect: fault hang: the launch has 49 blocks, the chip 48 cores
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void wait()
{
    SyncAll(); // <-- here
}
