// And, Or and Not of masks: the answers about padding have no value, their neighbours in a word have one.
// gm x: float[37] = 1 -1
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR x)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf, maskBuf;
    pipe.InitBuffer(xBuf, 64 * sizeof(float));
    pipe.InitBuffer(yBuf, 64 * sizeof(float));
    pipe.InitBuffer(maskBuf, 32);
    LocalTensor<float> a = xBuf.Get<float>();
    LocalTensor<float> b = yBuf.Get<float>();
    LocalTensor<uint8_t> mask = maskBuf.Get<uint8_t>();
    LocalTensor<uint16_t> words = mask.ReinterpretCast<uint16_t>();
    GlobalTensor<float> gx;
    gx.SetGlobalBuffer((__gm__ float *)x, 37);
    DataCopyPad(a, gx, {1, 37 * sizeof(float), 0, 0, 0}, {false, 0, 0, 0});
    PipeBarrier<PIPE_ALL>();
    CompareScalar(mask, a, 0.0f, CMPMODE::GE, 64);
    And(words, words, words, 4);
    Or(words, words, words, 4);
    Not(words, words, 4);
    Not(words, words, 4);
    uint64_t kept = 0;
    GatherMask(b, a, mask.ReinterpretCast<uint32_t>(), true, 37, {1, 1, 0, 0}, kept);
    Expect(kept, uint64_t(19));
    Expect(b.GetValue(18), 1.0f);
}
