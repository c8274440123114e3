// Modes 1 and 2 set a mask of their own first, which counter mode reads as a number.
// expect: fault arg: in counter mode the forms with mask and repeat take SELMODE::VSEL_CMPMASK_SPR only
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, mBuf;
    pipe.InitBuffer(aBuf, 256);
    pipe.InitBuffer(mBuf, 32);
    LocalTensor<float> a = aBuf.Get<float>();
    Duplicate(a, 1.0f, 64);
    uint64_t count[2] = {64, 0};
    SetMaskCount();
    Select(a, mBuf.Get<uint8_t>(), a, 2.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, count, 1, {1, 1, 1, 8, 8, 8}); // <-- here
}
