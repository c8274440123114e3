// A tensor that was declared and never given its memory.
// expect: fault bounds: Duplicate: dst has no memory: nothing was assigned to this LocalTensor
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    LocalTensor<float> a;
    Duplicate(a, 1.0f, 64); // <-- here
}
