// One of two blocks arrives.
// blocks: 3
// scratch work: 512
// expect: fault hang: 1 of 2 blocks have arrived
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR work)
{
    GroupBarrier<PipeMode::MTE3_MODE> barrier(work, 2, 1);
    if (GetBlockIdx() == 1) {
        barrier.Arrive(0);
    } else if (GetBlockIdx() == 0) {
        barrier.Wait(0); // <-- here
    }
}
