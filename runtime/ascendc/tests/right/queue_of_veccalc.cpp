// A queue that only gives buffers out and takes them back; tensors of bool; operators in place of calls.
// gm x: int8_t[64] = 1 0
// gm z: int8_t[64] out
// option: replay 4
// expect z: 1 0 1
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    GlobalTensor<bool> gx, gz;
    gx.SetGlobalBuffer((__gm__ bool *)x, 64);
    gz.SetGlobalBuffer((__gm__ bool *)z, 64);
    TPipe pipe;
    TQue<QuePosition::VECCALC, 1> work;
    TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 1> through;
    pipe.InitBuffer(work, 2, 256);
    pipe.InitBuffer(through, 1, 64);
    for (int i = 0; i < 3; ++i) {
        LocalTensor<float> a = work.AllocTensor<float>();
        LocalTensor<float> b = work.AllocTensor<float>();
        Duplicate(a, 2.0f, 64);
        Duplicate(b, 3.0f, 64);
        b = a * b;
        a = b - a;
        Expect(a.GetValue(63), 4.0f);
        work.FreeTensor(a);
        work.FreeTensor(b);
    }
    LocalTensor<bool> flags = through.AllocTensor<bool>();
    DataCopyPadExtParams<bool> padding{false, 0, 0, 0};
    DataCopyPad(flags, gx, DataCopyExtParams{1, 64, 0, 0, 0}, padding);
    through.EnQue(flags);
    flags = through.DeQue<bool>();
    DataCopy(gz, flags, 64);
    through.FreeTensor(flags);
}
