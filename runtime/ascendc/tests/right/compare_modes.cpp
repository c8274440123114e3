// Bits of every mode; with a nan all say no.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 64 * sizeof(float));
    LocalTensor<float> b = bBuf.Get<float>();
    TBuf<TPosition::VECCALC> mBuf;
    pipe.InitBuffer(mBuf, 32 * sizeof(uint8_t));
    LocalTensor<uint8_t> m = mBuf.Get<uint8_t>();
    for (int i = 0; i < 64; ++i) {
        a.SetValue(i, i % 4);
    }
    for (int i = 0; i < 64; ++i) {
        b.SetValue(i, 1);
    }
    a.SetValue(7, 0.0f / 0.0f);
    const struct {
        CMPMODE mode;
        uint8_t low;
    } rows[] = {{CMPMODE::LT, 0x11}, {CMPMODE::GT, 0x4c}, {CMPMODE::EQ, 0x22}, {CMPMODE::LE, 0x33}, {CMPMODE::GE, 0x6e}, {CMPMODE::NE, 0x5d}};
    for (const auto &row : rows) {
        Compare(m, a, b, row.mode, 64);
        Expect(m.GetValue(0), row.low);
        CompareScalar(m, a, 1.0f, row.mode, 64);
        Expect(m.GetValue(0), row.low);
        Compares(m, a, 1.0f, row.mode, 64);
        Expect(m.GetValue(0), row.low);
    }
    m = a < b;
    Expect(m.GetValue(1), 0x11);
    m = a >= b;
    Expect(m.GetValue(1), 0xee);
}
