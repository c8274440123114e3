// Whole numbers of tiling (opbase, op_host/util/math_util.h).
#ifndef ASCENDC_CPU_OP_COMMON_MATH_UTIL_H
#define ASCENDC_CPU_OP_COMMON_MATH_UTIL_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "op_common/op_host/util/opbase_export.h"

namespace Ops {
namespace Base {
// x where y is 0.
template <typename T>
auto FloorDiv(T x, T y) -> std::enable_if_t<std::is_integral_v<T>, T>
{
    return y == 0 ? x : x / y;
}
// 0 where align is 0.
template <typename T>
auto FloorAlign(T x, T align) -> std::enable_if_t<std::is_integral_v<T>, T>
{
    return align == 0 ? 0 : x / align * align;
}
// x where y is 0.
template <typename T>
auto CeilDiv(T x, T y) -> std::enable_if_t<std::is_integral_v<T>, T>
{
    if (y == 0) {
        return x;
    }
    const bool is_positive = (x < 0) == (y < 0);
    return static_cast<T>(x / y + (x % y != 0 && is_positive ? 1 : 0));
}
// 0 where align is 0; the largest number where the result is more than there is.
template <typename T>
auto CeilAlign(T x, T align) -> std::enable_if_t<std::is_integral_v<T>, T>
{
    if (align == 0) {
        return 0;
    }
    const T count = CeilDiv(x, align);
    return count > std::numeric_limits<T>::max() / align ? std::numeric_limits<T>::max() : static_cast<T>(count * align);
}
// Infinities are equal by sign, numbers where they differ by no more than what 1 has to its neighbour.
template <typename T>
auto IsFloatEqual(T a, T b) -> std::enable_if_t<std::is_floating_point_v<T>, bool>
{
    if (std::isinf(a) || std::isinf(b)) {
        return !std::isnan(a) && !std::isnan(b) && std::signbit(a) == std::signbit(b);
    }
    return std::fabs(a - b) <= std::numeric_limits<T>::epsilon(); // not so where one is no number
}

// The largest power of two that is not above n; 1 where n is 0.
OPBASE_API inline uint64_t LastPow2(uint64_t n)
{
    uint64_t power = 1;
    while (power <= n / 2) {
        power *= 2;
    }
    return power;
}

// MurmurHash3 of 32 bits.
OPBASE_API inline uint32_t MurmurHash(const void *src, uint32_t srcLen, uint32_t seed = 271828)
{
    const auto *const bytes = static_cast<const uint8_t *>(src);
    const auto turn = [](uint32_t word, int bits) { return (word << bits) | (word >> (32 - bits)); };
    const auto mixed = [&turn](uint32_t word) { return turn(word * 0xcc9e2d51, 15) * 0x1b873593; };
    uint32_t hash = seed;
    for (uint32_t at = 0; at < srcLen; at += 4) {
        uint32_t word = 0;
        const uint32_t count = std::min<uint32_t>(4, srcLen - at);
        std::memcpy(&word, bytes + at, count);
        hash ^= mixed(word);
        hash = count == 4 ? turn(hash, 13) * 5 + 0xe6546b64 : hash;
    }
    hash ^= srcLen;
    hash = (hash ^ (hash >> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >> 13)) * 0xc2b2ae35;
    return hash ^ (hash >> 16);
}

// A length in parts that are equal but for the last one.
struct OPBASE_API SplitResult {
    int32_t splitCount = 0;
    int64_t splitFactor = 0;
    int64_t splitTailFactor = 0;
};
// So many parts, or fewer; false where length or number is not above 0.
OPBASE_API inline bool SplitIntoEqualByParts(int64_t splitLen, int32_t parts, SplitResult &splitResult)
{
    if (splitLen <= 0 || parts <= 0) {
        return false;
    }
    const int64_t factor = CeilDiv(splitLen, std::min<int64_t>(splitLen, parts));
    const int64_t count = CeilDiv(splitLen, factor);
    splitResult = {static_cast<int32_t>(count), factor, splitLen - (count - 1) * factor};
    return true;
}
// Parts of this length; a single part has no length but the last one's. False where length or factor is not above 0.
OPBASE_API inline bool SplitIntoEqualByFactor(int64_t splitLen, int32_t factor, SplitResult &splitResult)
{
    if (splitLen <= 0 || factor <= 0) {
        return false;
    }
    const int64_t whole = std::min<int64_t>(splitLen, factor);
    const int64_t count = CeilDiv(splitLen, whole);
    splitResult = {static_cast<int32_t>(count), count == 1 ? 0 : whole, splitLen - (count - 1) * whole};
    return true;
}
} // namespace Base
} // namespace Ops

#endif
