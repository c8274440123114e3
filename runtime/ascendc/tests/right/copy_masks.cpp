// Copy: a number of elements of each repeat, bits, strides; in counter mode a number of each repeat, and the repeats hold.
#include "check.h"
using namespace AscendC;

constexpr int32_t OLD = -9;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> fromBuf, toBuf;
    pipe.InitBuffer(fromBuf, 1024);
    pipe.InitBuffer(toBuf, 1024);
    LocalTensor<int32_t> from = fromBuf.Get<int32_t>(), to = toBuf.Get<int32_t>();
    CreateVecIndex(from, int32_t(0), 256);
    const auto row = [&](auto call, auto want) {
        Duplicate(to, OLD, 256);
        call();
        for (int32_t i = 0; i < 256; ++i) {
            Expect(to.GetValue(i), want(i), i);
        }
    };
    // Four of each repeat of eight blocks, packed to every second block.
    row([&] { Copy(to, from, uint64_t(4), 3, {1, 1, 2, 8}); }, [](int32_t i) { return i < 36 && i % 16 < 4 ? i / 16 * 64 + i % 16 : OLD; });
    // Bits: places stay, dst keeps what is between them. Blocks of dst lie two apart.
    const uint64_t bits[2] = {0x8100000000000003, ~0ull};
    row([&] { Copy(to, from, bits, 2, {2, 1, 16, 8}); }, [](int32_t i) {
        const int32_t lane = i % 128 / 16 * 8 + i % 16;
        return i % 16 < 8 && (lane < 2 || lane == 56 || lane == 63) ? i / 128 * 64 + lane : OLD;
    });
    // Counter mode, by mask[]: 70 elements of each of three repeats, one data block of src again and again.
    const uint64_t count[2] = {70, ~0ull};
    row([&] {
        SetMaskCount();
        Copy(to, from, count, 3, {1, 0, 9, 1});
        SetMaskNorm();
    }, [](int32_t i) { return i < 216 && i % 72 < 70 ? i / 72 * 8 + i % 72 % 8 : OLD; });
    // No repeat, no element.
    row([&] { Copy(to, from, uint64_t(64), 0, {1, 1, 8, 8}); }, [](int32_t) { return OLD; });
    row([&] { Copy(to, from, uint64_t(0), 1, {1, 1, 8, 8}); }, [](int32_t) { return OLD; });
    // The default block strides are 0: here every block of src is the first.
    CopyRepeatParams p;
    p.dstStride = 1;
    row([&] { Copy(to, from, uint64_t(64), 1, p); }, [](int32_t i) { return i < 64 ? i % 8 : OLD; });
}
