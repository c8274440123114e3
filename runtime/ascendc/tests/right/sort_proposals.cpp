// Region proposals on the inference products: elements in, 16 at a time in falling order, four lists to one, elements out.
// chip: ascend310p3
#include "check.h"
using namespace AscendC;

template <typename T>
__aicore__ inline void SortScores()
{
    constexpr uint32_t COUNT = 64;
    TPipe pipe;
    TBuf<TPosition::VECCALC> scoreBuf, labelBuf, proposalBuf, mergedBuf;
    pipe.InitBuffer(scoreBuf, COUNT * sizeof(T));
    pipe.InitBuffer(labelBuf, COUNT * sizeof(T));
    pipe.InitBuffer(proposalBuf, COUNT * 8 * sizeof(T));
    pipe.InitBuffer(mergedBuf, COUNT * 8 * sizeof(T));
    LocalTensor<T> scores = scoreBuf.Get<T>();
    LocalTensor<T> labels = labelBuf.Get<T>();
    LocalTensor<T> proposals = proposalBuf.Get<T>();
    LocalTensor<T> merged = mergedBuf.Get<T>();
    for (uint32_t i = 0; i < COUNT; ++i) {
        scores.SetValue(i, T(float(i * 37 % COUNT)));
        labels.SetValue(i, T(float(i)));
    }
    ProposalConcat(proposals, scores, COUNT / 16, 4);
    ProposalConcat(proposals, labels, COUNT / 16, 5);
    RpSort16(proposals, proposals, COUNT / 16);
    uint16_t lengths[4] = {16, 16, 16, 16};
    MrgSort4Info info(lengths, false, 15, 1);
    MrgSortSrcList<T> lists(proposals[0], proposals[16 * 8], proposals[32 * 8], proposals[48 * 8]);
    MrgSort4(merged, lists, info);
    ProposalExtract(scores, merged, COUNT / 16, 4);
    ProposalExtract(labels, merged, COUNT / 16, 5);
    for (uint32_t i = 0; i < COUNT; ++i) {
        Expect(scores.GetValue(i), float(COUNT - 1 - i), i);
        Expect(uint32_t(float(labels.GetValue(i))) * 37 % COUNT, COUNT - 1 - i, i);
    }
    pipe.Destroy();
}

extern "C" __global__ __aicore__ void k()
{
    SortScores<half>();
    SortScores<float>();
}
