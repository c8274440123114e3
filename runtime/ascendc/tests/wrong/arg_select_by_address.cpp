// Without selMask mode 2 reads an address from the compare register.
// expect: fault arg: without selMask SELMODE::VSEL_TENSOR_TENSOR_MODE reads the address of the mask
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 256);
    LocalTensor<float> a = aBuf.Get<float>();
    Duplicate(a, 1.0f, 64);
    Select<float, SELMODE::VSEL_TENSOR_TENSOR_MODE>(a, a, a, 1, {1, 1, 1, 8, 8, 8}); // <-- here
}
