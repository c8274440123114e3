// Nothing was written where GetValue reads.
// expect: fault poison: element 3 has no value
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
    LocalTensor<float> a = buf.Get<float>();
    a.SetValue(2, a.GetValue(3)); // <-- here
}
