// expect: compile: does not take these element types
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 1024);
    MulCast(buf.Get<int8_t>(), buf.Get<float>()[64], buf.Get<float>()[128], 64); // <-- here
}
