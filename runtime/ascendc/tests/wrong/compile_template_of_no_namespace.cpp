// No namespace of an argument has the function, in no standard.
// gm x: float[8] = iota
// expect: compile: this name is declared nowhere
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    AscendC::LocalTensor<float> a(AscendC::TPosition::VECCALC, 0, 64);
    ReduceSums<float>(a, a, a, 64); // <-- here
}
