// What instructions leave in the mask registers: their own mask, after a count every element in normal mode, and Compare leaves them.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, bBuf, dBuf, mBuf;
    pipe.InitBuffer(aBuf, 512);
    pipe.InitBuffer(bBuf, 512);
    pipe.InitBuffer(dBuf, 512);
    pipe.InitBuffer(mBuf, 32);
    LocalTensor<float> a = aBuf.Get<float>(), b = bBuf.Get<float>(), d = dBuf.Get<float>();
    Duplicate(a, 1.0f, 128);
    // Whether `on` says which elements an instruction takes that reads the registers, for two repeats.
    const auto row = [&](auto before, bool (*on)(int)) {
        SetMaskNorm();
        Duplicate(d, -9.0f, 128);
        Duplicate(b, 0.0f, 128);
        before();
        Adds<float, false>(d, a, 1.0f, MASK_PLACEHOLDER, 2, {1, 1, 8, 8});
        SetMaskNorm();
        for (int i = 0; i < 128; ++i) {
            Expect(d.GetValue(i), on(i) ? 2.0f : -9.0f, i);
        }
    };
    const auto all = [](int) { return true; };
    uint64_t bits[2] = {0x81, 0}, count[2] = {70, 0};
    row([&] { Add(b, a, a, uint64_t(5), 1, {1, 1, 1, 8, 8, 8}); }, [](int i) { return i % 64 < 5; });
    row([&] { Muls(b, a, 2.0f, bits, 1, {1, 1, 8, 8}); }, [](int i) { return i % 64 == 0 || i % 64 == 7; });
    row([&] { SetVectorMask<float>(0, 1); Exp(b, a, 8); }, all);
    row([&] { SetMaskCount(); SetVectorMask<float>(0, 70); Cast(b.ReinterpretCast<int32_t>(), a, RoundMode::CAST_RINT, 8); }, all);
    row([&] { SetMaskCount(); Muls(b, a, 2.0f, count, 1, {1, 1, 8, 8}); }, [](int i) { return i < 70; });
    row([&] { SetVectorMask<float>(0, 1); Compare(mBuf.Get<uint8_t>(), a, b, CMPMODE::LT, 64); }, [](int i) { return i % 64 == 0; });
    row([&] { SetVectorMask<float>(0, 1); Select(b, mBuf.Get<uint8_t>(), a, b, SELMODE::VSEL_CMPMASK_SPR, 64); }, all);
    row([&] { Copy(b, a, uint64_t(3), 1, {1, 1, 8, 8}); }, [](int i) { return i % 64 < 3; });
    row([&] { SetVectorMask<float>(0, 1); ReduceSum(b, a, b[64], 64); }, all);
    uint64_t got = 0;
    row([&] { GatherMask(b, a, 1, true, 5, {1, 1, 8, 0}, got); }, [](int i) { return i % 64 == 0 || i % 64 == 2; });
}
