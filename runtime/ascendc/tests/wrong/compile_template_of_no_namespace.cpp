// No namespace of an argument has the function, in no standard: the first error of the compiler is told.
// gm x: float[8] = iota
// expect: compile: ‘ReduceSums’ was not declared in this scope
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    AscendC::LocalTensor<float> a(AscendC::TPosition::VECCALC, 0, 64);
    ReduceSums<float>(a, a, a, 64); // <-- here
}
