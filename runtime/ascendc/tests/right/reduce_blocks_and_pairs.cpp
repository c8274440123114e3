// One result a data block, one a pair.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf;
    pipe.InitBuffer(xBuf, 128 * sizeof(float));
    LocalTensor<float> x = xBuf.Get<float>();
    TBuf<TPosition::VECCALC> dBuf;
    pipe.InitBuffer(dBuf, 64 * sizeof(float));
    LocalTensor<float> d = dBuf.Get<float>();
    for (int i = 0; i < 128; ++i) {
        x.SetValue(i, i);
    }
    BlockReduceSum(d, x, 2, 64, 1, 1, 8);
    for (int i = 0; i < 16; ++i) {
        Expect(d.GetValue(i), 8.0f * (8 * i) + 28, i);
    }
    BlockReduceMax(d, x, 2, 64, 1, 1, 8);
    for (int i = 0; i < 16; ++i) {
        Expect(d.GetValue(i), 8.0f * i + 7, i);
    }
    BlockReduceMin(d, x, 2, 64, 1, 1, 8);
    for (int i = 0; i < 16; ++i) {
        Expect(d.GetValue(i), 8.0f * i, i);
    }
    PairReduceSum(d, x, 2, 64, 1, 1, 8);
    for (int i = 0; i < 64; ++i) {
        Expect(d.GetValue(i), 4.0f * i + 1, i);
    }
    ReduceDataBlock<ReduceType::MAX>(d, x, 64, 2, 1, 1, 8);
    Expect(d.GetValue(15), 127.0f);
    ReducePairElem<ReduceType::SUM>(d, x, 64, 2, 1, 1, 8);
    Expect(d.GetValue(63), 253.0f);
    uint64_t bits[2] = {0xff, 0};
    d.SetValue(1, -5.0f);
    BlockReduceSum(d, x, 1, bits, 1, 1, 8);
    Expect(d.GetValue(0), 28.0f);
    Expect(d.GetValue(1), -5.0f);
}
