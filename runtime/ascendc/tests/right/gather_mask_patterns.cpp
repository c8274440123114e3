// Every built-in pattern, by repeats of 256 bytes and by a number of each repeat, over gaps between blocks and repeats.
#include "check.h"
using namespace AscendC;

template <typename T>
__aicore__ inline void Patterns(const LocalTensor<T> &x, const LocalTensor<T> &y)
{
    constexpr int LANES = 256 / sizeof(T), IN_BLOCK = 32 / sizeof(T);
    const auto taken = [](int pattern, int i) {
        return pattern == 7 || (pattern <= 2 ? i % 2 == pattern - 1 : i % 4 == pattern - 3);
    };
    for (uint8_t pattern = 1; pattern <= 7; ++pattern) {
        for (const bool counter : {false, true}) {
            // A number below, and one above what 256 bytes hold.
            for (const int each : {LANES, LANES / 2 + 6, LANES + 3}) {
                if (!counter && each != LANES) {
                    continue;
                }
                Duplicate(y, T(-9), 512);
                uint64_t got = 0;
                // Blocks of src lie two apart, repeats three blocks.
                GatherMask(y, x, pattern, counter, counter ? each : 5, {2, 2, 3, 0}, got);
                uint64_t n = 0;
                for (int r = 0; r < 2; ++r) {
                    for (int i = 0; i < each; ++i) {
                        if (taken(pattern, i)) {
                            Expect(y.GetValue(n), T(r * 3 * IN_BLOCK + i / IN_BLOCK * 2 * IN_BLOCK + i % IN_BLOCK), i);
                            ++n;
                        }
                    }
                }
                Expect(got, n);
                Expect(y.GetValue(n), T(-9));
            }
        }
    }
}

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, yBuf;
    pipe.InitBuffer(xBuf, 2048);
    pipe.InitBuffer(yBuf, 2048);
    CreateVecIndex(xBuf.Get<int32_t>(), 0, 512);
    Patterns(xBuf.Get<int32_t>(), yBuf.Get<int32_t>());
    CreateVecIndex(xBuf.Get<int16_t>(), int16_t(0), 1024);
    Patterns(xBuf.Get<int16_t>(), yBuf.Get<int16_t>());

    // Elements that the pattern leaves out need no value; no repeat takes none.
    TBuf<TPosition::VECCALC> poor;
    pipe.InitBuffer(poor, 256);
    LocalTensor<int32_t> few = poor.Get<int32_t>(), y = yBuf.Get<int32_t>();
    for (int i = 2; i < 64; i += 4) {
        few.SetValue(i, i);
    }
    uint64_t got = 9;
    GatherMask(y, few, 5, false, 0, {1, 1, 8, 0}, got);
    Expect(got, 16u);
    Expect(y.GetValue(15), 62);
    GatherMask(y, few, 7, false, 0, {1, 0, 8, 0}, got);
    Expect(got, 0u);
}
