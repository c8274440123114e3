// Masks by bits and by number, and what isSetMask = false leaves in force.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    Duplicate(a, 0.0f, 64);
    SetVectorMask<float>(0, 0x0f);
    Adds<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    Expect(a.GetValue(3), 1.0f);
    Expect(a.GetValue(4), 0.0f);
    SetVectorMask<float>(2);
    Adds<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    Expect(a.GetValue(1), 2.0f);
    Expect(a.GetValue(2), 1.0f);
    ResetMask();
    Adds<float, false>(a, a, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    Expect(a.GetValue(63), 1.0f);
}
