// DataCopy inside UB and Copy with strides.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 128 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 128 * sizeof(float));
    LocalTensor<float> b = bBuf.Get<float>();
    for (int i = 0; i < 128; ++i) {
        a.SetValue(i, i);
    }
    for (int i = 0; i < 128; ++i) {
        b.SetValue(i, 0);
    }
    DataCopy(b, a, 16);
    Expect(b.GetValue(15), 15.0f);
    DataCopy(b, a, DataCopyParams(2, 1, 1, 1));
    Expect(b.GetValue(16), 16.0f);
    Copy(b, a, uint64_t(64), uint8_t(2), CopyRepeatParams(1, 1, 8, 8));
    for (int i = 0; i < 128; ++i) {
        Expect(b.GetValue(i), float(i), i);
    }
    Copy(b, a, uint64_t(8), uint8_t(2), {1, 1, 1, 2});
    Expect(b.GetValue(8), 16.0f);
}
