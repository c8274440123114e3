// GM as the scalar unit sees it: through its own cache.
#include "blocks.h"
#include "core.h"
#include "launch.h"
#include "report.h"

#include "ascendc/cache.h"

#include <atomic>
#include <mutex>

namespace ascendc_cpu {
namespace {
constexpr uint64_t LINE = 64;

// Cores bring lines in and write them back in turns.
std::mutex line_lock;

// What a core has written into a line and not written back. `told`: it has told other blocks since that it came so far.
struct Dirty {
    uint32_t block;
    uint64_t bytes; // bit i: byte i
    const void *site;
    bool told;
};
std::multimap<uint64_t, Dirty> dirty_lines;
std::atomic<size_t> dirty_count{0};

void Forget(uint64_t line, uint32_t block)
{
    const auto [first, last] = dirty_lines.equal_range(line);
    for (auto i = first; i != last; ++i) {
        if (i->second.block == block) {
            dirty_lines.erase(i);
            break;
        }
    }
    dirty_count = dirty_lines.size();
}
void Remember(uint64_t line, const Dirty &dirty)
{
    const std::lock_guard<std::mutex> guard(line_lock);
    Forget(line, dirty.block);
    dirty_lines.emplace(line, dirty);
    dirty_count = dirty_lines.size();
}

// What the block knew that wrote a word of 4 bytes back last, by address: one that polls the word learns it.
std::map<uint64_t, Clocks> written_back;
constexpr uint64_t WORD = 4;

// The bytes of a line that belong to an argument; a line may begin before it and end behind it.
void CopyLine(uint64_t line, uint8_t *out, bool zero)
{
    for (uint64_t i = 0; i < LINE; ++i) {
        out[i] = BytesBehind(line + i) > 0 ? *reinterpret_cast<const uint8_t *>(line + i) : zero ? 0 : out[i];
    }
}

// The line of an address; brought in where the core does not have it. The lock is the caller's, for as long as it compares the line with GM.
CacheEntry &LineOf(Core &core, uint64_t at)
{
    const uint64_t line = at / LINE * LINE;
    const auto found = core.cache.find(line);
    if (found != core.cache.end()) {
        return found->second;
    }
    CacheEntry &entry = core.cache[line];
    core.dropped = core.dropped == line ? 0 : core.dropped;
    CopyLine(line, entry.bytes, true);
    std::memcpy(entry.seen, entry.bytes, LINE);
    entry.site = core.site;
    return entry;
}

void WriteBack(uint32_t block, uint64_t line, const CacheEntry &entry)
{
    if (entry.dirty == 0) {
        return;
    }
    // The whole line goes back. Where another core or a copy changed a byte of it that this core only read, that change is
    // lost on the chip: said, not repeated.
    const std::lock_guard<std::mutex> guard(line_lock);
    Forget(line, block);
    uint8_t now[LINE];
    std::memcpy(now, entry.seen, LINE);
    CopyLine(line, now, false);
    for (uint64_t i = 0; i < LINE; ++i) {
        const bool mine = (entry.dirty >> i & 1) != 0;
        if (!mine && now[i] != entry.seen[i] && BytesBehind(line + i) > 0 && IsFirstOfLine(line)) {
            Mistake("cache", "SetValue: the line of 64 bytes with %s is written back over what was written there since: on the chip "
                           "that is lost; keep what different cores write 64 bytes apart, or copy with DataCopy",
                DescribeGlobal(line + i).c_str());
        }
        if (mine) {
            *reinterpret_cast<uint8_t *>(line + i) = entry.bytes[i];
        }
    }
}
} // namespace

void ForgetPolled()
{
    written_back.clear();
}

void ForgetDirtyLines()
{
    dirty_lines.clear();
    dirty_count = 0;
}

namespace {
// Which of the lines that others have written stop a read.
enum class Whose { ALL, OTHERS, TOLD };

void RefuseDirtyLocked(Core &core, const char *op, uint64_t at, uint64_t bytes, Whose whose)
{
    for (auto i = dirty_lines.lower_bound(at / LINE * LINE); i != dirty_lines.end() && i->first < at + bytes; ++i) {
        for (uint64_t byte = 0; byte < LINE; ++byte) {
            const uint64_t here = i->first + byte;
            const bool counts = whose == Whose::ALL || (i->second.block != core.block && (whose == Whose::OTHERS || i->second.told));
            if ((i->second.bytes >> byte & 1) != 0 && here >= at && here < at + bytes && counts) {
                const std::vector<const void *> sites = {core.site, i->second.site};
                const std::string message = Format("%s: reads %s, which SetValue of block %u has written into its cache and nobody into GM; "
                                                   "call DataCacheCleanAndInvalid behind SetValue", op, DescribeGlobal(here).c_str(),
                    i->second.block);
                if (whose == Whose::OTHERS) {
                    Suspected({core.block, core.block, at, "cache", sites, message});
                } else {
                    MistakeAmong("cache", sites, message);
                }
                return;
            }
        }
    }
}

// A block that asks again and again, and drops the line before each time, gets what GM holds: a writer that has not come to its
// write-back yet is none that forgot it. One that has told others so far, by a flag or a meeting, is.
uint64_t ReadLine(Core &core, uint64_t at, uint32_t size, bool polls)
{
    const std::lock_guard<std::mutex> guard(line_lock);
    RefuseDirtyLocked(core, "GetValue", at, size, polls ? Whose::TOLD : Whose::OTHERS);
    const CacheEntry &entry = LineOf(core, at);
    const uint64_t offset = at % LINE;
    for (uint32_t i = 0; i < size; ++i) {
        const bool mine = (entry.dirty >> (offset + i) & 1) != 0;
        if (!mine && !polls && *reinterpret_cast<const uint8_t *>(at + i) != entry.bytes[offset + i]) {
            Mistake("cache", "GetValue: %s has changed since the scalar unit read its line of 64 bytes, and the old value would "
                           "come from the cache; call DataCacheCleanAndInvalid before", DescribeGlobal(at).c_str());
        }
    }
    uint64_t bits = 0;
    std::memcpy(&bits, entry.bytes + offset, size);
    return bits;
}
} // namespace

void RefuseDirty(Core &core, const char *op, uint64_t at, uint64_t bytes)
{
    if (dirty_count == 0 || bytes == 0) {
        return;
    }
    const std::lock_guard<std::mutex> guard(line_lock);
    RefuseDirtyLocked(core, op, at, bytes, Whose::ALL);
}

void TellDirty(uint32_t block)
{
    if (dirty_count == 0) {
        return;
    }
    const std::lock_guard<std::mutex> guard(line_lock);
    for (auto &[line, dirty] : dirty_lines) {
        dirty.told = dirty.told || dirty.block == block;
    }
}

uint64_t ReadGlobal(uint64_t at, Type type)
{
    Core &core = Enter();
    const uint32_t size = SizeOf(type);
    if (CheckGlobal(core, "GetValue", "the element", at, size, false) == nullptr) {
        return 0;
    }
    const bool polls = core.dropped == at / LINE * LINE;
    if (polls) { // the others go on, or what it asks for never comes
        core.pipes.Record(core, "GetValue", at, size, false);
        TheBlocks().Yield(core.block);
        if (FirstFailed() != UINT32_MAX) { // one of them has ended early
            throw Stop{};
        }
    }
    return core.pipes.Scalar(
        core, "GetValue",
        [&](Accesses &accesses) {
            if (!polls) { // as past the cache: no race
                accesses.ReadGlobal(at, size);
            }
        },
        [&] {
            if (FirstPoisonInGlobal(at, size) >= 0) {
                Poison("GetValue: %s has no value: nobody has written it", DescribeGlobal(at).c_str());
            }
            const uint64_t bits = ReadLine(core, at, size, polls);
            if (polls) {
                ClearSuspects(core.block, at, size);
            }
            if (polls && config().replay) {
                const std::lock_guard<std::mutex> guard(line_lock);
                const auto told = written_back.find(at / WORD * WORD);
                if (told != written_back.end()) {
                    core.pipes.Hear(told->second);
                }
            }
            return bits;
        });
}

void WriteGlobal(uint64_t at, Type type, Scalar value)
{
    Core &core = Enter();
    const uint32_t size = SizeOf(type);
    if (CheckGlobal(core, "SetValue", "the element", at, size, true) == nullptr) {
        return;
    }
    core.pipes.Scalar(
        core, "SetValue",
        [&](Accesses &accesses) {
            accesses.WriteGlobal(at, size);
            accesses.WriteLine(at);
        },
        [&] {
            std::unique_lock<std::mutex> guard(line_lock);
            CacheEntry &entry = LineOf(core, at);
            guard.unlock();
            MarkGlobal(at, size);
            std::memcpy(entry.bytes + at % LINE, &value.bits, size);
            const uint64_t before = entry.dirty;
            entry.dirty |= ((1ull << size) - 1) << at % LINE;
            entry.site = core.site;
            if (entry.dirty != before) {
                Remember(at / LINE * LINE, {core.block, entry.dirty, core.site, false});
            }
        });
}

// Blocks that poll each other go on only if all of them run: a read gives the others a turn. Accesses of this kind are no race.
uint64_t ReadPastCache(uint64_t at, Type type)
{
    Core &core = Enter();
    const uint32_t size = SizeOf(type);
    if (CheckGlobal(core, "ReadGmByPassDCache", "addr", at, size, false) == nullptr) {
        return 0;
    }
    core.pipes.Scalar(
        core, "ReadGmByPassDCache", [](Accesses &) {}, [] {});
    TheBlocks().Yield(core.block);
    ThisCore();
    uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const void *>(at), size);
    return bits;
}

