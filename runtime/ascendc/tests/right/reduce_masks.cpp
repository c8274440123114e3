// Reductions under masks: the tree goes by the places of elements, and where none takes part dst stays.
#include "check.h"
using namespace AscendC;

constexpr float OLD = -9.0f;
constexpr float BIG = 16777216.0f; // swallows ones that come alone

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, dBuf, wBuf;
    pipe.InitBuffer(xBuf, 512);
    pipe.InitBuffer(dBuf, 512);
    pipe.InitBuffer(wBuf, 512);
    LocalTensor<float> x = xBuf.Get<float>(), d = dBuf.Get<float>(), w = wBuf.Get<float>();
    // Values only where the masks below are on.
    const int lanes[] = {0, 2, 3, 8, 21, 64, 66, 67, 72, 85};
    for (int lane : lanes) {
        x.SetValue(lane, lane % 64 == 0 ? BIG : 1.0f);
    }
    const uint64_t bits[2] = {1 | 1 << 2 | 1 << 3 | 1 << 8 | 1 << 21, 0};
    const auto row = [&](float first, auto call, auto want) {
        Duplicate(d, OLD, 128);
        call();
        for (int i = 0; i < 128; ++i) {
            Expect(d.GetValue(i), i == 0 ? first : want(i), i);
        }
    };

    // BIG + (1 + 1) in the first data block, then (that + 1) + 1 over the blocks, where BIG + 2 + 1 is a tie that goes to even.
    row(BIG + 4, [&] { WholeReduceSum(d, x, bits, 2, 3, 1, 8); }, [](int i) { return i == 3 ? BIG + 4 : OLD; });
    row(BIG + 2, [&] { BlockReduceSum(d, x, 2, bits, 2, 1, 8); },
        [](int i) { return i == 16 ? BIG + 2 : i % 16 < 3 && i < 19 ? 1.0f : OLD; });
    row(BIG, [&] { BlockReduceMax(d, x, 2, bits, 2, 1, 8); },
        [](int i) { return i == 16 ? BIG : i % 16 < 3 && i < 19 ? 1.0f : OLD; });
    row(1.0f, [&] { BlockReduceMin(d, x, 2, bits, 1, 1, 8); },
        [](int i) { return i % 8 < 3 && i < 11 ? 1.0f : OLD; });
    row(BIG, [&] { PairReduceSum(d, x, 2, bits, 2, 1, 8); }, [](int i) {
        return i == 64 ? BIG : i % 64 == 1 ? 2.0f : i % 64 == 4 || i % 64 == 10 ? 1.0f : OLD;
    });
    const uint64_t three[2] = {1 | 1 << 2 | 1 << 3, 0};
    row(BIG + 2, [&] { ReduceSum(d, x, w, three, 1, 8); }, [](int) { return OLD; });

    // No repeat and no element: nothing is done.
    const uint64_t none[2] = {0, 0};
    row(OLD, [&] { WholeReduceSum(d, x, 64, 0, 1, 1, 8); }, [](int) { return OLD; });
    row(OLD, [&] { WholeReduceMax(d, x, none, 1, 1, 1, 8); }, [](int) { return OLD; });
    row(OLD, [&] { BlockReduceSum(d, x, 1, 0, 1, 1, 8); }, [](int) { return OLD; });
    row(OLD, [&] { PairReduceSum(d, x, 0, 64, 1, 1, 8); }, [](int) { return OLD; });
}
