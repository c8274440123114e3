// RmsNorm of rows 3, 4, 0, ..: the root of the mean of their squares over 2 elements is 3.5355, over 16 it is 1.25. With padding, in place,
// in two parts with a tail, in half, and as a basic block.
#include "check.h"
using namespace AscendC;

template <typename T>
__aicore__ inline void Rows(uint32_t rows, uint32_t real, bool given)
{
    constexpr uint32_t H = 16;
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, gBuf, tmpBuf;
    pipe.InitBuffer(xBuf, rows * H * sizeof(T));
    pipe.InitBuffer(yBuf, rows * H * sizeof(T));
    pipe.InitBuffer(gBuf, H * sizeof(T));
    pipe.InitBuffer(tmpBuf, 1024);
    LocalTensor<T> x = xBuf.Get<T>(), y = yBuf.Get<T>(), gamma = gBuf.Get<T>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    for (uint32_t i = 0; i < rows * H; ++i) {
        x.SetValue(i, T(i % H == 0 ? 3.0f : i % H == 1 ? 4.0f : i % H < real ? 0.0f : 50.0f));
    }
    for (uint32_t i = 0; i < H; ++i) {
        gamma.SetValue(i, T(i == 1 ? 0.5f : 1.0f));
    }
    RmsNormTiling tiling;
    tiling.bLength = 1;
    tiling.sLength = rows;
    tiling.hLength = H;
    tiling.originalHLength = real;
    tiling.reciprocalOfHLength = 1.0f / float(real);
    tiling.mainBsLength = 2;
    tiling.mainBshLength = 2 * H;
    tiling.mainBsLengthAlign = 8;
    tiling.loopRound = rows / 2;
    tiling.tailBsLength = rows % 2;
    tiling.tailBshLength = rows % 2 * H;
    tiling.inputTailPos = rows / 2 * 2 * H;
    const float root = real == 2 ? 3.53553391f : 1.25f;
    const float part = sizeof(T) == 2 ? 1.0f / 1024 : 1.0f / (1 << 22);
    const auto check = [&](const LocalTensor<T> &of) {
        for (uint32_t r = 0; r < rows; ++r) {
            Near(of.GetValue(r * H), 3.0f / root, part, r);
            Near(of.GetValue(r * H + 1), 2.0f / root, part, r);
            Near(of.GetValue(r * H + 15), real == 2 ? 50.0f / root : 0.0f, part, r); // the padding, too
        }
    };
    if (given) {
        RmsNorm<T>(y, x, gamma, tmp, T(0.0f), tiling);
        check(y);
    }
    RmsNorm(y, x, gamma, T(0.0f), tiling);
    check(y);
    RmsNorm(x, x, gamma, T(0.0f), tiling);
    check(x);
}

extern "C" __global__ __aicore__ void k()
{
    Rows<float>(3, 2, true);
    Rows<float>(4, 16, false);
    Rows<half>(3, 2, true);
    Rows<half>(5, 16, true);

    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf;
    pipe.InitBuffer(xBuf, 8 * 64 * 4);
    pipe.InitBuffer(yBuf, 8 * 64 * 4);
    LocalTensor<float> x = xBuf.Get<float>(), y = yBuf.Get<float>();
    Duplicate(x, 2.0f, 512);
    TBuf<TPosition::VECCALC> gBuf;
    pipe.InitBuffer(gBuf, 256);
    LocalTensor<float> gamma = gBuf.Get<float>();
    Duplicate(gamma, 3.0f, 64);
    RmsNormTiling tiling{2, 4, 64, 64, 1.0f / 64, 512, 8, 8, 1, 512, 0, 0};
    RmsNorm<float, true>(y, x, gamma, 12.0f, tiling);
    Expect(y.GetValue(511), 1.5f); // 2 / sqrt(4 + 12) * 3
}
