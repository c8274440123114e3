// printf, PRINTF, DumpTensor and assertions that hold.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 16 * sizeof(half));
    LocalTensor<half> a = aBuf.Get<half>();
    for (int i = 0; i < 16; ++i) {
        a.SetValue(i, half(i));
    }
    AscendC::printf("block %d, %f\n", int(GetBlockIdx()), a.GetValue(2));
    PRINTF("%s\n", "done");
    DumpTensor(a, 7, 4);
    assert(GetBlockNum() == 1);
    ascendc_assert(a.GetSize() == 16, "size %d", 16);
    ASCENDC_ASSERT(true, {});
}
