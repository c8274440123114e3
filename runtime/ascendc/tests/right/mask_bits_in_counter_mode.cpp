// In counter mode the low word of mask[] is a number of elements, of every form that takes one; repeatTime has no effect.
#include "check.h"
using namespace AscendC;

template <typename F>
__aicore__ inline void Row(const LocalTensor<float> &dst, float want, F call)
{
    uint64_t mask[2] = {100, ~0ull};
    Duplicate(dst, -9.0f, 128);
    SetMaskCount();
    call(mask);
    SetMaskNorm();
    for (int i = 0; i < 128; ++i) {
        Expect(dst.GetValue(i), i < 100 ? want : -9.0f, i);
    }
}

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, dBuf, hBuf, oBuf;
    pipe.InitBuffer(aBuf, 512);
    pipe.InitBuffer(dBuf, 512);
    pipe.InitBuffer(hBuf, 256);
    pipe.InitBuffer(oBuf, 512);
    LocalTensor<float> a = aBuf.Get<float>(), d = dBuf.Get<float>();
    LocalTensor<half> h = hBuf.Get<half>();
    LocalTensor<uint32_t> o = oBuf.Get<uint32_t>();
    Duplicate(a, 4.0f, 128);
    Duplicate(h, half(4.0f), 128);
    Duplicate(o, 0u, 128);
    Row(d, 2.0f, [&](uint64_t *mask) { Sqrt(d, a, mask, 1, {1, 1, 8, 8}); });
    Row(d, 5.0f, [&](uint64_t *mask) { Adds(d, a, 1.0f, mask, 1, {1, 1, 8, 8}); });
    Row(d, 8.0f, [&](uint64_t *mask) { Add(d, a, a, mask, 1, {1, 1, 1, 8, 8, 8}); });
    Row(d, 7.0f, [&](uint64_t *mask) { Duplicate(d, 7.0f, mask, 1, 1, 8); });
    Row(d, -1.0f, [&](uint64_t *mask) { Axpy(d, a, 2.0f, mask, 1, {1, 1, 8, 8}); });
    Row(d, 4.0f, [&](uint64_t *mask) { Cast(d, h, RoundMode::CAST_NONE, mask, 1, {1, 1, 8, 4}); });
    Row(d, 4.0f, [&](uint64_t *mask) { Gather(d, a, o, 0, mask, 1, 8); });

    // A result a repeat, a data block, a pair; the last repeat has 36 elements.
    uint64_t mask[2] = {100, 0};
    const uint64_t *read = mask;
    Duplicate(d, -9.0f, 128);
    SetMaskCount();
    WholeReduceSum(d, a, read, 1, 1, 1, 8);
    WholeReduceMax(d[8], a, read, 1, 1, 1, 8);
    BlockReduceSum(d[16], a, 1, read, 1, 1, 8);
    PairReduceSum(d[32], a, 1, read, 1, 1, 8);
    SetMaskNorm();
    Expect(d.GetValue(0), 256.0f);
    Expect(d.GetValue(1), 144.0f);
    Expect(d.GetValue(2), -9.0f);
    Expect(d.GetValue(10), 4.0f);
    Expect(d.GetValue(12), -9.0f);
    for (int i = 0; i < 16; ++i) {
        Expect(d.GetValue(16 + i), i < 12 ? 32.0f : i < 13 ? 16.0f : -9.0f, i);
    }
    for (int i = 0; i < 64; ++i) {
        Expect(d.GetValue(32 + i), i < 50 ? 8.0f : -9.0f, i);
    }
}
