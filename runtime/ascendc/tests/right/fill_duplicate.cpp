// Duplicate in its forms and element types.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf;
    pipe.InitBuffer(aBuf, 128 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>();
    TBuf<TPosition::VECCALC> hBuf;
    pipe.InitBuffer(hBuf, 128 * sizeof(half));
    LocalTensor<half> h = hBuf.Get<half>();
    TBuf<TPosition::VECCALC> uBuf;
    pipe.InitBuffer(uBuf, 32 * sizeof(uint16_t));
    LocalTensor<uint16_t> u = uBuf.Get<uint16_t>();
    Duplicate(a, 1.5f, 128);
    for (int i = 0; i < 128; ++i) {
        Expect(a.GetValue(i), 1.5f, i);
    }
    Duplicate(a, 2.5f, uint64_t(3), uint8_t(2), uint16_t(1), uint8_t(8));
    Expect(a.GetValue(66), 2.5f);
    Expect(a.GetValue(67), 1.5f);
    uint64_t bits[2] = {1, 1};
    Duplicate(h, half(0), 128);
    Duplicate(h, half(4), bits, 1, 1, 8);
    Expect(h.GetValue(0), 4.0f);
    Expect(h.GetValue(1), 0.0f);
    Expect(h.GetValue(64), 4.0f);
    Duplicate<uint16_t>(u, 0xffff, 32);
    Expect(u.GetValue(31), 0xffff);
}
