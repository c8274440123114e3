// Which accesses happened before which: vector clocks, and the memory of who touched which bytes last.
#ifndef ASCENDC_CPU_RACES_H
#define ASCENDC_CPU_RACES_H

#include "ascendc/machine.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace ascendc_cpu {
enum class Pipe : uint8_t { S, V, M, MTE1, MTE2, MTE3, FIX };
constexpr int PIPES = 7;
extern const char *const PIPE_NAMES[PIPES];

// Two writes of one number other than NONE commute: sums of one element type, maxima of one, and writes of the same bytes. A sum
// beside a maximum, or beside a plain write, does not.
enum class Joins : uint8_t { NONE, ALIKE, FIRST_ATOMIC };
inline bool Commute(Joins a, Joins b)
{
    return a == b && a != Joins::NONE;
}

// What an instruction touches.
struct Access {
    bool global; // at is a host address, not an offset into `space`
    bool write;
    Joins joins;
    Space space;
    uint64_t at;
    uint64_t bytes;
    const uint8_t *alike; // the bytes that are written where others may write the same
    uint8_t size = 1;     // bytes of an element
    uint64_t of = 0;      // where the tensor begins that it is part of
};
// An operand of a vector instruction as a record of events has it; DENSE in place of a block stride says that `rep` data blocks follow
// one another.
struct Strided {
    static constexpr uint16_t DENSE = UINT16_MAX;
    uint32_t at;
    uint16_t blk;
    uint16_t rep;
    uint8_t size;
    bool write;
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
    return a.global == b.global && (a.global || a.space == b.space) && (a.write || b.write) && !Commute(a.joins, b.joins) &&
        a.at < b.at + b.bytes && b.at < a.at + a.bytes;
}
class Accesses {
public:
    void Read(const Local &tensor, uint64_t offset, uint64_t bytes)
    {
        list.push_back({false, false, Joins::NONE, tensor.space, tensor.at + offset, bytes, nullptr, static_cast<uint8_t>(SizeOf(tensor.type)), tensor.at});
    }
    void Write(const Local &tensor, uint64_t offset, uint64_t bytes)
    {
        list.push_back({false, true, Joins::NONE, tensor.space, tensor.at + offset, bytes, nullptr, static_cast<uint8_t>(SizeOf(tensor.type)), tensor.at});
    }
    void ReadGlobal(uint64_t at, uint64_t bytes) { list.push_back({true, false, Joins::NONE, Space::UB, at, bytes, nullptr}); }
    void WriteGlobal(uint64_t at, uint64_t bytes) { list.push_back({true, true, Joins::NONE, Space::UB, at, bytes, nullptr}); }
    void JoinGlobal(uint64_t at, uint64_t bytes, Joins joins) { list.push_back({true, true, joins, Space::UB, at, bytes, nullptr}); }
    void WriteAlike(uint64_t at, uint64_t bytes, const uint8_t *alike)
    {
        list.push_back({true, true, Joins::ALIKE, Space::UB, at, bytes, alike});
    }

    void WriteLine(uint64_t at) { list.push_back({true, true, Joins::NONE, Space::UB, at / 64 * 64 | LINE_TAG, 64, nullptr}); }

    // An operand of a record, with steps in data blocks.
    void Stride(const Local &tensor, uint32_t blk, uint32_t rep, bool write)
    {
        strided.push_back({tensor.at, static_cast<uint16_t>(blk), static_cast<uint16_t>(rep), static_cast<uint8_t>(SizeOf(tensor.type)), write});
    }

    std::vector<Access> list;
    // The bytes that are written are all that the instruction is for, and are computed of others: a fill is not.
    bool computes = false;

