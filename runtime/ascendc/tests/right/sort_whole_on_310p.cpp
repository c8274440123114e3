// Concat, Sort and Extract on an inference product, whose records are proposals: an index is in the label, of half also in y1.
// chip: ascend310p3
#include "check.h"
using namespace AscendC;

template <typename T>
__aicore__ inline void All()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, nBuf, concatBuf, sortedBuf, tmpBuf, valueBuf, indexBuf;
    pipe.InitBuffer(xBuf, 32 * sizeof(T));
    pipe.InitBuffer(nBuf, 32 * 4);
    pipe.InitBuffer(concatBuf, 32 * 8 * sizeof(T));
    pipe.InitBuffer(sortedBuf, 32 * 8 * sizeof(T));
    pipe.InitBuffer(tmpBuf, 32 * 8 * sizeof(T));
    pipe.InitBuffer(valueBuf, 32 * sizeof(T));
    pipe.InitBuffer(indexBuf, 32 * 4);
    LocalTensor<T> x = xBuf.Get<T>(), sorted = sortedBuf.Get<T>(), tmp = tmpBuf.Get<T>(), value = valueBuf.Get<T>(), concat;
    LocalTensor<T> room = concatBuf.Get<T>();
    LocalTensor<uint32_t> n = nBuf.Get<uint32_t>(), index = indexBuf.Get<uint32_t>();
    for (int i = 0; i < 32; ++i) {
        x.SetValue(i, T(float(i * 5 % 32)));
        n.SetValue(i, 70000 + i);
    }
    Concat(concat, x, room, 2);
    Sort<T, true>(sorted, concat, n, tmp, 2);
    Extract(value, index, sorted, 2);
    for (int i = 0; i < 32; ++i) {
        Expect(value.GetValue(i), float(31 - i), i);
        Expect((index.GetValue(i) - 70000) * 5 % 32, uint32_t(31 - i), i);
    }
    Expect(GetSortOffset<T>(2), 16u);
}

extern "C" __global__ __aicore__ void k()
{
    All<float>();
    All<half>();
}
