// V waits for a flag that nobody sets.
// expect: fault hang: pipe V waits for MTE2_V id 0, which is never set
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
    LocalTensor<float> a = buf.Get<float>();
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0); // <-- here
    Add(a, a, a, 64);
}
