// Copies between GM and a core's memories.
#include "ascendc/data_copy.h"

#include "ascendc/atomic.h"
#include "arithmetic.h"
#include "numeric.h"
#include "vector.h"

#include <algorithm>
#include <mutex>

namespace ascendc_cpu {
namespace {
constexpr uint32_t MAX_COUNT = 4095;   // blockCount
constexpr uint64_t MAX_LEN = 2097151;  // blockLen of DataCopyPad, bytes
constexpr uint32_t MAX_REPEAT_SIZE = 4095; // of Copy, data blocks

// Copies that add, compare or overlap between cores take turns.
std::mutex atomic_lock;

// A run of bytes of a copy, by its distances from the starts of the two tensors; in a core's memory `zeros` bytes follow it.
struct Piece {
    uint64_t from;
    uint64_t to;
    uint64_t len;
    uint64_t zeros = 0;
    uint64_t exists = 0; // bytes of it that lie in GM, from the start on
};
using Pieces = std::vector<Piece>;

bool Nothing(const Burst &burst)
{
    return burst.count == 0 || burst.len == 0;
}

void CheckBurst(const char *op, const Burst &burst)
{
    if (burst.count > MAX_COUNT) {
        Fault("arg", "%s: blockCount is %u, at most %u are allowed", op, burst.count, MAX_COUNT);
    }
}

// The page of DataCopy asks for whole data blocks; of another count the rest is not copied (kernel_operator_data_copy_base_impl.h: blockLen is count / GetC0Count).
void CheckRest(const Burst &burst)
{
    if (burst.rest > 0) {
        Mistake("arg", "DataCopy: the count is %llu bytes, of which whole data blocks of %u are copied and the last %u are not; copy them with "
                       "DataCopyPad, or give a count of whole data blocks", static_cast<unsigned long long>(burst.len + burst.rest), BLOCK,
            burst.rest);
    }
}

Pieces PiecesOf(const char *op, const Burst &burst)
{
    CheckBurst(op, burst);
    Pieces pieces;
    for (uint32_t i = 0; i < burst.count; ++i) {
        pieces.push_back({i * burst.src_step, i * burst.dst_step, burst.len});
    }
    return pieces;
}

// A field of a structure of parameters that must lie in a range.
void CheckField(const char *field, uint32_t value, uint32_t least, uint32_t most)
{
    if (value < least || value > most) {
        Fault("arg", "DataCopy: %s is %u; allowed are %u to %u", field, value, least, most);
    }
}

// Bytes from the start of the first block to the end of the last.
uint64_t Span(const Burst &burst, uint64_t step, uint64_t len)
{
    return Nothing(burst) ? 0 : (burst.count - 1) * step + len;
}

// The pipe that moves between two memories of a core.
Pipe PipeBetween(Space src, Space dst)
{
    return src == Space::UB && dst == Space::UB ? Pipe::V : src == Space::UB ? Pipe::MTE3 : Pipe::MTE1;
}

template <typename T>
void Combine(uint8_t *to, const uint8_t *from, uint64_t bytes, AtomicOp op, bool saturate)
{
    for (uint64_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
        T a;
        T b;
        std::memcpy(&a, to + at, sizeof a);
        std::memcpy(&b, from + at, sizeof b);
        const auto f = [&](auto x, auto y) {
            return op == AtomicOp::ADD ? Sum<false>(x, y) : op == AtomicOp::MAX ? Larger(x, y) : Smaller(x, y);
        };
        T out;
        Map(&out, 1, saturate, f, &a, &b);
        std::memcpy(to + at, &out, sizeof out);
    }
}

// Writes bytes to GM in the atomic mode that was in force when the copy was issued.
void WriteBytes(uint8_t *to, const uint8_t *from, uint64_t bytes, AtomicOp op, Type type, bool saturate)
{
    if (op == AtomicOp::NONE) {
        std::memcpy(to, from, bytes);
        return;
    }
    const std::lock_guard<std::mutex> guard(atomic_lock);
    switch (type) {
        case Type::F16: Combine<half>(to, from, bytes, op, saturate); break;
        case Type::BF16: Combine<bfloat16_t>(to, from, bytes, op, saturate); break;
        case Type::I8: Combine<int8_t>(to, from, bytes, op, saturate); break;
        case Type::I16: Combine<int16_t>(to, from, bytes, op, saturate); break;
        case Type::I32: Combine<int32_t>(to, from, bytes, op, saturate); break;
        default: Combine<float>(to, from, bytes, op, saturate); break;
    }
}

void RefusePoisonIn(Core &core, const char *op, const Local &src, uint64_t offset, uint64_t bytes)
{
    const int64_t bad = core.memory(src.space).FirstPoison(src.at + static_cast<uint32_t>(offset), static_cast<uint32_t>(bytes));
    if (bad >= 0) {
        PoisonIn(core, src, offset, bytes, "%s: src has no value at element %llu", op,
            static_cast<unsigned long long>((offset + static_cast<uint64_t>(bad)) / SizeOf(src.type)));
    }
}

// Where an access of GM is only reported: the bytes of it that exist, from the start on.
uint64_t Existing(Core &core, const char *op, const char *what, uint64_t at, uint64_t bytes, bool write)
{
    return CheckGlobal(core, op, what, at, bytes, write) != nullptr ? bytes : std::min(bytes, BytesBehind(at));
}

// Bytes that a copy has taken from workspace that nobody wrote have no value here either.
void TakePoison(Memory &memory, uint32_t to, uint64_t from, uint64_t bytes)
{
    for (int64_t first = FirstPoisonInGlobal(from, bytes); first >= 0; first = FirstPoisonInGlobal(from, bytes)) {
        memory.MarkPoison(to + static_cast<uint32_t>(first), 1);
        to += static_cast<uint32_t>(first) + 1;
        from += static_cast<uint64_t>(first) + 1;
        bytes -= static_cast<uint64_t>(first) + 1;
    }
}

// A loop that copies the same bytes again and again waits for another block to write them: the others get a turn, or they never come.
void CopiesAgain(Core &core, uint64_t from)
{
    if (core.copied_from == from && core.copied_at == core.site) {
        TheBlocks().Yield(core.block);
        if (FirstFailed() != UINT32_MAX) { // one of them has ended early
            throw Stop{};
        }
    }
    core.copied_from = from;
    core.copied_at = core.site;
}

// What a copy from beyond a tensor of GM does not bring. Where the copy is a mistake, the use of these bytes is no other one.
void Lack(Memory &memory, uint32_t at, uint64_t bytes)
{
    if (config().noted[static_cast<int>(Check::BOUNDS)]) {
        memory.MarkPoison(at, static_cast<uint32_t>(bytes));
    } else {
        memory.MarkValid(at, static_cast<uint32_t>(bytes));
    }
}

// Copies from GM on MTE2.
void Load(Core &core, const char *op, const Local &dst, const Global &src, Pieces pieces)
{
    uint64_t end = 0;
    for (const Piece &piece : pieces) {
        end = std::max(end, piece.to + piece.len + piece.zeros);
    }
    CheckLocal(core, op, "dst", dst, end, BLOCK);
    for (Piece &piece : pieces) {
        piece.exists = Existing(core, op, "src", src.at + piece.from, piece.len, false);
    }
    CopiesAgain(core, src.at);
    const auto describe = [&](Accesses &accesses) {
        accesses.bypass = src.bypass;
        for (const Piece &piece : pieces) {
            accesses.ReadGlobal(src.at + piece.from, piece.exists);
            accesses.Write(dst, piece.to, piece.len + piece.zeros);
        }
    };
    core.pipes.Issue(core, Pipe::MTE2, op, describe, [=, &core] {
        Memory &memory = core.memory(dst.space);
        for (const Piece &piece : pieces) {
            RefuseDirty(core, op, src.at + piece.from, piece.exists);
            const uint32_t at = dst.at + static_cast<uint32_t>(piece.to);
            std::memcpy(memory.data(at), reinterpret_cast<const uint8_t *>(src.at + piece.from), piece.exists);
            std::memset(memory.data(at) + piece.len, 0, piece.zeros);
            memory.MarkValid(at, static_cast<uint32_t>(piece.len + piece.zeros));
            Lack(memory, at + static_cast<uint32_t>(piece.exists), piece.len - piece.exists);
            TakePoison(memory, at, src.at + piece.from, piece.exists);
        }
    });
}

// Which copies in an atomic mode commute: those of the same one, with the same element type.
Joins JoinsOf(AtomicOp op, Type type)
{
    constexpr uint8_t TYPES = 32;
    static_assert(static_cast<uint8_t>(Joins::FIRST_ATOMIC) + (static_cast<uint8_t>(AtomicOp::MIN) + 1) * TYPES < 256);
    return static_cast<Joins>(static_cast<uint8_t>(Joins::FIRST_ATOMIC) + static_cast<uint8_t>(op) * TYPES + static_cast<uint8_t>(type) % TYPES);
}

// Copies to GM on MTE3.
void Store(Core &core, const char *op, const Global &dst, const Local &src, Pieces pieces)
{
    if (src.space != Space::UB && src.space != Space::L1) {
        Fault("arg", "%s: src lies in %s; copies to GM come from UB or L1", op, NameOf(src.space));
    }
    uint64_t end = 0;
    for (const Piece &piece : pieces) {
        end = std::max(end, piece.from + piece.len);
    }
    CheckLocal(core, op, "src", src, end, BLOCK);
    const AtomicOp atomic = static_cast<AtomicOp>(core.regs.atomic);
    const Type type = core.regs.atomic_type;
    if (atomic != AtomicOp::NONE && SizeOf(type) != SizeOf(src.type)) {
        Fault("arg", "%s: copies %s while the atomic mode is for %s; call SetAtomicAdd with the element type of the copy", op,
            NameOf(src.type), NameOf(type));
    }
    for (Piece &piece : pieces) {
        piece.exists = Existing(core, op, "dst", dst.at + piece.to, piece.len, true);
    }
    const auto describe = [&](Accesses &accesses) {
        accesses.bypass = dst.bypass;
        for (const Piece &piece : pieces) {
            accesses.Read(src, piece.from, piece.len);
            if (atomic != AtomicOp::NONE) {
                accesses.JoinGlobal(dst.at + piece.to, piece.exists, JoinsOf(atomic, type));
            } else if (IsAlike(dst.at)) {
                accesses.WriteAlike(dst.at + piece.to, piece.exists, Data(core, src) + piece.from);
            } else {
                accesses.WriteGlobal(dst.at + piece.to, piece.exists);
            }
        }
    };
    const bool saturate = core.regs.saturate;
    core.pipes.Issue(core, Pipe::MTE3, op, describe, [=, &core] {
        for (const Piece &piece : pieces) {
            RefusePoisonIn(core, op, src, piece.from, piece.exists);
            const int64_t empty = atomic == AtomicOp::NONE ? -1 : FirstPoisonInGlobal(dst.at + piece.to, piece.exists);
            if (empty >= 0) {
                Poison("%s: combines with %s, which has no value: nobody has written it; write the first values before, with SetAtomicNone or "
                       "from the host", op, DescribeGlobal(dst.at + piece.to + static_cast<uint64_t>(empty)).c_str());
            }
            WriteBytes(reinterpret_cast<uint8_t *>(dst.at + piece.to), Data(core, src) + piece.from, piece.exists, atomic, type,
                saturate);
            MarkGlobal(dst.at + piece.to, piece.exists);
        }
    });
}
// The tensor from so many bytes on; none where it ends before.
void Advance(Local &tensor, uint32_t bytes)
{
    tensor.at += bytes;
    tensor.bytes -= std::min(tensor.bytes, bytes);
}
} // namespace

void CopyIn(const Local &dst, const Global &src, const Burst &burst)
try {
    Core &core = EnterInstruction();
    CheckRest(burst);
    if (!Nothing(burst)) {
        Load(core, "DataCopy", dst, src, PiecesOf("DataCopy", burst));
    }
} catch (const LeftOut &) {
}

void CopyOut(const Global &dst, const Local &src, const Burst &burst)
try {
    Core &core = EnterInstruction();
    CheckRest(burst);
    if (!Nothing(burst)) {
        Store(core, "DataCopy", dst, src, PiecesOf("DataCopy", burst));
    }
} catch (const LeftOut &) {
}

void CopyNdToNz(const Local &dst, const Global &src, const AscendC::Nd2NzParams &p)
try {
    Core &core = EnterInstruction();
    CheckField("ndNum", p.ndNum, 0, MAX_COUNT);
    CheckField("nValue", p.nValue, 0, 16384);
    CheckField("srcDValue", p.srcDValue, 1, 65535);
    CheckField("dstNzC0Stride", p.dstNzC0Stride, 1, 16384);
    CheckField("dstNzNStride", p.dstNzNStride, 1, 16384);
    const uint64_t size = SizeOf(dst.type);
    Pieces pieces;
    for (uint64_t nd = 0; nd < p.ndNum; ++nd) {
        for (uint64_t n = 0; n < p.nValue; ++n) {
            const uint64_t row = (nd * p.srcNdMatrixStride + n * p.srcDValue) * size;
            for (uint64_t d = 0; d < p.dValue * size; d += BLOCK) {
                const uint64_t len = std::min<uint64_t>(BLOCK, p.dValue * size - d);
                const uint64_t to = nd * p.dstNzMatrixStride * size + d * p.dstNzC0Stride + n * p.dstNzNStride * BLOCK;
                pieces.push_back({row + d, to, len, BLOCK - len});
            }
        }
    }
    if (!pieces.empty()) {
        Load(core, "DataCopy", dst, src, std::move(pieces));
    }
} catch (const LeftOut &) {
}

void CopyNzToNd(const Global &dst, const Local &src, const AscendC::Nz2NdParamsFull &p)
{
    constexpr uint64_t FRACTAL = 16; // elements of a row of a fractal, and its rows
    Core &core = Enter();
    CheckField("ndNum", p.ndNum, 0, MAX_COUNT);
    CheckField("nValue", p.nValue, 1, 8192);
    CheckField("dValue", p.dValue, 1, 8192);
    CheckField("srcNdMatrixStride", p.srcNdMatrixStride, 1, 512);
    CheckField("srcNStride", p.srcNStride, 0, 4096);
    CheckField("dstDStride", p.dstDStride, 1, 65535);
    if (p.dValue % FRACTAL != 0) {
        Fault("arg", "DataCopy: dValue is %u; allowed are multiples of 16", p.dValue);
    }
    const uint64_t size = SizeOf(src.type);
    Pieces pieces;
    for (uint64_t nd = 0; nd < p.ndNum; ++nd) {
        for (uint64_t n = 0; n < p.nValue; ++n) {
            for (uint64_t d = 0; d < p.dValue / FRACTAL; ++d) {
                const uint64_t from = nd * p.srcNdMatrixStride * FRACTAL + d * p.srcNStride + n;
                const uint64_t to = nd * p.dstNdMatrixStride + n * p.dstDStride + d * FRACTAL;
                pieces.push_back({from * FRACTAL * size, to * size, FRACTAL * size});
            }
        }
    }
    if (!pieces.empty()) {
        Store(core, "DataCopy", dst, src, std::move(pieces));
    }
}

void PadOut(const Global &dst, const Local &src, const Burst &burst)
try {
    Core &core = EnterInstruction();
    if (burst.len > MAX_LEN || burst.len % SizeOf(src.type) != 0) {
        Fault("arg", "DataCopyPad: blockLen is %llu bytes; allowed are multiples of the element (%u) up to %llu",
            static_cast<unsigned long long>(burst.len), SizeOf(src.type), static_cast<unsigned long long>(MAX_LEN));
    }
    if (!Nothing(burst)) {
        Store(core, "DataCopyPad", dst, src, PiecesOf("DataCopyPad", burst));
    }
} catch (const LeftOut &) {
}

void CopyLocal(const Local &dst, const Local &src, const Burst &burst)
try {
    Core &core = EnterInstruction();
    CheckRest(burst);
    if (Nothing(burst)) {
        return;
    }
    CheckBurst("DataCopy", burst);
    const uint64_t to = Span(burst, burst.dst_step, burst.len);
    const uint64_t from = Span(burst, burst.src_step, burst.len);
    CheckLocal(core, "DataCopy", "dst", dst, to, BLOCK);
    CheckLocal(core, "DataCopy", "src", src, from, BLOCK);
    if (dst.space == src.space && dst.at != src.at && dst.at < src.at + from && src.at < dst.at + to) {
        Mistake("overlap", "DataCopy: dst and src overlap in part; they must be the same or apart");
    }
    const auto describe = [&](Accesses &accesses) {
        const uint32_t size = SizeOf(src.type);
        accesses.Repeats(uint64_t(burst.count) * burst.len / size, REPEAT / size);
        for (uint32_t i = 0; i < burst.count; ++i) {
            accesses.Read(src, i * burst.src_step, burst.len);
            accesses.Write(dst, i * burst.dst_step, burst.len);
        }
    };
    core.pipes.Issue(core, PipeBetween(src.space, dst.space), "DataCopy", describe, [=, &core] {
        Memory &out = core.memory(dst.space);
        Memory &in = core.memory(src.space);
        for (uint32_t i = 0; i < burst.count; ++i) {
            const uint32_t a = dst.at + static_cast<uint32_t>(i * burst.dst_step);
            const uint32_t b = src.at + static_cast<uint32_t>(i * burst.src_step);
            std::memmove(out.data(a), in.data(b), burst.len);
            for (uint32_t block = 0; block < burst.len / BLOCK; ++block) {
                out.CopyValidity(a + block * BLOCK, in, b + block * BLOCK);
            }
        }
    });
} catch (const LeftOut &) {
}

namespace {
// What DataCopyPad puts around each block.
struct Filler {
    bool first;     // the first element of the block, else `value`
    uint64_t value; // bits of an element
    bool known;     // whether a kernel may use it
    bool repeated;  // whether it may be read by what repeats the block

