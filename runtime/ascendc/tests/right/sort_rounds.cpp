// 1024 scores in falling order: lists of 32, then of 128 and 512 by repeats, then two lists to one.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    constexpr uint32_t COUNT = 1024;
    TPipe pipe;
    TBuf<TPosition::VECCALC> scoreBuf, indexBuf, aBuf, bBuf;
    pipe.InitBuffer(scoreBuf, COUNT * sizeof(float));
    pipe.InitBuffer(indexBuf, COUNT * sizeof(uint32_t));
    pipe.InitBuffer(aBuf, COUNT * 8);
    pipe.InitBuffer(bBuf, COUNT * 8);
    LocalTensor<float> scores = scoreBuf.Get<float>();
    LocalTensor<uint32_t> indices = indexBuf.Get<uint32_t>();
    LocalTensor<float> a = aBuf.Get<float>();
    LocalTensor<float> b = bBuf.Get<float>();
    for (uint32_t i = 0; i < COUNT; ++i) {
        scores.SetValue(i, float(i * 389 % COUNT));
        indices.SetValue(i, i);
    }
    Sort32<float>(a, scores, indices, COUNT / 32);
    uint32_t length = 32;
    for (int round = 0; round < 2; ++round) {
        MrgSort4Info info;
        for (int i = 0; i < 4; ++i) {
            info.elementLengths[i] = length;
        }
        info.validBit = 0b1111;
        info.repeatTimes = COUNT / length / 4;
        MrgSortSrcList<float> lists;
        lists.src1 = a[0];
        lists.src2 = a[length * 2];
        lists.src3 = a[length * 4];
        lists.src4 = a[length * 6];
        MrgSort<float>(b, lists, info);
        const LocalTensor<float> done = b;
        b = a;
        a = done;
        length *= 4;
    }
    MrgSort4Info last;
    last.elementLengths[0] = last.elementLengths[1] = 512;
    last.validBit = 0b11;
    MrgSortSrcList<float> two;
    two.src1 = a[0];
    two.src2 = a[1024];
    MrgSort<float>(b, two, last);
    uint16_t taken[4];
    GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);
    Expect(taken[0] + taken[1], 1024);
    const LocalTensor<uint32_t> found = b.ReinterpretCast<uint32_t>();
    for (uint32_t i = 0; i < COUNT; ++i) {
        const uint32_t want = COUNT - 1 - i;
        Expect(b.GetValue(2 * i), float(want), i);
        Expect(found.GetValue(2 * i + 1) * 389 % COUNT, want, i);
    }
}
