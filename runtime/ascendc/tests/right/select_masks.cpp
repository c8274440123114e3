// Select writes where its mask is on: by number, by bits, in counter mode, by the registers; elsewhere dst stays.
#include "check.h"
using namespace AscendC;

constexpr float OLD = -9.0f;

__aicore__ inline void Holds(const LocalTensor<float> &dst, bool (*on)(int), bool (*first)(int), float second)
{
    for (int i = 0; i < 128; ++i) {
        Expect(dst.GetValue(i), !on(i) ? OLD : first(i) ? float(i) : second, i);
    }
    Duplicate(dst, OLD, 128);
}

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, bBuf, dBuf, mBuf;
    pipe.InitBuffer(aBuf, 512);
    pipe.InitBuffer(bBuf, 512);
    pipe.InitBuffer(dBuf, 512);
    pipe.InitBuffer(mBuf, 32);
    LocalTensor<float> a = aBuf.Get<float>(), b = bBuf.Get<float>(), d = dBuf.Get<float>();
    LocalTensor<uint8_t> m = mBuf.Get<uint8_t>();
    CreateVecIndex(a, 0.0f, 128);
    Duplicate(b, 5.0f, 128);
    Duplicate(d, OLD, 128);
    for (int i = 0; i < 32; ++i) {
        m.SetValue(i, i < 8 ? 0x0f : 0xf0); // of each eight the first four, in the second repeat the last four
    }
    const BinaryRepeatParams p{1, 1, 1, 8, 8, 8};
    const auto again = [](int i) { return i % 8 < 4; };
    const auto onward = [](int i) { return (i % 8 < 4) == (i < 64); };

    const auto three = [](int i) { return i % 64 < 3; };
    Select(d, m, a, b, SELMODE::VSEL_CMPMASK_SPR, uint64_t(3), uint8_t(2), p);
    Holds(d, three, again, 5.0f);
    Select(d, m, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, uint64_t(3), uint8_t(2), p);
    Holds(d, three, onward, 5.0f);
    Select(d, m, a, 7.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, uint64_t(3), uint8_t(2), p);
    Holds(d, three, onward, 7.0f);

    uint64_t bits[2] = {0x0f00000000000012, 0};
    const auto some = [](int i) { return i % 64 == 1 || i % 64 == 4 || i % 64 / 4 == 14; };
    Select(d, m, a, b, SELMODE::VSEL_CMPMASK_SPR, bits, uint8_t(2), p);
    Holds(d, some, again, 5.0f);
    Select(d, m, a, b, SELMODE::VSEL_TENSOR_TENSOR_MODE, bits, uint8_t(2), p);
    Holds(d, some, onward, 5.0f);
    Select(d, m, a, 7.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, bits, uint8_t(2), p);
    Holds(d, some, onward, 7.0f);
    // The operand holds, whatever isSetMask says.
    Select<float, uint8_t, false>(d, m, a, b, SELMODE::VSEL_CMPMASK_SPR, bits, uint8_t(2), p);
    Holds(d, some, again, 5.0f);

    // In counter mode the low word is a number of elements, and repeats follow from it.
    const auto hundred = [](int i) { return i < 100; };
    uint64_t count[2] = {100, 0};
    SetMaskCount();
    Select(d, m, a, b, SELMODE::VSEL_CMPMASK_SPR, count, uint8_t(1), p);
    SetMaskNorm();
    Holds(d, hundred, again, 5.0f);

    // Without the operand the registers hold.
    SetCmpMask(m);
    SetVectorMask<float>(0, bits[0]);
    Select<float, SELMODE::VSEL_CMPMASK_SPR>(d, a, b, 2, p);
    Holds(d, some, again, 5.0f);
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(0, 100);
    Select<float, SELMODE::VSEL_CMPMASK_SPR>(d, a, b, 1, p);
    SetMaskNorm();
    ResetMask();
    Holds(d, hundred, again, 5.0f);

    // Lanes that are off need no value in any source.
    TBuf<TPosition::VECCALC> poor;
    pipe.InitBuffer(poor, 512);
    LocalTensor<float> few = poor.Get<float>();
    few.SetValue(1, 1.0f);
    few.SetValue(4, 4.0f);
    bits[0] = 0x12;
    Select(d, m, few, b, SELMODE::VSEL_CMPMASK_SPR, bits, uint8_t(1), p);
    Holds(d, [](int i) { return i == 1 || i == 4; }, again, 5.0f);
}
