// Fills, results that a loop carries to its next turn, and results of an instruction that also gives a number may stay unread.
// option: replay 1 2 3
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> aBuf, bBuf;
    pipe.InitBuffer(aBuf, 64 * sizeof(float));
    pipe.InitBuffer(bBuf, 64 * sizeof(float));
    LocalTensor<float> a = aBuf.Get<float>(), b = bBuf.Get<float>();
    Duplicate(a, 3.0f, 64);
    // A fill before each instruction that may leave a part of it.
    Duplicate(b, 0.0f, 64);
    Muls(b, a, 2.0f, 64);
    Expect(b.GetValue(63), 6.0f);
    // The number is used, and the elements are not.
    uint64_t taken = 0;
    GatherMask(b, a, 1, true, 64, {1, 1, 8, 0}, taken);
    Expect(taken, 32u);
    Adds(b, a, 1.0f, 64);
    Expect(b.GetValue(63), 4.0f);
    // Each row ends with a value for a next turn, which there is not.
    for (int row = 0; row < 3; ++row) {
        Adds(b, a, 0.0f, 64);
        for (int turn = 0; turn < 2; ++turn) {
            Expect(b.GetValue(0), 3.0f + float(turn));
            Adds(b, b, 1.0f, 64);
        }
    }
    // A call that is read in one of its turns.
    for (int turn = 0; turn < 2; ++turn) {
        Muls(b, a, 5.0f, 64);
        if (turn == 1) {
            Expect(b.GetValue(0), 15.0f);
        }
    }
    Adds(b, a, 2.0f, 64);
    Expect(b.GetValue(0), 5.0f);
}