void WritePastCache(uint64_t at, Type type, Scalar value)
{
    Core &core = Enter();
    const uint32_t size = SizeOf(type);
    if (CheckGlobal(core, "WriteGmByPassDCache", "addr", at, size, true) == nullptr) {
        return;
    }
    core.pipes.Scalar(
        core, "WriteGmByPassDCache", [](Accesses &) {}, [&] {
            MarkGlobal(at, size);
            std::memcpy(reinterpret_cast<void *>(at), &value.bits, size);
        });
}

// A reference goes past the model: it reads and writes GM itself.
void *GlobalElement(uint64_t at, Type type)
{
    Core &core = Enter();
    const uint32_t size = SizeOf(type);
    static uint64_t nowhere;
    void *const element = CheckGlobal(core, "operator()", "the element", at, size, false);
    core.pipes.Scalar(
        core, "operator()", [&](Accesses &accesses) { accesses.ReadGlobal(at, size); }, [] {});
    // Whether it is read or written, nobody here knows.
    MarkGlobal(at, size);
    return element != nullptr ? element : &nowhere;
}

namespace {
// A line goes back to GM, from a byte on, as an instruction of the scalar unit.
void WriteBackFrom(Core &core, uint64_t line, CacheEntry &entry, uint64_t from)
{
    core.pipes.Record(core, "DataCacheCleanAndInvalid", line, LINE, true);
    CacheEntry behind = entry;
    behind.dirty &= ~0ull << from;
    if (behind.dirty == 0) {
        return;
    }
    if (config().replay) { // those that poll the word have asked once before it changes, whatever the order of the blocks
        TheBlocks().Yield(core.block);
        ThisCore();
    }
    core.pipes.Scalar(
        core, "DataCacheCleanAndInvalid",
        [&](Accesses &accesses) {
            accesses.known = true;
            for (uint64_t i = 0; i < LINE; ++i) {
                if ((behind.dirty >> i & 1) != 0) {
                    accesses.WriteGlobal(line + i, 1);
                }
            }
            accesses.WriteLine(line);
        },
        [&] {
            WriteBack(core.block, line, behind);
            const std::lock_guard<std::mutex> guard(line_lock);
            for (uint64_t word = 0; config().replay && word < LINE; word += WORD) {
                if ((behind.dirty >> word & 0xf) != 0) {
                    written_back[line + word] = core.pipes.Told(Pipe::S);
                }
            }
        });
    entry.dirty &= ~behind.dirty;
}
} // namespace

