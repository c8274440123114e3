#include "core.h"

#include "launch.h"
#include "report.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace ascendc_cpu {
namespace {
thread_local Core *current = nullptr;
Config the_config;
} // namespace

const Config &config()
{
    return the_config;
}

Config &MutableConfig()
{
    return the_config;
}

Core::Core(uint32_t block) : block(block), pipes(block, the_config.replay, the_config.auto_sync, !the_config.events.empty(), the_config.seed)
{
    for (int space = 0; space < 7; ++space) {
        memories_[space].Resize(the_config.bytes[space]);
        limits[space] = the_config.bytes[space];
    }
    regs.saturate = the_config.saturate;
}

Core &ThisCore()
{
    if (current == nullptr) {
        WriteReport("refused", "launch", "host code called a function of the kernel API; only a kernel that is launched may", -1, nullptr, 0);
        std::exit(1);
    }
    if (current->block > FirstFailed()) {
        throw Stop{};
    }
    return *current;
}

Core *CoreOrNull()
{
    return current;
}

void SetThisCore(Core *core)
{
    current = core;
}

const char *const CHECK_NAMES[CHECKS] = {"bounds", "stale", "poison", "arguments", "events"};

namespace {
// Whether the launch has mistakes of this kind noted.
bool IsNoted(const std::string &kind)
{
    const auto noted = [](Check check) { return the_config.noted[static_cast<int>(check)]; };
    if (kind == "align" || kind == "arg" || kind == "overlap") {
        return noted(Check::ARGUMENTS);
    }
    return (kind == "bounds" && noted(Check::BOUNDS)) || (kind == "stale" && noted(Check::STALE)) ||
        (kind == "poison" && noted(Check::POISON)) || (kind == "sync" && noted(Check::EVENTS));
}

// The kernel goes on. Of one call the first mistake of a kind is what to mend, and loops make it again and again.
void Tell(const char *kind, const std::string &message, const void *const *sites, size_t count)
{
    const bool noted = IsNoted(kind);
    if (!noted && !current->told.insert({sites[0], kind}).second) {
        return;
    }
    if (!noted) {
        RecordMistake();
    }
    WriteReport(noted ? "note" : "mistake", kind, message, current->block, sites, static_cast<int>(count));
}
} // namespace

void Mistake(const char *kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const std::string text = FormatList(format, args);
    va_end(args);
    Tell(kind, text, &current->site, 1);
}

void MistakeAmong(const char *kind, const std::vector<const void *> &sites, const std::string &message)
{
    Tell(kind, message, sites.data(), sites.size());
}

void Fault(const char *kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const std::string text = FormatList(format, args);
    va_end(args);
    if (current->in_instruction) {
        Tell(kind, text, &current->site, 1);
        current->unsure = true;
        RecordLeftOut();
        throw LeftOut{};
    }
    RecordFault(current->block);
    WriteReport("fault", kind, text, current->block, &current->site, 1);
    throw Stop{};
}

void Poison(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const std::string text = FormatList(format, args);
    va_end(args);
    if (!current->unsure) {
        Tell("poison", text, &current->site, 1);
    }
}

namespace {
// The block of a queue that held a value before it was given out anew, which instructions have taken on to a byte without a value;
// nullptr: it is not for that.
const Buffer *LostIn(Core &core, Space space, uint32_t at)
{
    const Memory &memory = core.memory(space);
    for (auto trace = core.traces.rbegin();;) {
        const auto holds = [&](const Buffer &block) {
            return block.space == space && block.anew != nullptr && at >= block.at && at < block.at + block.bytes;
        };
        const auto block = std::find_if(core.buffers.begin(), core.buffers.end(), holds);
        if (memory.HadValue(at) && block != core.buffers.end()) {
            return &*block;
        }
        const auto wrote = [&](const Trace &one) { return at >= one.to.at && at < one.to.at + one.to.bytes; };
        trace = space == Space::UB ? std::find_if(trace, core.traces.rend(), wrote) : core.traces.rend();
        if (trace == core.traces.rend()) {
            return nullptr;
        }
        int64_t first = -1;
        for (int i = 0; i < trace->sources && first < 0; ++i) {
            first = memory.FirstPoison(trace->from[i].at, trace->from[i].bytes);
            at = first < 0 ? at : trace->from[i].at + static_cast<uint32_t>(first);
        }
        if (first < 0) {
            return nullptr;
        }
        ++trace;
    }
}
} // namespace

