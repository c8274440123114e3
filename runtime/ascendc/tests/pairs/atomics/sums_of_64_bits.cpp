// Numbers of int64_t are added up in GM, where the chip adds no 64 bits.
// gm x: int32_t[16] = 1 2
// gm y: int32_t[8] inout
// blocks: 2
// expect: compile: no atomic sum of this element type
// expect y: 2 4 2 4
#include "kernel_operator.h"
using namespace AscendC;

using Number = int64_t; //-
//+ using Number = int32_t;

extern "C" __global__ __aicore__ void counts(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
    pipe.InitBuffer(through, 1, 8 * sizeof(Number));
    GlobalTensor<Number> gx, gy;
    gx.SetGlobalBuffer((__gm__ Number *)x + GetBlockIdx() * 8, 8);
    gy.SetGlobalBuffer((__gm__ Number *)y, 8);
    LocalTensor<Number> a = through.AllocTensor<Number>();
    DataCopy(a, gx, 8);
    through.EnQue(a);
    a = through.DeQue<Number>();
    SetAtomicAdd<Number>(); // <-- here
    DataCopy(gy, a, 8);
    SetAtomicNone();
    through.FreeTensor(a);
}
