// The machine behind the API: what a core is told to do. The API headers are a typed skin over these calls.
//
// Plain data only, so that including this costs a kernel's compilation next to nothing. Each family header declares
// the machine calls of its own family; here are the operands they share.
#ifndef ASCENDC_CPU_MACHINE_H
#define ASCENDC_CPU_MACHINE_H

#include "ascendc/defs.h"
#include "ascendc/types.h"

namespace ascendc_cpu {
enum class Type : uint8_t { I8, U8, I16, U16, F16, BF16, I32, U32, F32, I64, U64, F64, I4 };

// No value where T is not an element type.
template <typename T>
struct TypeOf;
template <Type type>
struct TypeIs {
    static constexpr Type value = type;
};
template <> struct TypeOf<bool> : TypeIs<Type::U8> {}; // a byte that is 0 or 1
template <> struct TypeOf<int8_t> : TypeIs<Type::I8> {};
template <> struct TypeOf<uint8_t> : TypeIs<Type::U8> {};
template <> struct TypeOf<int16_t> : TypeIs<Type::I16> {};
template <> struct TypeOf<uint16_t> : TypeIs<Type::U16> {};
template <> struct TypeOf<half> : TypeIs<Type::F16> {};
template <> struct TypeOf<bfloat16_t> : TypeIs<Type::BF16> {};
template <> struct TypeOf<int32_t> : TypeIs<Type::I32> {};
template <> struct TypeOf<uint32_t> : TypeIs<Type::U32> {};
template <> struct TypeOf<float> : TypeIs<Type::F32> {};
template <> struct TypeOf<int64_t> : TypeIs<Type::I64> {};
template <> struct TypeOf<uint64_t> : TypeIs<Type::U64> {};
template <> struct TypeOf<AscendC::int4b_t> : TypeIs<Type::I4> {}; // of two in a byte
template <> struct TypeOf<double> : TypeIs<Type::F64> {}; // copied, and read by the scalar unit

constexpr uint32_t SizeOf(Type type)
{
    return type <= Type::U8 || type == Type::I4 ? 1 : type <= Type::BF16 ? 2 : type <= Type::F32 ? 4 : 8;
}

// True where T is one of the others; for the type lists of the API.
template <typename T, typename... Us>
inline constexpr bool OneOf = (std::is_same<T, Us>::value || ...);

// Memories of a core.
enum class Space : uint8_t { UB, L1, L0A, L0B, L0C, BT, FB };

constexpr uint16_t NO_BUFFER = 0xffff;

// A tensor in a memory of the core: `bytes` from `at` on may be touched. `buffer` is the block of a queue or TBuf it
// came from.
struct Local {
    uint32_t at;
    uint32_t bytes;
    uint16_t buffer;
    Space space;
    Type type;
};

// A tensor in GM, by host address.
struct Global {
    uint64_t at;
    Type type;
    bool bypass = false; // of L2: CACHE_MODE_DISABLE
};

// Which elements an instruction of the vector unit touches.
struct Extent {
    enum Kind : uint8_t {
        COUNT,    // the first `n` elements, contiguous
        BITS,     // `repeat` repeats, bit k of mask[k / 64] is element k of a repeat
        LANES,    // `repeat` repeats, the first `n` elements of each
        REGISTER, // `repeat` repeats under the mask registers (isSetMask = false)
    };
    Kind kind;
    uint32_t repeat;
    uint64_t n;
    uint64_t mask[2];

    // With isSetMask = false one repeat under the registers, in counter mode as many elements as they say; `n` has no effect,
    // and is kept in mask[0] for a note.
    template <bool isSetMask = true>
    static Extent Count(int64_t n)
    {
        const uint64_t count = static_cast<uint64_t>(n < 0 ? 0 : n);
        return isSetMask ? Extent{COUNT, 0, count, {0, 0}} : Extent{REGISTER, 1, 0, {count, 0}};
    }
    template <bool isSetMask, typename T>
    static Extent Bits(const uint64_t *mask, uint32_t repeat)
    {
        return isSetMask ? Extent{BITS, repeat, 0, {mask[0], sizeof(T) < 4 ? mask[1] : 0}} : Extent{REGISTER, repeat, 0, {0, 0}};
    }
    template <bool isSetMask>
    static Extent Lanes(uint64_t n, uint32_t repeat)
    {
        return {isSetMask ? LANES : REGISTER, repeat, n, {0, 0}};
    }
};

// Strides of one operand in data blocks: from block to block of a repeat, from repeat to repeat.
struct Stride {
    uint16_t blk = 1;
    uint16_t rep = 8;
};

// A scalar operand, as the bits of an element.
struct Scalar {
    uint64_t bits;

    template <typename T>
    static Scalar Of(T v)
    {
        Scalar s{0};
        std::memcpy(&s.bits, &v, sizeof v);
        return s;
    }
};
} // namespace ascendc_cpu

#endif
