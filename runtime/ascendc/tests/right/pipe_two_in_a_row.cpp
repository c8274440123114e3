// A second TPipe starts where the first ended; a pool shares its bytes.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    {
        TPipe pipe;
        TBuf<TPosition::VECCALC> all;
        pipe.InitBuffer(all, 196608);
        all.Get<float>().SetValue(0, 1.0f);
    }
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf, first, second;
    TBufPool<TPosition::VECCALC> pool, other;
    pipe.InitBuffer(buf, 196608 - 2048);
    pipe.InitBufPool(pool, 2048);
    pipe.InitBufPool(other, 1024, pool);
    pool.InitBuffer(first, 512);
    pool.InitBuffer(second, 1024);
    TBuf<TPosition::VECCALC> same;
    other.InitBuffer(same, 512);
    first.Get<int32_t>().SetValue(3, 42);
    Expect(same.Get<int32_t>().GetValue(3), 42);
    Expect(second.Get<int32_t>().GetSize(), 256);
    Expect(GetTPipePtr() == &pipe, true);
}
