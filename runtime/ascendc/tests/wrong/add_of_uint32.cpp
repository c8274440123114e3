// Add has no form for unsigned integers on this chip.
// expect: compile: does not take this element type
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void add()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
    LocalTensor<uint32_t> a = buf.Get<uint32_t>();
    Add(a, a, a, 64); // <-- here
}
