// Two cores write different elements of one line of 64 bytes: each writes back all of it.
// blocks: 2
// option: replay 1
// expect: fault cache: writes into the line of 64 bytes with byte 0 of `z` (64 bytes), into which SetValue of pipe S on block
// gm z: int32_t[16] inout
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR z)
{
    GlobalTensor<int32_t> gz;
    gz.SetGlobalBuffer((__gm__ int32_t *)z, 16);
    gz.SetValue(GetBlockIdx(), 1); // <-- here
}
