// Lines that the scalar unit has changed go back at the end of a kernel, if the build has the compiler do it.
// gm z: int32_t[64] out
// blocks: 4
// note: SetValue: the kernel ends and has not written its lines back
// expect z: 0 1 2 3
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR z)
{
    GlobalTensor<int32_t> gz;
    gz.SetGlobalBuffer((__gm__ int32_t *)z);
    const int32_t first = static_cast<int32_t>(GetBlockIdx()) * 16;
    for (int32_t i = first; i < first + 16; ++i) {
        gz.SetValue(static_cast<uint64_t>(i), i);
    }
}
