// A tensor placed by hand starts at a data block.
// expect: fault align: address 40 of UB is not a multiple of 32
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    LocalTensor<float> a(TPosition::VECCALC, 40, 8); // <-- here
    a.SetValue(0, 1.0f);
}
