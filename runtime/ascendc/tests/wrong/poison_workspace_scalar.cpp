// The scalar unit finds values in a workspace only where somebody wrote some.
// expect: fault poison: GetValue: byte 4 of `w` (64 bytes) has no value
// scratch w: 64
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR w)
{
    GlobalTensor<int32_t> gw;
    gw.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(w));
    gw.SetValue(0, 3);
    gw.SetValue(2, gw.GetValue(0));
    (void)gw.GetValue(1); // <-- here
}
