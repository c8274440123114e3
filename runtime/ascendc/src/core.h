// A core of the machine: its memories, registers and pipes, and how an instruction enters it.
//
// Every function that an API header declares is an entry of the machine and begins with `Core &core = Enter(...)`. What
// follows has three steps: check the operands against the memories (a fault stops the kernel), say what will be
// touched, and hand the work to a pipe with `core.pipes.Issue`. The pipe runs it now, or later and in another legal
// order when the launch asks for replay.
#ifndef ASCENDC_CPU_CORE_H
#define ASCENDC_CPU_CORE_H

#include "ascendc/pipe.h"
#include "memory.h"
#include "pipes.h"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ascendc_cpu {
// What a launch may have noted in place of failing for it. A mistake of another kind always fails the run.
enum class Check : uint8_t { BOUNDS, STALE, POISON, ARGUMENTS, EVENTS };
constexpr int CHECKS = 5;
// In launch files and, in capitals, in the environment of programs: `poison report`, ASCENDC_CPU_POISON=report.
extern const char *const CHECK_NAMES[CHECKS];

// Sizes of the chip and the choices of the launch.
struct Config {
    uint32_t arch = 2201;
    uint32_t cores = 48;
    uint32_t bytes[7] = {196608, 524288, 65536, 65536, 131072, 1024, 2048}; // by Space
    uint32_t block_dim = 1;
    uint64_t tiling_key = 0;
    bool noted[CHECKS] = {};    // by Check
    bool whole = false;         // an output that is not wholly written fails the run; else it is noted
    bool saturate = false;      // 16-bit results beyond the range: true clamps, false gives infinity
    bool auto_sync = true;      // the compiler's own waits between the scalar unit and the others, and inside V
    std::string events;         // the folder where events are recorded; empty: nowhere
    bool replay = false;        // run the pipes in a random legal order and look for races
    uint64_t seed = 1;
};
const Config &config();

// Registers that instructions read without naming them.
struct Registers {
    uint64_t mask[2] = {~0ull, ~0ull}; // low word first
    bool counter = false;              // SetMaskCount: mask[0] is a number of elements
    const char *mask_left_by = nullptr; // the instruction that left in mask[] what no page says; nullptr: it is known
    uint64_t compare[2] = {0, 0};      // the mask that Select mode 0 reads
    uint64_t compare_known[2] = {0, 0}; // which of its bits have a value
    bool saturate = false;             // CTRL bit 48, inverted: 16-bit results clamp
    float deq_scale = 1.0f;            // of SetDeqScale
    bool has_deq_scale = false;
    uint64_t pad_value = 0;            // SetPadValue
    bool has_pad_value = false;
    int64_t acc_val = 0;               // what the last repeat sum left, as bits of its type
    uint64_t max_min_count = 0;        // what the last ReduceMax, ReduceMin, WholeReduceMax or WholeReduceMin left
    uint64_t max_min_value = 0;
    uint64_t gather_count = 0;         // what the last GatherMask left
    uint16_t merged[4] = {};           // pairs that the last MrgSort took of each list
    uint8_t atomic = 0;                // AtomicOp of copies to GM
    Type atomic_type = Type::F32;
};

// A block of a queue, or a TBuf.
enum class BufferState : uint8_t { FREE, OCCUPIED, ENQUEUED, DEQUEUED, PLAIN };
struct Buffer {
    Space space;
    uint32_t at;
    uint32_t bytes;
    BufferState state;
    const void *site;     // where it was allocated
    const void *freed;    // where it was freed last; nullptr: nowhere
    const void *anew;     // where it was allocated behind a FreeTensor last; nullptr: nowhere
    const void *before;   // that FreeTensor
    int8_t free_event;    // id of the event that FreeTensor set; -1: none
    int8_t enque_event;   // id of the event that EnQue set; -1: none
    uint8_t enque_kind;   // HardEvent of that
};

struct Queue {
    QueueKind kind;
    uint16_t first = NO_BUFFER;
    uint8_t num = 0;
    uint8_t cursor = 0;
    uint16_t pool = 0; // that its blocks lie in; 0: none
    std::deque<uint16_t> fifo;
};

// 64 bytes of GM as they were when the scalar unit read them, with what it wrote since.
struct CacheEntry {
    uint8_t bytes[64];
    uint8_t seen[64];    // GM when the line was read
    uint64_t dirty = 0;  // bit i: byte i was written
    const void *site;    // where the line was read or last written
};

// From where to where an instruction took values in UB: the first bytes and how many of each operand.
struct Trace {
    struct Span {
        uint32_t at;
        uint32_t bytes;
    };
    Span to;
    Span from[3];
    int sources;
};

class Core {
public:
    explicit Core(uint32_t block);
    Memory &memory(Space space) { return memories_[static_cast<int>(space)]; }

    const uint32_t block; // what GetBlockIdx gives
    Registers regs;
    Pipes pipes;
    const void *site = nullptr; // where in the kernel the instruction stands that is being issued or run
    bool in_instruction = false; // a fault leaves the instruction out
    bool unsure = false;        // an instruction was left out: values may lack
    std::vector<EventRecord> records; // of its events, with what the last one was recorded as
    const void *recorded_site = nullptr;
    uint32_t recorded_as = 0;
    std::map<const char *, uint16_t> recorded_names;
    std::deque<Trace> traces;   // of the last instructions, the newest at the end
    std::set<std::pair<const void *, std::string>> told; // mistakes, by place and kind

    // SyncAll and cross-core flags: how often this block has waited for each, and set it (cross_core.cpp).
    std::map<uint64_t, uint32_t> meetings;
    struct FlagSet {
        uint32_t times = 0;
        const void *site = nullptr; // of the last time
    };
    std::map<uint64_t, FlagSet> flags_set;

