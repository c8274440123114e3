// Rows of a softmax against values that Python's math computed in double: with sums and largest numbers or without, in place, in padding.
#include "check.h"
using namespace AscendC;

// Of the row 0, 1, 2, 3, 4, 0, 1, 2, ..., 8 elements.
constexpr float LARGEST = 4.0f;
constexpr float SUM = 1.77475542f;

template <typename T, typename U>
__aicore__ inline void Rows(uint32_t real)
{
    constexpr uint32_t M = 3, K = 16;
    constexpr uint32_t block = 32 / sizeof(U);
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, sumBuf, maxBuf, tmpBuf;
    pipe.InitBuffer(xBuf, M * K * sizeof(T));
    pipe.InitBuffer(yBuf, M * K * sizeof(T));
    pipe.InitBuffer(sumBuf, M * 32);
    pipe.InitBuffer(maxBuf, M * 32);
    pipe.InitBuffer(tmpBuf, 2048);
    LocalTensor<T> x = xBuf.Get<T>(), y = yBuf.Get<T>();
    LocalTensor<U> sum = sumBuf.Get<U>(), max = maxBuf.Get<U>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    const SoftMaxShapeInfo shape{M, K, M, real};
    SoftMaxTiling tiling;
    tiling.srcM = M;
    tiling.srcK = K;
    const auto fill = [&] {
        for (uint32_t i = 0; i < M * K; ++i) {
            if (i % K < real) {
                x.SetValue(i, T(float(i % K % 5) + float(i / K)));
            }
        }
    };
    const float part = sizeof(T) == 2 ? 1.0f / 512 : 1.0f / (1 << 20);
    const auto check = [&](const LocalTensor<T> &of) {
        const float all[5] = {0.0103200918f, 0.028052918f, 0.0762557373f, 0.207284585f, 0.563457921f};
        for (uint32_t i = 0; i < M * K; ++i) {
            if (i % K < real) {
                Near(of.GetValue(i), all[i % K % 5], part, i);
            }
        }
    };
    const auto beside = [&] {
        for (uint32_t i = 0; i < M * block; ++i) {
            Near(max.GetValue(i), LARGEST + float(i / block), part, i);
            Near(sum.GetValue(i), SUM, sizeof(U) == 2 ? 1.0f / 512 : 1.0f / (1 << 20), i);
        }
    };
    fill();
    SoftMax<T>(y, sum, max, x, tmp, tiling, shape);
    check(y);
    beside();
    SoftMax<T>(y, sum, max, x, tiling, shape);
    check(y);
    beside();
    SoftMax<T>(y, x, tmp, tiling, shape);
    check(y);
    SoftMax<T>(x, x, tiling, shape);
    check(x);
}

extern "C" __global__ __aicore__ void k()
{
    Rows<float, float>(8);
    Rows<half, half>(8);
    Rows<half, float>(8);
}
