// Which accesses happened before which: vector clocks, and the memory of who touched which bytes last.
#ifndef ASCENDC_CPU_RACES_H
#define ASCENDC_CPU_RACES_H

#include "ascendc/machine.h"

#include <algorithm>
#include <map>
#include <vector>

namespace ascendc_cpu {
enum class Pipe : uint8_t { S, V, M, MTE1, MTE2, MTE3, FIX };
constexpr int PIPES = 7;
extern const char *const PIPE_NAMES[PIPES];

// What an instruction touches.
struct Access {
    bool global; // at is a host address, not an offset into `space`
    bool write;
    bool atomic; // two of these commute
    Space space;
    uint64_t at;
    uint64_t bytes;
};
// What a write of the scalar unit to GM is besides: one to its line of 64 bytes, which goes back as a whole. Lines lie where no
// address is, and only the caches of cores meet there.
constexpr uint64_t LINE_TAG = 1ull << 63;
inline bool IsLine(const Access &access)
{
    return access.global && (access.at & LINE_TAG) != 0;
}
// True where two accesses meet and the order of the two matters.
inline bool Conflict(const Access &a, const Access &b)
{
    return a.global == b.global && (a.global || a.space == b.space) && (a.write || b.write) && !(a.atomic && b.atomic) &&
        a.at < b.at + b.bytes && b.at < a.at + a.bytes;
}
class Accesses {
public:
    void Read(const Local &tensor, uint64_t offset, uint64_t bytes)
    {
        list.push_back({false, false, false, tensor.space, tensor.at + offset, bytes});
    }
    void Write(const Local &tensor, uint64_t offset, uint64_t bytes)
    {
        list.push_back({false, true, false, tensor.space, tensor.at + offset, bytes});
    }
    void ReadGlobal(uint64_t at, uint64_t bytes) { list.push_back({true, false, false, Space::UB, at, bytes}); }
    void WriteGlobal(uint64_t at, uint64_t bytes, bool atomic) { list.push_back({true, true, atomic, Space::UB, at, bytes}); }

    void WriteLine(uint64_t at) { list.push_back({true, true, false, Space::UB, at / 64 * 64 | LINE_TAG, 64}); }

    std::vector<Access> list;
};

// For each pipe the last access that happened before.
struct Clock {
    uint32_t at[PIPES] = {};

    void Join(const Clock &other)
    {
        for (int i = 0; i < PIPES; ++i) {
            at[i] = other.at[i] > at[i] ? other.at[i] : at[i];
        }
    }
};
using Clocks = std::vector<Clock>;

// An access that was made: access `seq` of a pipe of a core.
struct Stamp {
    uint32_t core;
    Pipe pipe;
    bool atomic;
    uint32_t seq; // 0: none
    const char *op;
    const void *site;
};

// Who touched which bytes last. Disjoint intervals; a write forgets what it follows, since whatever is ordered behind
// the write is ordered behind that too.
class Shadow {
public:
    // Enters an access; `before(stamp)` tells whether an earlier one happened before it, `race(stamp, wrote)` is called
    // for the first that did not.
    template <typename Before, typename Race>
    void Enter(uint64_t at, uint64_t bytes, bool write, const Stamp &now, Before before, Race race)
    {
        Cut(at);
        Cut(at + bytes);
        uint64_t next = at;
        for (auto i = cells_.lower_bound(at); next < at + bytes;) {
            if (i == cells_.end() || i->first > next) {
                const uint64_t end = i == cells_.end() || i->first > at + bytes ? at + bytes : i->first;
                i = cells_.emplace_hint(i, next, Cell{end, {}, {}});
            }
            Cell &cell = i->second;
            // Readers first: whoever overwrites what is still read misses the wait for the reader, whatever else.
            if (write) {
                for (const Stamp &read : cell.reads) {
                    if (!before(read)) {
                        race(read, false);
                    }
                }
            }
            if (cell.write.seq != 0 && !(cell.write.atomic && now.atomic) && !before(cell.write)) {
                race(cell.write, true);
            }
            if (write) {
                cell.reads.clear();
                cell.write = now;
            } else {
                const auto same = [&](const Stamp &read) { return read.core == now.core && read.pipe == now.pipe; };
                const auto read = std::find_if(cell.reads.begin(), cell.reads.end(), same);
                read == cell.reads.end() ? cell.reads.push_back(now) : void(*read = now);
            }
            next = cell.end;
            ++i;
        }
    }
    // Calls `f(stamp, wrote)` for what touched these bytes last.
    template <typename F>
    void ForEach(uint64_t at, uint64_t bytes, F f) const
    {
        auto i = cells_.upper_bound(at);
        if (i != cells_.begin()) {
            --i;
        }
        for (; i != cells_.end() && i->first < at + bytes; ++i) {
            if (i->second.end <= at) {
                continue;
            }
            if (i->second.write.seq != 0) {
                f(i->second.write, true);
            }
            for (const Stamp &read : i->second.reads) {
                f(read, false);
            }
        }
    }

private:
    struct Cell {
        uint64_t end;
        Stamp write;
        std::vector<Stamp> reads;
    };
    // Makes `at` a border of cells.
    void Cut(uint64_t at)
    {
        auto i = cells_.upper_bound(at);
        if (i == cells_.begin()) {
            return;
        }
        --i;
        if (i->first < at && at < i->second.end) {
            Cell behind = i->second;
            i->second.end = at;
            cells_.emplace(at, std::move(behind));
        }
    }
    std::map<uint64_t, Cell> cells_;
};

// The shadow of GM, which all cores share, locked while this lives.
class GlobalShadow {
public:
    GlobalShadow();
    ~GlobalShadow();
    Shadow *operator->() const;
};
} // namespace ascendc_cpu

#endif