    // For a record of events: operands by their steps, in place of what they touch.
    bool recorded = false;
    std::vector<Strided> strided;
    uint32_t repeats = 0;
    uint16_t lanes = 0; // elements of a whole repeat, and of the last one
    uint16_t last = 0;
    // For instructions whose operands are not described by lanes.
    void Repeats(uint64_t elements, uint32_t each)
    {
        repeats = static_cast<uint32_t>((elements + each - 1) / each);
        lanes = static_cast<uint16_t>(each);
        last = static_cast<uint16_t>(elements > 0 ? (elements - 1) % each + 1 : 0);
    }
    bool bypass = false; // L2 does not keep what is copied
    bool known = false;  // the record has it already
    // Of a call of the library: its element type and `NAME=NUMBER`s, from which its instructions follow.
    std::string call;
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
    bool write;
    Joins joins;
    uint32_t seq;
    const char *op;
    const void *site;
    bool result = false; // a write of what was computed, and nothing else came of the instruction
};

// Who touched which bytes. Disjoint intervals. A write that commutes with none forgets what it follows, since whatever is ordered behind the
// write is ordered behind that too; so does an access what its own pipe did in the same way before. All others stay: a sum is ordered
// behind nothing that another sum is ordered behind.
class Shadow {
public:
    // Enters an access; `before(stamp)` tells whether an earlier one happened before it, `race(stamp, differ)` is called
    // for the first that did not; `differ` where both are writes that should be alike and are not.
    template <typename Before, typename Race>
    void Enter(const Access &access, const Stamp &now, Before before, Race race)
    {
        const uint64_t at = access.at;
        const uint64_t bytes = access.bytes;
        Cut(at);
        Cut(at + bytes);
        uint64_t next = at;
        for (auto i = cells_.lower_bound(at); next < at + bytes;) {
            if (i == cells_.end() || i->first > next) {
                const uint64_t end = i == cells_.end() || i->first > at + bytes ? at + bytes : i->first;
                i = cells_.emplace_hint(i, next, Cell{end, {}});
            }
            Cell &cell = i->second;
            // Readers first: whoever overwrites what is still read misses the wait for the reader, whatever else.
            for (const bool wrote : {false, true}) {
                for (const Stamp &old : cell.stamps) {
                    if (old.write != wrote || !(old.write || now.write) || before(old)) {
                        continue;
                    }
                    const bool alike = Commute(old.joins, now.joins);
                    const bool differ = alike && access.alike != nullptr &&
                        std::memcmp(reinterpret_cast<const uint8_t *>(next), access.alike + (next - at), cell.end - next) != 0;
                    if (!alike || differ) {
                        race(old, differ);
                    }
                }
            }
            const auto follows = [&](const Stamp &old) {
                const bool same = old.core == now.core && old.pipe == now.pipe && old.write == now.write && old.joins == now.joins;
                return same || (now.write && now.joins == Joins::NONE);
            };
            cell.stamps.erase(std::remove_if(cell.stamps.begin(), cell.stamps.end(), follows), cell.stamps.end());
            cell.stamps.push_back(now);
            next = cell.end;
            ++i;
        }
    }
    // Calls `f(stamp)` for what touched these bytes last.
    template <typename F>
    void ForEach(uint64_t at, uint64_t bytes, F f) const
    {
        auto i = cells_.upper_bound(at);
        if (i != cells_.begin()) {
            --i;
        }
        for (; i != cells_.end() && i->first < at + bytes; ++i) {
            if (i->second.end > at) {
                std::for_each(i->second.stamps.begin(), i->second.stamps.end(), f);
            }
        }
    }
    // Calls `f(at, bytes)` for the intervals that some write of the same bytes touched last, the lowest first.
    template <typename F>
    void ForEachAlike(F f) const
    {
        for (const auto &[at, cell] : cells_) {
            const auto alike = [](const Stamp &stamp) { return stamp.joins == Joins::ALIKE; };
            if (std::any_of(cell.stamps.begin(), cell.stamps.end(), alike)) {
                f(at, cell.end - at);
            }
        }
    }

private:
    struct Cell {
        uint64_t end;
        std::vector<Stamp> stamps;
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
