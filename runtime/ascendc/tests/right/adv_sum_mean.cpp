// Sums and means of rows: in one repeat, in several, and in repeats of repeats; padding of a row takes no part.
#include "check.h"
using namespace AscendC;

template <typename T, typename Acc>
__aicore__ inline void Rows(uint32_t n, uint32_t outter)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, tmpBuf;
    const uint32_t inner = (n * sizeof(T) + 31) / 32 * 32 / sizeof(T);
    pipe.InitBuffer(xBuf, outter * inner * sizeof(T));
    pipe.InitBuffer(yBuf, 64);
    pipe.InitBuffer(tmpBuf, 32768);
    LocalTensor<T> x = xBuf.Get<T>(), y = yBuf.Get<T>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    for (uint32_t row = 0; row < outter; ++row) {
        for (uint32_t i = 0; i < n; ++i) {
            x.SetValue(row * inner + i, T(float(i % 3 == 0) + float(row)));
        }
    }
    const auto check = [&](bool mean) {
        for (uint32_t row = 0; row < outter; ++row) {
            const float sum = float((n + 2) / 3) + float(n) * float(row);
            Near(y.GetValue(row), mean ? sum / float(n) : sum, 1.0f / 512, row);
        }
    };
    Sum(y, x, tmp, SumParams{outter, inner, n});
    check(false);
    Sum<T>(y, x, SumParams{outter, inner, n});
    check(false);
    Mean<T, Acc>(y, x, tmp, MeanParams{outter, inner, n});
    check(true);
    Mean<T, Acc>(y, x, MeanParams{outter, inner, n});
    check(true);
}

extern "C" __global__ __aicore__ void k()
{
    Rows<float, float>(1, 1);
    Rows<float, float>(64, 3);
    Rows<float, float>(100, 3);
    Rows<float, float>(5000, 2);
    Rows<half, half>(3, 3);
    Rows<half, half>(300, 2);
    Rows<half, float>(300, 2);
    Rows<half, float>(70, 3);
}
