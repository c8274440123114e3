// AddReluCast, SubReluCast and MulCast: every pair of types, masks of the wider one, what is beyond the narrower one.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 8192);
    LocalTensor<float> f = buf.Get<float>();
    LocalTensor<half> h = buf.Get<half>();
    LocalTensor<int16_t> s = buf.Get<int16_t>();
    LocalTensor<half> g = buf.Get<half>()[2048];
    LocalTensor<int8_t> c = buf.Get<int8_t>()[6144];
    LocalTensor<uint8_t> u = buf.Get<uint8_t>()[6144];
    for (int i = 0; i < 64; ++i) {
        f.SetValue(i, i - 31.25f);
        f.SetValue(64 + i, i == 3 ? 3.4e38f : 0.0f);
    }
    AddReluCast(g, f, f[64], 64);
    for (int i = 0; i < 64; ++i) {
        Expect(float(g.GetValue(i)), i == 3 ? 65504.0f : i < 32 ? 0.0f : i - 31.25f, i);
    }
    SubReluCast(g, f[64], f, 64, 1, {1, 1, 1, 4, 8, 8});
    for (int i = 0; i < 64; ++i) {
        Expect(float(g.GetValue(i)), i == 3 ? 65504.0f : i < 32 ? 31.25f - i : 0.0f, i);
    }
    for (int i = 0; i < 256; ++i) {
        h.SetValue(i, half(i % 2 == 0 ? i + 0.5f : -i));
        h.SetValue(256 + i, half(2.0f));
    }
    // 0.5 and 2.5 to even; every other lane of two repeats.
    Duplicate(s[3072], int16_t(0x0505), 128);
    uint64_t mask[2] = {0x5555555555555555ull, 0x5555555555555555ull};
    MulCast(c, h, h[256], mask, 2, {1, 1, 1, 4, 8, 8});
    AddReluCast(g.ReinterpretCast<int8_t>(), h, h[256], mask, 2, {1, 1, 1, 4, 8, 8});
    for (int i = 0; i < 256; ++i) {
        const int twice = 2 * i + 1, two = i + 2;
        Expect(int(c.GetValue(i)), i % 2 != 0 ? 5 : twice > 127 ? 127 : twice, i);
        if (i % 2 == 0) {
            Expect(int(g.ReinterpretCast<int8_t>().GetValue(i)), two > 127 ? 127 : two, i);
        }
    }
    MulCast(u, h, h[256], 200);
    for (int i = 0; i < 200; ++i) {
        Expect(int(u.GetValue(i)), i % 2 != 0 ? 0 : 2 * i + 1 > 255 ? 255 : 2 * i + 1, i);
    }
    for (int i = 0; i < 32; ++i) {
        s.SetValue(i, i == 5 ? 32767 : i - 9);
        s.SetValue(32 + i, i == 5 ? 32767 : i == 6 ? -32768 : 1);
    }
    AddReluCast(c, s, s[32], 32);
    for (int i = 0; i < 32; ++i) {
        Expect(int(c.GetValue(i)), i == 5 ? 127 : i - 8 > 0 ? i - 8 : 0, i);
    }
    SubReluCast(c, s, s[32], 32);
    for (int i = 0; i < 32; ++i) {
        Expect(int(c.GetValue(i)), i == 6 ? 127 : i - 10 > 0 && i != 5 ? i - 10 : 0, i);
    }
}
