// Gatherb into a part of its own source.
// expect: fault overlap: Gatherb: dst and src0 share memory
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf, offsets;
    pipe.InitBuffer(buf, 1024);
    pipe.InitBuffer(offsets, 32);
    LocalTensor<uint16_t> x = buf.Get<uint16_t>();
    LocalTensor<int32_t> o = offsets.Get<int32_t>();
    Duplicate(x, uint16_t(1), 512);
    Duplicate(o, 32, 8);
    Gatherb(x[256], x, o.ReinterpretCast<uint32_t>(), 1, {1, 8}); // <-- here
}