    // The page of DataCopyPad (GM to UB), 参数解释: where pads are asked for, pads and filler are paddingValue or SetPadValue's, and
    // without either undefined. Where none are, the filler is the first element of the block, isPad or not: isPad only sets the
    // register that SetPadValue sets (dav_c220, DataCopyPadGm2UBImpl), and the page does not say that SetPadValue changes it.
    // One element alone so fills its data block, which kernels ask for; several do so with a block each, which serves an instruction that
    // repeats the block. That element behind several is padding, which no kernel should take for data. 64-bit types are copied as halves, of which the first would be repeated.
    static Filler Of(const Registers &regs, const Padding &padding, const Burst &burst, uint32_t size)
    {
        const bool set = regs.has_pad_value && !padding.is_pad;
        if (padding.left == 0 && padding.right == 0) {
            const bool alone = burst.len == size && size < 8 && !set;
            return {true, 0, alone && burst.count == 1, alone};
        }
        const bool half = size == 8 && regs.pad_value != 0;
        return {false, set ? regs.pad_value : padding.value, padding.is_pad || (set && !half), false};
    }
};
} // namespace

void PadIn(const Local &dst, const Global &src, const Burst &burst, const Padding &padding)
try {
    Core &core = EnterInstruction();
    if (Nothing(burst)) {
        return;
    }
    const uint32_t size = SizeOf(dst.type);
    CheckBurst("DataCopyPad", burst);
    if (burst.len > MAX_LEN || burst.len % size != 0) {
        Fault("arg", "DataCopyPad: blockLen is %llu bytes; allowed are multiples of the element (%u) up to %llu",
            static_cast<unsigned long long>(burst.len), size, static_cast<unsigned long long>(MAX_LEN));
    }
    if (padding.left * size > BLOCK || padding.right * size > BLOCK) {
        Fault("arg", "DataCopyPad: leftPadding is %u and rightPadding %u elements; each may fill %u bytes at most", padding.left,
            padding.right, BLOCK);
    }
    if (size == 8 && padding.is_pad && padding.value != 0) {
        Fault("arg", "DataCopyPad: paddingValue must be 0 for 64-bit element types");
    }
    const uint64_t left = padding.left * size;
    const uint64_t right = padding.right * size;
    const uint64_t whole = (left + burst.len + right + BLOCK - 1) / BLOCK * BLOCK;
    CheckLocal(core, "DataCopyPad", "dst", dst, Span(burst, burst.dst_step, whole), BLOCK);
    std::vector<uint64_t> bytes;
    for (uint32_t i = 0; i < burst.count; ++i) {
        bytes.push_back(Existing(core, "DataCopyPad", "src", src.at + i * burst.src_step, burst.len, false));
    }
    CopiesAgain(core, src.at);
    const auto describe = [&](Accesses &accesses) {
        accesses.bypass = src.bypass;
        for (uint32_t i = 0; i < burst.count; ++i) {
            accesses.ReadGlobal(src.at + i * burst.src_step, bytes[i]);
            accesses.Write(dst, i * burst.dst_step, whole);
        }
    };
    const Filler filler = Filler::Of(core.regs, padding, burst, size);
    core.regs.has_pad_value = core.regs.has_pad_value && !padding.is_pad;
    core.pipes.Issue(core, Pipe::MTE2, "DataCopyPad", describe, [=, &core] {
        Memory &memory = core.memory(dst.space);
        for (uint32_t i = 0; i < burst.count; ++i) {
            const uint32_t at = dst.at + static_cast<uint32_t>(i * burst.dst_step);
            const auto *const from = reinterpret_cast<const uint8_t *>(src.at + i * burst.src_step);
            const uint32_t end = static_cast<uint32_t>(left + bytes[i]);
            std::memcpy(memory.data(at + static_cast<uint32_t>(left)), from, bytes[i]);
            const bool exists = !filler.first || bytes[i] >= size;
            const void *const value = filler.first ? static_cast<const void *>(from) : &filler.value;
            const auto fill = [&](uint32_t begin, uint32_t stop) {
                for (uint32_t byte = begin; byte < stop && exists; byte += size) {
                    std::memcpy(memory.data(at + byte), value, size);
                }
                if (filler.known && exists) {
                    memory.MarkValid(at + begin, stop - begin);
                } else if (filler.repeated && exists) {
                    memory.MarkFilled(at + begin, stop - begin);
                } else {
                    memory.MarkPoison(at + begin, stop - begin);
                }
            };
            fill(0, static_cast<uint32_t>(left));
            memory.MarkValid(at + static_cast<uint32_t>(left), static_cast<uint32_t>(bytes[i]));
            TakePoison(memory, at + static_cast<uint32_t>(left), src.at + i * burst.src_step, bytes[i]);
            fill(end, static_cast<uint32_t>(whole));
            if (bytes[i] < burst.len) {
                Lack(memory, at + end, burst.len - bytes[i]);
            }
        }
    });
} catch (const LeftOut &) {
}

void CopyMasked(const Local &dst, const Local &src, const Extent &extent, const Stride (&strides)[2])
try {
    Core &core = EnterInstruction();
    for (int i = 0; i < 2; ++i) {
        if (strides[i].rep > MAX_REPEAT_SIZE) {
            Fault("arg", "Copy: %s is %u; allowed are 0 to %u", i == 0 ? "dstRepeatSize" : "srcRepeatSize", strides[i].rep, MAX_REPEAT_SIZE);
        }
    }
    // In counter mode the mask counts the elements of a repeat, which may be more than a repeat has elsewhere, and the repeats hold
    // (Copy.md; in impl/adv_api BroadCastLastND gives the number in mask[]).
    const bool counter = core.regs.counter;
    const uint64_t mask[2] = {core.regs.mask[0], core.regs.mask[1]};
    Extent each = extent;
    if (counter) {
        each = {Extent::LANES, extent.repeat, Counted(core, "Copy", extent), {0, 0}};
    }
    core.regs.counter = false;
    const auto move = [](void *to, const void *const *from, uint64_t n, const void *context) {
        std::memmove(to, from[0], n * *static_cast<const uint32_t *>(context));
    };
    Elementwise instruction{"Copy", {"dst", dst, strides[0]}, 1, {{"src", src, strides[1]}, {}, {}}, move};
    const uint32_t size = SizeOf(dst.type);
    std::memcpy(instruction.context, &size, sizeof size);
    const uint64_t lanes = REPEAT / size;
    for (; counter && each.n > lanes; each.n -= lanes) {
        Extent part = each;
        part.n = lanes;
        Run(core, instruction, part);
        Advance(instruction.dst.tensor, strides[0].blk * REPEAT);
        Advance(instruction.srcs[0].tensor, strides[1].blk * REPEAT);
    }
    Run(core, instruction, each);
    std::copy(mask, mask + 2, core.regs.mask);
    core.regs.counter = counter;
    LeaveMask(core, extent);
} catch (const LeftOut &) {
}

void SetPadding(uint64_t value)
try {
    Core &core = EnterInstruction();
    core.regs.pad_value = value;
    core.regs.has_pad_value = true;
} catch (const LeftOut &) {
}

void SetAtomic(AtomicOp op, Type type)
try {
    Core &core = EnterInstruction();
    core.regs.atomic = static_cast<uint8_t>(op);
    core.regs.atomic_type = type;
} catch (const LeftOut &) {
}

void SetAtomicElement(Type type)
{
    Enter().regs.atomic_type = type;
}

AtomicOp AtomicMode(Type *type)
{
    const Registers &regs = Enter().regs;
    *type = regs.atomic_type;
    return static_cast<AtomicOp>(regs.atomic);
}
} // namespace ascendc_cpu
