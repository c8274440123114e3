// Tensor and tensor, tensor and scalar, the mask of one repeat again and again, the register.
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
    TBuf<TPosition::VECCALC> mBuf;
    pipe.InitBuffer(mBuf, 32 * sizeof(uint8_t));
    LocalTensor<uint8_t> m = mBuf.Get<uint8_t>();
    for (int i = 0; i < 128; ++i) {
        a.SetValue(i, i);
    }
    for (int i = 0; i < 128; ++i) {
        b.SetValue(i, -i);
    }
    for (int i = 0; i < 32; ++i) {
        m.SetValue(i, 0x0f);
    }
    Select(c, m, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, 128);
    for (int i = 0; i < 128; ++i) {
        Expect(c.GetValue(i), i % 8 < 4 ? float(i) : float(-i), i);
    }
    Select(c, m, a, 7.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 128);
    for (int i = 0; i < 128; ++i) {
        Expect(c.GetValue(i), i % 8 < 4 ? float(i) : 7.0f, i);
    }
    m.SetValue(8, 0xff);
    Select(c, m, a, b, SELMODE::VSEL_CMPMASK_SPR, uint64_t(64), uint8_t(2), {1, 1, 1, 8, 8, 8});
    for (int i = 0; i < 128; ++i) {
        Expect(c.GetValue(i), i % 8 < 4 ? float(i) : float(-i), i);
    }
    Compare(a, b, CMPMODE::GT, uint64_t(64), {1, 1, 1, 8, 8, 8});
    Select<float, SELMODE::VSEL_CMPMASK_SPR>(c, a, b, 1, {1, 1, 1, 8, 8, 8});
    Expect(c.GetValue(0), 0.0f);
    Expect(c.GetValue(5), 5.0f);
}
