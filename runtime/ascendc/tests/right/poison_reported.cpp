// Where the launch asks for it, values that nobody wrote are only noted: a sum and what else its data block holds.
// option: poison report
// gm z: float[8] out
// expect z: 64
// note: element 1 has no value
// note: src has no value at element 2
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf, sumBuf;
    pipe.InitBuffer(buf, 64 * sizeof(float));
    pipe.InitBuffer(sumBuf, 32);
    LocalTensor<float> a = buf.Get<float>();
    LocalTensor<float> sum = sumBuf.Get<float>();
    Duplicate(a, 1.0f, 64);
    WholeReduceSum(sum, a, 64, 1, 1, 1, 8);
    (void)sum.GetValue(1);
    GlobalTensor<float> gz;
    gz.SetGlobalBuffer((__gm__ float *)z, 8);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, sum, 8);
}
