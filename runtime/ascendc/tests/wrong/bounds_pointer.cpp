// A pointer of the kernel's own leaves the tensor.
// expect: fault bounds: a pointer of the kernel was followed to
// gm x: float[64] out
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    volatile __gm__ float *at = reinterpret_cast<__gm__ float *>(x);
    at[1 << 20] = 1.0f;
}
