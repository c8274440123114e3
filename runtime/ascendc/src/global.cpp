// GM as a launch has it: regions of memory of the host, each with a name.
#include "launch.h"
#include "report.h"

#include <sys/mman.h>

namespace ascendc_cpu {
namespace {
constexpr uint64_t PAGE = 4096;

struct Region {
    std::string name;
    uint8_t *at;
    uint64_t bytes;
    bool writable;

    uint64_t begin() const { return reinterpret_cast<uint64_t>(at); }
    uint64_t room() const { return (bytes + PAGE - 1) / PAGE * PAGE; }
};
std::vector<Region> regions;
} // namespace

uint8_t *AddGlobal(const std::string &name, uint64_t bytes, int file, bool writable)
{
    Region region{name, nullptr, bytes, writable};
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
    regions.push_back(region);
    return region.at;
}

bool RemoveGlobal(const void *at)
{
    for (size_t i = 0; i < regions.size(); ++i) {
        if (regions[i].at == at) {
            munmap(regions[i].at - PAGE, regions[i].room() + 2 * PAGE);
            regions.erase(regions.begin() + static_cast<std::ptrdiff_t>(i));
            return true;
        }
    }
    return false;
}

std::string DescribeGlobal(uint64_t at)
{
    for (const Region &region : regions) {
        const auto begin = region.begin();
        // The guard pages around a region belong to it.
        if (at + PAGE >= begin && at < begin + region.bytes + 2 * PAGE) {
            const long long byte = static_cast<long long>(at) - static_cast<long long>(begin);
            return Format("byte %lld of `%s` (%llu bytes)", byte, region.name.c_str(),
                static_cast<unsigned long long>(region.bytes));
        }
    }
    // Below every memory that a program is given.
    return at < (1u << 22) ? "a null address (SetGlobalBuffer was not called, or was given none)" : "an address that no argument has";
}

uint64_t BytesBehind(uint64_t at)
{
    for (const Region &region : regions) {
        const auto begin = region.begin();
        if (at >= begin && at < begin + region.bytes) {
            return begin + region.bytes - at;
        }
    }
    return 0;
}

uint8_t *CheckGlobal(Core &, const char *op, const char *what, uint64_t at, uint64_t bytes, bool write)
{
    const Region *near = nullptr;
    for (const Region &region : regions) {
        const auto begin = region.begin();
        if (at >= begin && at + bytes <= begin + region.bytes) {
            if (write && !region.writable) {
                Fault("bounds", "%s: writes to `%s`, which is an input of this launch", op, region.name.c_str());
            }
            return reinterpret_cast<uint8_t *>(at);
        }
        if (at + bytes > begin && at < begin + region.bytes) {
            near = &region;
        }
    }
    const std::string where = near != nullptr
        ? Format("%s: %s ends %llu bytes behind the end of `%s`", op, what,
              static_cast<unsigned long long>(at + bytes - near->begin() - near->bytes), near->name.c_str())
        : Format("%s: %s of %llu bytes begins at %s", op, what, static_cast<unsigned long long>(bytes), DescribeGlobal(at).c_str());
    if (config().stop_at_bounds) {
        Fault("bounds", "%s", where.c_str());
    }
    Note("bounds", "%s", where.c_str());
    return nullptr;
}

} // namespace ascendc_cpu
