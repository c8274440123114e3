// Elements of 8 bytes with a fraction: copied, and read and written by the scalar unit.
// gm x: int64_t[8] = 4611686018427387904 4613937818241073152
// gm z: int64_t[8] out
// expect z: 4611686018427387904 4607182418800017408
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 64);
    GlobalTensor<double> gx, gz;
    gx.SetGlobalBuffer((__gm__ double *)x, 8);
    gz.SetGlobalBuffer((__gm__ double *)z, 8);
    LocalTensor<double> a = queue.AllocTensor<double>();
    DataCopy(a, gx, 8);
    queue.EnQue(a);
    a = queue.DeQue<double>();
    Expect(a.GetValue(0), 2.0f);
    a.SetValue(1, a.GetValue(1) - 2.0);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, a, 8);
    queue.FreeTensor(a);
}
