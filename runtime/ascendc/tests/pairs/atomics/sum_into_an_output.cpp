// Rows are added up in an output by copies that add; nobody has given what it holds when the kernel begins.
// gm x: float[128] = ones
// gm y: float[64] out
// blocks: 2
// expect: fault poison: combines with byte 0 of `y` (256 bytes), which has no value
// expect y: 2 2 2
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void column_sums(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
    pipe.InitBuffer(through, 1, 64 * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 64, 64);
    gy.SetGlobalBuffer((__gm__ float *)y, 64);
    //+ if (GetBlockIdx() == 0) {
    //+     InitOutput<float>(gy, 64, 0.0f);
    //+ }
    //+ SyncAll();
    LocalTensor<float> a = through.AllocTensor<float>();
    DataCopy(a, gx, 64);
    through.EnQue(a);
    a = through.DeQue<float>();
    SetAtomicAdd<float>();
    DataCopy(gy, a, 64); // <-- here
    SetAtomicNone();
    through.FreeTensor(a);
}