    // Lines of GM that the scalar unit has, by address, and the one that the kernel has dropped last and not read since (scalar_cache.cpp).
    std::map<uint64_t, CacheEntry> cache;
    uint64_t dropped = 0;
    // Address and place of the last copy from GM.
    uint64_t copied_from = 0;
    const void *copied_at = nullptr;

    std::set<uint64_t> keys_asked; // by TILING_KEY_IS
    void *workspace = nullptr;  // what GetSysWorkSpacePtr gives
    void *tpipe = nullptr;      // what GetTPipePtr gives
    bool stale = false;         // the buffers belong to a TPipe that has ended
    std::vector<Buffer> buffers;
    std::vector<Queue> queues;
    uint32_t tops[7] = {};      // bytes given out, by Space
    uint32_t limits[7];         // bytes that may be given out, by Space
    uint16_t pools = 0;         // made so far
    uint16_t pool = 0;          // that gives out its own bytes; 0: none
    uint32_t outer_top = 0;     // while a pool gives out its own bytes
    uint32_t outer_limit = 0;
    uint8_t events[static_cast<int>(AscendC::HardEvent::MAX)] = {}; // ids in use, by HardEvent

private:
    Memory memories_[7];
};

// The core of this thread; stops the kernel where an earlier block has failed.
Core &ThisCore();
Core *CoreOrNull();

// Begins an entry of the machine: notes where in the kernel the call stands.
inline __attribute__((always_inline)) Core &Enter()
{
    Core &core = ThisCore();
    core.site = __builtin_return_address(0);
    core.in_instruction = false;
    return core;
}
// The same for an instruction without a result for the scalar unit: it catches LeftOut, and the kernel goes on behind it.
inline __attribute__((always_inline)) Core &EnterInstruction()
{
    Core &core = ThisCore();
    core.site = __builtin_return_address(0);
    core.in_instruction = true;
    return core;
}

// Mistakes of a kernel. A message says what was found, what is allowed, and what to do. `kind` is a word for programs: "bounds",
// "stale", "poison", "align", "arg", "overlap", "sync", "queue", "hang", "memory", "assert", "race", "cache".
//
// A run goes on behind a mistake as the chip would, so that one run finds the others; it fails at its end, unless the launch has
// mistakes of this kind noted. Where nothing says how to go on, the instruction is left out, or the block ends.
void Mistake(const char *kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The same of several calls: the one that stands at `sites[0]`, and others that it does not go with.
void MistakeAmong(const char *kind, const std::vector<const void *> &sites, const std::string &message);
// The instruction is left out; outside of one the block ends.
[[noreturn]] void Fault(const char *kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A value is read that nobody wrote. Not told behind an instruction that was left out: it may be that one's result.
void Poison(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The same of `bytes` of a tensor: says where the block that the value was in was given out anew, if it was, also where instructions
// have taken it from there since. The bytes count as written from then on, so that what is computed of them is not told again.
void PoisonIn(Core &core, const Local &tensor, uint64_t offset, uint64_t bytes, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
// A remark: no mistake, or none that can be proved.
void Note(const char *kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The lowest block that has ended early; UINT32_MAX: none has.
uint32_t FirstFailed();
// True where any block has made a mistake that is not only noted.
bool AnyMistake();
// Thrown where a block ends early; kernels let it pass.
struct Stop {};
// Thrown where an instruction is left out.
struct LeftOut {};

const char *NameOf(Type type);
const char *NameOf(Space space);

// ---- Operands in the memories of a core

// Stops unless the `bytes` from `at` on lie in the tensor, it may be used (its block is not free or enqueued), and its
// start is a multiple of `align`. `what` is the operand's name in the API.
void CheckLocal(Core &core, const char *op, const char *what, const Local &tensor, uint64_t bytes, uint32_t align);

inline uint8_t *Data(Core &core, const Local &tensor)
{
    return core.memory(tensor.space).data(tensor.at);
}

// ---- The scalar cache (scalar_cache.cpp)

// Writes every line back and drops it: the end of a kernel.
void FlushCache(Core &core);

// ---- TPipe (queue.cpp)

// Ends the buffers of a TPipe: every tensor must have been freed.
void ForgetBuffers(Core &core);
// Tells cross-core flags that a block has set more often than waited for (cross_core.cpp).
void CheckFlagsTaken(Core &core);

// ---- GM

// Host memory behind `bytes` of GM from `at` on; nullptr where the access is beyond the tensors and only to be reported.
uint8_t *CheckGlobal(Core &core, const char *op, const char *what, uint64_t at, uint64_t bytes, bool write);
// Bytes of GM have a value now. Only those of a workspace or an output begin without.
void MarkGlobal(uint64_t at, uint64_t bytes);
// Offset of the first byte of GM from `at` on that has no value; -1 where there is none.
int64_t FirstPoisonInGlobal(uint64_t at, uint64_t bytes);
// Bytes of an argument from an address on; 0 where it belongs to none.
uint64_t BytesBehind(uint64_t at);
// True in a tensor where writes of the same bytes need no order.
bool IsAlike(uint64_t at);
// Stops where a scalar unit has written one of these bytes of GM into its cache and not back.
void RefuseDirty(Core &core, const char *op, uint64_t at, uint64_t bytes);
// The block tells others how far it has come; what it has not written back by then they do not find.
void TellDirty(uint32_t block);
// Named so that a message can say which argument it is: "argument 2 (y)".
std::string DescribeGlobal(uint64_t at);
// The tensor that an address of GM lies in, and the bytes before it; `?` where none does.
std::string TensorAt(uint64_t at, uint64_t *offset);
} // namespace ascendc_cpu

#endif
