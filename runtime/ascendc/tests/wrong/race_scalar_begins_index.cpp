// CreateVecIndex begins on the scalar unit, which must wait for what the vector unit still does to dst.
// option: replay 6
// option: auto_sync 0
// expect: fault race: HardEvent::V_S
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 512);
    LocalTensor<float> a = buf.Get<float>();
    Duplicate(a, 1.0f, 64);
    CreateVecIndex(a, 0.0f, 64); // <-- here
}
