// GM as a launch has it: regions of memory of the host, each with a name.
#include "launch.h"
#include "report.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <sys/mman.h>

namespace ascendc_cpu {
namespace {
constexpr uint64_t PAGE = 4096;
// Every byte of a workspace or an output that nobody wrote: a nan in each of the float types.
constexpr int POISON = 0xff;

struct Region {
    std::string name;
    uint8_t *at;
    uint64_t bytes;
    bool writable;
    // A bit a byte of a workspace or an output: whether it holds a value. nullptr elsewhere, where every byte does.
    uint8_t *valid;
    // An output: at the end each byte holds a value.
    bool output;
    // True where writes of the same bytes need no order.
    bool alike;
    // Memory of the caller: no pages of ours around it.
    bool foreign;

    uint64_t begin() const { return reinterpret_cast<uint64_t>(at); }
    uint64_t room() const { return (bytes + PAGE - 1) / PAGE * PAGE; }
};
std::vector<Region> regions;
// Host code may add and remove regions while blocks look for theirs. Functions that take it call none that does.
std::shared_mutex regions_lock;
using Reading = std::shared_lock<std::shared_mutex>;
using Writing = std::unique_lock<std::shared_mutex>;
// False where nobody need look for bytes without a value.
bool any_empty = false;

// The workspace or output that an address lies in.
const Region *EmptyAt(uint64_t at)
{
    if (any_empty) {
        for (const Region &region : regions) {
            if (region.valid != nullptr && at >= region.begin() && at < region.begin() + region.bytes) {
                return &region;
            }
        }
    }
    return nullptr;
}
} // namespace

uint8_t *AddGlobal(const std::string &name, uint64_t bytes, int file, bool writable)
{
    Region region{name, nullptr, bytes, writable, nullptr, false, false, false};
    const uint64_t room = region.room();
    void *const whole = mmap(nullptr, room + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (whole == MAP_FAILED) {
        return nullptr;
    }
    region.at = static_cast<uint8_t *>(whole) + PAGE;
    if (room > 0) {
        const int access = writable ? PROT_READ | PROT_WRITE : PROT_READ;
        const int flags = MAP_FIXED | MAP_POPULATE | (file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS);
        if (mmap(region.at, room, access, flags, file, 0) == MAP_FAILED) {
            munmap(whole, room + 2 * PAGE);
            return nullptr;
        }
    }
    const Writing guard(regions_lock);
    regions.push_back(region);
    return region.at;
}

void AddForeign(const std::string &name, void *at, uint64_t bytes)
{
    const Writing guard(regions_lock);
    regions.push_back({name, static_cast<uint8_t *>(at), bytes, true, nullptr, false, false, true});
}

uint8_t *AddEmpty(const std::string &name, uint64_t bytes, int file)
{
    uint8_t *const at = AddGlobal(name, bytes, file, true);
    if (at == nullptr || bytes == 0) {
        return at;
    }
    void *const bits = mmap(nullptr, bytes / 8 + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bits == MAP_FAILED) {
        RemoveGlobal(at);
        return nullptr;
    }
    std::memset(at, POISON, bytes);
    const Writing guard(regions_lock);
    const auto same = [&](const Region &region) { return region.at == at; };
    Region &region = *std::find_if(regions.begin(), regions.end(), same);
    region.valid = static_cast<uint8_t *>(bits);
    region.output = file >= 0;
    any_empty = true;
    return at;
}

void MarkGlobal(uint64_t at, uint64_t bytes)
{
    const Reading guard(regions_lock);
    const Region *const region = EmptyAt(at);
    if (region == nullptr) {
        return;
    }
    const uint64_t from = at - region->begin();
    const uint64_t end = from + bytes;
    for (uint64_t byte = from; byte < end;) {
        if (byte % 8 == 0 && end - byte >= 8) {
            // Eight bytes that are all of this write: whoever else writes them at the same time says the same.
            std::memset(region->valid + byte / 8, 0xff, (end - byte) / 8);
            byte += (end - byte) / 8 * 8;
            continue;
        }
        // Blocks write next to one another at the same time.
        const uint64_t here = std::min(8 - byte % 8, end - byte);
        const auto bits = static_cast<uint8_t>(((1u << here) - 1) << byte % 8);
        __atomic_fetch_or(region->valid + byte / 8, bits, __ATOMIC_RELAXED);
        byte += here;
    }
}

namespace {
// The first byte of a region from one on that has a value, or has none; the region's end where there is no such.
uint64_t FirstOf(const Region &region, uint64_t byte, uint64_t end, bool valid)
{
    const uint8_t skipped = valid ? 0 : 0xff;
    while (byte < end) {
        const uint8_t bits = __atomic_load_n(region.valid + byte / 8, __ATOMIC_RELAXED);
        if (byte % 8 == 0 && bits == skipped) {
            byte += 8;
        } else if ((bits >> byte % 8 & 1) == (valid ? 1 : 0)) {
            return byte;
        } else {
            ++byte;
        }
    }
    return end;
}
} // namespace

int64_t FirstPoisonInGlobal(uint64_t at, uint64_t bytes)
{
    const Reading guard(regions_lock);
    const Region *const region = EmptyAt(at);
    if (region == nullptr) {
        return -1;
    }
    const uint64_t from = at - region->begin();
    const uint64_t first = FirstOf(*region, from, from + bytes, false);
    return first < from + bytes ? static_cast<int64_t>(first - from) : -1;
}

void EachUnwritten(const std::function<void(const Gap &)> &f)
{
    const Reading guard(regions_lock);
    for (const Region &region : regions) {
        if (!region.output || region.valid == nullptr) {
            continue;
        }
        Gap gap{region.name, region.bytes, FirstOf(region, 0, region.bytes, false), 0};
        for (uint64_t byte = gap.first; byte < region.bytes;) {
            const uint64_t end = FirstOf(region, byte, region.bytes, true);
            gap.missing += end - byte;
            byte = FirstOf(region, end, region.bytes, false);
        }
        if (gap.missing > 0) {
            f(gap);
        }
    }
}

void MarkAlike(const std::string &name)
{
    const Writing guard(regions_lock);
    for (Region &region : regions) {
        region.alike = region.alike || region.name == name;
    }
}

bool IsAlike(uint64_t at)
{
    const Reading guard(regions_lock);
    const auto holds = [&](const Region &region) { return at >= region.begin() && at < region.begin() + region.bytes; };
    return std::any_of(regions.begin(), regions.end(), [&](const Region &region) { return region.alike && holds(region); });
}

std::string PlaceInGlobal(uint64_t at, uint64_t *byte)
{
    const Reading guard(regions_lock);
    for (const Region &region : regions) {
        if (at >= region.begin() && at < region.begin() + region.bytes) {
            *byte = at - region.begin();
            return region.name;
        }
    }
    return {};
}

bool RemoveGlobal(const void *at)
{
    const Writing guard(regions_lock);
    for (size_t i = 0; i < regions.size(); ++i) {
        if (regions[i].at == at) {
            if (!regions[i].foreign) {
                munmap(regions[i].at - PAGE, regions[i].room() + 2 * PAGE);
            }
            if (regions[i].valid != nullptr) {
                munmap(regions[i].valid, regions[i].bytes / 8 + 1);
            }
            regions.erase(regions.begin() + static_cast<std::ptrdiff_t>(i));
            return true;
        }
    }
    return false;
}

std::string DescribeGlobal(uint64_t at)
{
    const Reading guard(regions_lock);
    for (const Region &region : regions) {
        const auto begin = region.begin();
        // The guard pages around a region belong to it.
        const uint64_t page = region.foreign ? 0 : PAGE;
        if (at + page >= begin && at < begin + region.bytes + 2 * page) {
            const long long byte = static_cast<long long>(at) - static_cast<long long>(begin);
            return Format("byte %lld of `%s` (%llu bytes)", byte, region.name.c_str(),
                static_cast<unsigned long long>(region.bytes));
        }
    }
    // Below every memory that a program is given.
    return at < (1u << 22) ? "a null address (SetGlobalBuffer was not called, or was given none)" : "an address that no argument has";
}

std::string TensorAt(uint64_t at, uint64_t *offset)
{
    const Reading guard(regions_lock);
    for (const Region &region : regions) {
        if (at >= region.begin() && at < region.begin() + region.bytes) {
            *offset = at - region.begin();
            return region.name;
        }
    }
    *offset = at;
    return "?";
}

uint64_t BytesBehind(uint64_t at)
{
    const Reading guard(regions_lock);
    for (const Region &region : regions) {
        const auto begin = region.begin();
        if (at >= begin && at < begin + region.bytes) {
            return begin + region.bytes - at;
        }
    }
    return 0;
}

namespace {
// Whether these bytes of GM may be touched; where not, what is wrong.
bool IsAllowed(const char *op, const char *what, uint64_t at, uint64_t bytes, bool write, std::string *wrong, bool *read_only)
{
    const Reading guard(regions_lock);
    const Region *near = nullptr;
    for (const Region &region : regions) {
        const auto begin = region.begin();
        if (at >= begin && at + bytes <= begin + region.bytes) {
            *read_only = write && !region.writable;
            if (*read_only) {
                *wrong = Format("%s: writes to `%s`, which is an input of this launch", op, region.name.c_str());
            }
            return !*read_only;
        }
        if (at + bytes > begin && at < begin + region.bytes) {
            near = &region;
        }
    }
    if (near != nullptr) {
        const auto beyond = static_cast<unsigned long long>(at + bytes - near->begin() - near->bytes);
        *wrong = Format("%s: %s ends %llu bytes behind the end of `%s`", op, what, beyond, near->name.c_str());
    }
    return false;
}
} // namespace

uint8_t *CheckGlobal(Core &, const char *op, const char *what, uint64_t at, uint64_t bytes, bool write)
{
    std::string wrong;
    bool read_only = false;
    if (IsAllowed(op, what, at, bytes, write, &wrong, &read_only)) {
        return reinterpret_cast<uint8_t *>(at);
    }
    if (wrong.empty()) {
        wrong = Format("%s: %s of %llu bytes begins at %s", op, what, static_cast<unsigned long long>(bytes), DescribeGlobal(at).c_str());
    }
    if (read_only) {
        Fault("bounds", "%s", wrong.c_str());
    }
    Mistake("bounds", "%s", wrong.c_str());
    return nullptr;
}
} // namespace ascendc_cpu