// From the address to the end of the line, as the page says; what was changed before it stays in the cache, and the line with it.
void CleanAndInvalidate(uint64_t at, bool all)
{
    Core &core = Enter();
    const uint64_t line = at / LINE * LINE;
    core.dropped = line;
    if (all) {
        for (auto &[each, entry] : core.cache) {
            WriteBackFrom(core, each, entry, 0);
        }
        core.cache.clear();
        return;
    }
    if (CheckGlobal(core, "DataCacheCleanAndInvalid", "the element", at, 1, false) == nullptr) {
        return;
    }
    const auto found = core.cache.find(line);
    if (found == core.cache.end()) {
        return;
    }
    CacheEntry &entry = found->second;
    WriteBackFrom(core, line, entry, at % LINE);
    if (entry.dirty == 0) {
        core.cache.erase(found);
        return;
    }
    core.dropped = 0;
    Remember(line, {core.block, entry.dirty, entry.site, false});
    const std::lock_guard<std::mutex> guard(line_lock);
    uint8_t now[LINE];
    std::memcpy(now, entry.bytes, LINE);
    CopyLine(line, now, false);
    std::memcpy(entry.bytes + at % LINE, now + at % LINE, LINE - at % LINE);
    std::memcpy(entry.seen + at % LINE, now + at % LINE, LINE - at % LINE);
}

// The compiler writes lines back at the end of a kernel, unless it is built with --cce-no-dcache-flush or belongs to a SuperKernel
// (asc-devkit, DataCacheCleanAndInvalid).
void FlushCache(Core &core)
{
    std::set<const void *> noted;
    for (const auto &[line, entry] : core.cache) {
        core.site = entry.site;
        if (entry.dirty != 0 && noted.insert(entry.site).second) {
            Note("cache", "SetValue: the kernel ends and has not written its lines back; call DataCacheCleanAndInvalid behind the last SetValue, "
                          "since a build with --cce-no-dcache-flush, and a SuperKernel, lose them");
        }
        WriteBack(core.block, line, entry);
    }
    core.cache.clear();
}
} // namespace ascendc_cpu