void PoisonIn(Core &core, const Local &tensor, uint64_t offset, uint64_t bytes, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const std::string text = FormatList(format, args);
    va_end(args);
    Memory &memory = core.memory(tensor.space);
    const uint32_t at = tensor.at + static_cast<uint32_t>(offset);
    const int64_t first = memory.FirstPoison(at, static_cast<uint32_t>(bytes));
    const Buffer *const block = first < 0 ? nullptr : LostIn(core, tensor.space, at + static_cast<uint32_t>(first));
    memory.MarkValid(at, static_cast<uint32_t>(bytes));
    if (core.unsure) {
        return;
    }
    if (block != nullptr) {
        const void *const sites[] = {core.site, block->anew, block->before};
        Tell("poison", text + ": it was in a block of a queue that FreeTensor gave back and AllocTensor gave out anew; free the tensor behind "
                              "its last use", sites, 3);
        return;
    }
    Tell("poison", text + ": nothing was written there, or only the filler of a copy", &core.site, 1);
}

void TellGap(const char *kind, const std::string &message)
{
    const bool noted = IsNoted(kind) || !the_config.whole;
    if (!noted) {
        RecordMistake();
    }
    WriteReport(noted ? "note" : "mistake", kind, message, -1, nullptr, 0);
}

void Note(const char *kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const std::string text = FormatList(format, args);
    va_end(args);
    WriteReport("note", kind, text, current->block, &current->site, 1);
}

void NoteOutOfHalf(float v)
{
    if (current == nullptr) { // host code of the same file
        return;
    }
    current->site = __builtin_return_address(0);
    if (current->told.insert({current->site, "half"}).second) {
        const bool small = v > -1 && v < 1;
        Note("arg", "%g is %s as half, whose %s number is %g", static_cast<double>(v), small ? "0" : "infinite",
            small ? "smallest" : "largest", small ? 5.9604644775390625e-8 : 65504.0);
    }
}

const char *NameOf(Type type)
{
    static const char *const names[] = {"int8_t", "uint8_t", "int16_t", "uint16_t", "half", "bfloat16_t", "int32_t", "uint32_t",
        "float", "int64_t", "uint64_t", "double", "int4b_t"};
    return names[static_cast<int>(type)];
}

const char *NameOf(Space space)
{
    static const char *const names[] = {"UB", "L1", "L0A", "L0B", "L0C", "the bias table", "the fixpipe buffer"};
    return names[static_cast<int>(space)];
}

namespace {
// The toolkit compiles a kernel for the keys that it asks for, and refuses a launch with another one.
void CheckKey(Core &core)
{
    if (core.keys_asked.empty() || core.keys_asked.count(config().tiling_key) > 0) {
        return;
    }
    std::string keys;
    for (const uint64_t key : core.keys_asked) {
        keys += Format("%s%llu", keys.empty() ? "" : ", ", static_cast<unsigned long long>(key));
    }
    RecordFault(core.block);
    WriteReport("refused", "launch", Format("the tiling key is %llu, and no TILING_KEY_IS of the kernel is for it: there are %s",
                                         static_cast<unsigned long long>(config().tiling_key), keys.c_str()), core.block, nullptr, 0);
    throw Stop{};
}
} // namespace

void FinishCore(Core &core)
{
    CheckKey(core);
    core.pipes.Drain(core);
    ForgetBuffers(core);
    core.pipes.Drain(core);
    core.pipes.CheckEnd(core);
    CheckFlagsTaken(core);
    FlushCache(core);
}

void CheckLocal(Core &core, const char *op, const char *what, const Local &tensor, uint64_t bytes, uint32_t align)
{
    const Memory &memory = core.memory(tensor.space);
    if (tensor.buffer != NO_BUFFER) {
        const BufferState state = core.buffers[tensor.buffer].state;
        if (state == BufferState::FREE || state == BufferState::ENQUEUED) {
            Mistake("stale", "%s: %s lies in a buffer that %s", op, what, state == BufferState::FREE
                    ? "was freed (FreeTensor); allocate it again before use" : "is enqueued; use the tensor that DeQue gives");
        }
    }
    if (tensor.at % align != 0) {
        Fault("align", "%s: %s starts at byte %u of %s, which is not a multiple of %u", op, what, tensor.at,
            NameOf(tensor.space), align);
    }
    if (bytes > 0 && tensor.bytes == 0 && tensor.buffer == NO_BUFFER) {
        Fault("bounds", "%s: %s has no memory: nothing was assigned to this LocalTensor (AllocTensor, DeQue, Get)", op, what);
    }
    if (tensor.at + bytes > memory.size()) {
        Fault("bounds", "%s: %s ends at byte %llu of %s, which has %u", op, what,
            static_cast<unsigned long long>(tensor.at + bytes), NameOf(tensor.space), memory.size());
    }
    if (bytes > tensor.bytes) {
        Mistake("bounds", "%s: %s is touched up to byte %llu, the tensor has %u", op, what,
            static_cast<unsigned long long>(bytes), tensor.bytes);
    }
}
} // namespace ascendc_cpu
