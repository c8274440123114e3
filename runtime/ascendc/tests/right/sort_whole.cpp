// Concat, Sort, Extract and MrgSort with lists, in half and float: 96 numbers, of which 7 and 8 are each there twice.
#include "check.h"
using namespace AscendC;

template <typename T>
__aicore__ inline float At(int i)
{
    const int number = i * 37 % 96;
    return float(number == 8 ? 7 : number);
}

template <typename T>
__aicore__ inline void All()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, nBuf, sortedBuf, tmpBuf, valueBuf, indexBuf;
    pipe.InitBuffer(xBuf, 96 * sizeof(T));
    pipe.InitBuffer(nBuf, 96 * 4);
    pipe.InitBuffer(sortedBuf, 96 * 8);
    pipe.InitBuffer(tmpBuf, 96 * 8);
    pipe.InitBuffer(valueBuf, 96 * sizeof(T));
    pipe.InitBuffer(indexBuf, 96 * 8); // of half Extract writes twice as many on a chip
    LocalTensor<T> x = xBuf.Get<T>(), sorted = sortedBuf.Get<T>(), tmp = tmpBuf.Get<T>(), value = valueBuf.Get<T>(), concat;
    LocalTensor<uint32_t> n = nBuf.Get<uint32_t>(), index = indexBuf.Get<uint32_t>();
    for (int i = 0; i < 96; ++i) {
        x.SetValue(i, T(At<T>(i)));
        n.SetValue(i, 1000 + i);
    }
    Concat(concat, x, tmp, 6);
    Sort<T, true>(sorted, concat, n, tmp, 3);
    Extract(value, index, sorted, 3);
    const auto is_sorted = [&] {
        for (int i = 0; i < 96; ++i) {
            const int number = 95 - i;
            Expect(value.GetValue(i), float(number == 8 ? 7 : number), i);
            Expect(At<T>(index.GetValue(i) - 1000), float(number == 8 ? 7 : number), i);
        }
        // Of equal ones the first comes first.
        Expect(index.GetValue(87) < index.GetValue(88), true);
    };
    is_sorted();

    // Each 32 by themselves, then merged.
    Sort<T, false>(sorted, concat, n, tmp, 3);
    const uint32_t step = GetSortOffset<T>(32);
    Expect(GetSortLen<T>(32), 256 / sizeof(T));
    const uint16_t lengths[4] = {32, 32, 32, 0};
    uint32_t taken[4] = {9, 9, 9, 9};
    MrgSort<T>(tmp, MrgSortSrcList<T>(sorted, sorted[step], sorted[2 * step], sorted), lengths, taken, 0b111, 1);
    Expect(taken[0], 9u);
    Extract(value, index, tmp, 3);
    is_sorted();
    MrgSort<T, true>(tmp, MrgSortSrcList<T>(sorted, sorted[step], sorted[2 * step], sorted), lengths, taken, 0b111, 1);
    Expect(taken[0] == 32 || taken[1] == 32 || taken[2] == 32, true);
    Expect(taken[3], 0u);
}

extern "C" __global__ __aicore__ void k()
{
    All<float>();
    All<half>();
}
