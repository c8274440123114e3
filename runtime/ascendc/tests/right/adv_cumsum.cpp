// Running sums along rows and columns, with the last row, in place, and of half that is float on the way.
#include "check.h"
using namespace AscendC;

constexpr CumSumConfig COLUMNS = {false, false, true};
constexpr CumSumConfig ROWS_ALONE = {true};

template <typename T, const CumSumConfig &config>
__aicore__ inline void Sums(uint32_t outter, uint32_t inner, bool in_place)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, lastBuf, tmpBuf;
    pipe.InitBuffer(xBuf, outter * inner * sizeof(T));
    pipe.InitBuffer(yBuf, outter * inner * sizeof(T));
    pipe.InitBuffer(lastBuf, inner * sizeof(T));
    pipe.InitBuffer(tmpBuf, 32768);
    LocalTensor<T> x = xBuf.Get<T>(), y = in_place ? x : yBuf.Get<T>(), last = lastBuf.Get<T>();
    LocalTensor<uint8_t> tmp = tmpBuf.Get<uint8_t>();
    const auto fill = [&] {
        for (uint32_t i = 0; i < outter * inner; ++i) {
            x.SetValue(i, T(float(i % 5)));
        }
    };
    const auto check = [&] {
        for (uint32_t row = 0; row < outter; ++row) {
            for (uint32_t column = 0; column < inner; ++column) {
                float sum = 0;
                for (uint32_t i = 0; i <= (config.isLastAxis ? column : row); ++i) {
                    sum += float((config.isLastAxis ? row * inner + i : i * inner + column) % 5);
                }
                Expect(float(y.GetValue(row * inner + column)), sum);
                if (config.outputLastRow && row == outter - 1) {
                    Expect(float(last.GetValue(column)), sum);
                }
            }
        }
    };
    const CumSumInfo shape{outter, inner};
    fill();
    CumSum<T, config>(y, last, x, tmp, shape);
    check();
    fill();
    CumSum<T, config>(y, last, x, shape);
    check();
}

extern "C" __global__ __aicore__ void k()
{
    Sums<float, defaultCumSumConfig>(3, 16, false);
    Sums<float, COLUMNS>(5, 8, true);
    Sums<half, ROWS_ALONE>(17, 32, false);
    Sums<half, COLUMNS>(4, 16, true);
}
