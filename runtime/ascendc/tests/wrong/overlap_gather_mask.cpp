// In place GatherMask writes behind what it reads; into a part further on it writes what it reads later.
// expect: fault overlap: GatherMask: reads from src0 what it has written to dst; dst may begin where src0 does, or lie apart
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 256 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    ArithProgression(a, 0.0f, 1.0f, 256);
    uint64_t taken = 0;
    GatherMask(a, a, 1, true, 256, {1, 1, 8, 0}, taken);
    Expect(a.GetValue(127), 254.0f);
    GatherMask(a[128], a, 1, true, 128, {1, 1, 8, 0}, taken);
    Expect(a.GetValue(191), 252.0f);
    GatherMask(a[64], a, 1, true, 128, {1, 1, 8, 0}, taken); // <-- here
}
