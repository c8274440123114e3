// The kernel's structure of tiling data is longer than what the host gave: an array of 8 where the host has one of 4.
// gm tiling: int32_t[5] = 4 16 16 16 16
// expect: fault bounds: GET_TILING_DATA: the structure ends 16 bytes behind the end of `tiling`
#include "kernel_operator.h"
using namespace AscendC;

struct Lengths {
    int32_t blocks;
    int32_t each[8];
};

extern "C" __global__ __aicore__ void k(GM_ADDR tiling)
{
    GET_TILING_DATA_WITH_STRUCT(Lengths, lengths, tiling); // <-- here
    (void)lengths;
}
