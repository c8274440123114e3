// Without the compiler's automatic waits, GetValue may read before the copy is done.
// gm x: float[64] = iota
// gm z: float[64] inout
// option: replay 6
// option: auto_sync 0
// expect: fault race: HardEvent::MTE2_S
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 512);
    LocalTensor<float> a = buf.Get<float>(64);
    LocalTensor<float> b = buf.GetWithOffset<float>(64, 256);
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    DataCopy(a, gx, 64);
    b.SetValue(0, a.GetValue(0)); // <-- here
    (void)gz;
}
