// Count, mask and bits forms of Add, and whole tensors.
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
    TBuf<TPosition::VECCALC> cBuf;
    pipe.InitBuffer(cBuf, 128 * sizeof(float));
    LocalTensor<float> c = cBuf.Get<float>();
    for (int i = 0; i < 128; ++i) {
        a.SetValue(i, i);
    }
    for (int i = 0; i < 128; ++i) {
        b.SetValue(i, 2 * i);
    }
    for (int i = 0; i < 128; ++i) {
        c.SetValue(i, -1);
    }
    Add(c, a, b, 70);
    Expect(c.GetValue(69), 207.0f);
    Expect(c.GetValue(70), -1.0f);
    Sub(c, b, a, uint64_t(3), uint8_t(2), BinaryRepeatParams(1, 1, 1, 8, 8, 8));
    Expect(c.GetValue(2), 2.0f);
    Expect(c.GetValue(3), 9.0f);
    Expect(c.GetValue(66), 66.0f);
    uint64_t bits[2] = {0x5, 0};
    Mul(c, a, b, bits, 1, {1, 1, 1, 8, 8, 8});
    Expect(c.GetValue(1), 1.0f);
    Expect(c.GetValue(2), 8.0f);
    c = a + b;
    Expect(c.GetValue(127), 381.0f);
    c = a - b;
    Expect(c.GetValue(127), -127.0f);
    c = a * b;
    Expect(c.GetValue(3), 18.0f);
    c = b / a;
    Expect(c.GetValue(127), 2.0f);
}
