#include "core.h"

#include "launch.h"
#include "report.h"

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

Core::Core(uint32_t block) : block(block), pipes(block, the_config.replay, the_config.auto_sync, the_config.seed)
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

void Fault(const char *kind, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    current->failed = true;
    RecordFault(current->block);
    WriteReport("fault", kind, text, current->block, &current->site, 1);
    throw Stop{};
}

void FaultOfTwo(const char *kind, const void *const (&sites)[2], const std::string &message)
{
    current->failed = true;
    RecordFault(current->block);
    WriteReport("fault", kind, message, current->block, sites, 2);
    throw Stop{};
}

void Note(const char *kind, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    WriteReport("note", kind, text, current->block, &current->site, 1);
}

void Poison(const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (config().stop_at_poison) {
        Fault("poison", "%s", text);
    }
    Note("poison", "%s", text);
}

const char *NameOf(Type type)
{
    static const char *const names[] = {"int8_t", "uint8_t", "int16_t", "uint16_t", "half", "bfloat16_t", "int32_t", "uint32_t",
        "float", "int64_t", "uint64_t", "double"};
    return names[static_cast<int>(type)];
}

const char *NameOf(Space space)
{
    static const char *const names[] = {"UB", "L1", "L0A", "L0B", "L0C", "the bias table", "the fixpipe buffer"};
    return names[static_cast<int>(space)];
}

void FinishCore(Core &core)
{
    core.pipes.Drain(core);
    ForgetBuffers(core);
    core.pipes.Drain(core);
    core.pipes.CheckEnd(core);
    FlushCache(core);
}

void CheckLocal(Core &core, const char *op, const char *what, const Local &tensor, uint64_t bytes, uint32_t align)
{
    const Memory &memory = core.memory(tensor.space);
    if (tensor.buffer != NO_BUFFER) {
        const BufferState state = core.buffers[tensor.buffer].state;
        if (state == BufferState::FREE || state == BufferState::ENQUEUED) {
            const char *const why = state == BufferState::FREE ? "was freed (FreeTensor); allocate it again before use"
                                                               : "is enqueued; use the tensor that DeQue gives";
            if (config().stop_at_stale) {
                Fault("queue", "%s: %s lies in a buffer that %s", op, what, why);
            }
            Note("queue", "%s: %s lies in a buffer that %s", op, what, why);
        }
    }
    if (tensor.at % align != 0) {
        Fault("align", "%s: %s starts at byte %u of %s, which is not a multiple of %u", op, what, tensor.at,
            NameOf(tensor.space), align);
    }
    if (bytes > 0 && tensor.bytes == 0 && tensor.buffer == NO_BUFFER) {
        Fault("bounds", "%s: %s has no memory: nothing was assigned to this LocalTensor (AllocTensor, DeQue, Get)", op, what);
    }
    if (bytes > tensor.bytes) {
        Fault("bounds", "%s: %s is touched up to byte %llu, the tensor has %u", op, what,
            static_cast<unsigned long long>(bytes), tensor.bytes);
    }
    if (tensor.at + bytes > memory.size()) {
        Fault("bounds", "%s: %s ends at byte %llu of %s, which has %u", op, what,
            static_cast<unsigned long long>(tensor.at + bytes), NameOf(tensor.space), memory.size());
    }
}
} // namespace ascendc_cpu
