// Bits of 16-bit integers.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 32 * sizeof(uint16_t));
    LocalTensor<uint16_t> a = aBuf.Get<uint16_t>();
    TBuf<TPosition::VECCALC> bBuf;
    pipe.InitBuffer(bBuf, 32 * sizeof(uint16_t));
    LocalTensor<uint16_t> b = bBuf.Get<uint16_t>();
    TBuf<TPosition::VECCALC> cBuf;
    pipe.InitBuffer(cBuf, 32 * sizeof(uint16_t));
    LocalTensor<uint16_t> c = cBuf.Get<uint16_t>();
    for (int i = 0; i < 32; ++i) {
        a.SetValue(i, 0xff00 + i);
    }
    for (int i = 0; i < 32; ++i) {
        b.SetValue(i, 0x0ff0);
    }
    And(c, a, b, 32);
    for (int i = 0; i < 32; ++i) {
        Expect(c.GetValue(i), (0xff00 + i) & 0x0ff0, i);
    }
    Or(c, a, b, 32);
    for (int i = 0; i < 32; ++i) {
        Expect(c.GetValue(i), (0xff00 + i) | 0x0ff0, i);
    }
    Not(c, a, 32);
    for (int i = 0; i < 32; ++i) {
        Expect(c.GetValue(i), uint16_t(~(0xff00 + i)), i);
    }
    c = a & b;
    Expect(c.GetValue(31), (0xff00 + 31) & 0x0ff0);
    c = a | b;
    Expect(c.GetValue(31), (0xff00 + 31) | 0x0ff0);
}
