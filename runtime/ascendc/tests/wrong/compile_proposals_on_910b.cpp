// Proposals are of the inference products.
// expect: compile: RpSort16
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    LocalTensor<half> a(TPosition::VECCALC, 0, 128);
    RpSort16(a, a, 1); // <-- here
}
