#include "recorder.h"

#include "core.h"
#include "report.h"

#include <cstdio>
#include <map>
#include <mutex>

namespace ascendc_cpu {
namespace {
// A call of the library is of the last kind, which whoever reads the records replaces by its instructions.
enum Kind : uint8_t { VECTOR = 1, COPY, SET, WAIT, BARRIER, SCALAR, SYNC_ALL, CROSS_SET, CROSS_WAIT, LIBRARY = 255 };
constexpr uint8_t ALL_PIPES = 255;
constexpr size_t OPERANDS = 5;

// Names and places that events have, each once. A place stands in the field of the line; whoever reads the records looks it up.
std::mutex names_lock;
std::map<std::string, uint16_t> names;
std::map<const void *, uint32_t> sites;
std::map<std::string, uint32_t> calls;

uint16_t NameOf(const std::string &name)
{
    const std::lock_guard<std::mutex> guard(names_lock);
    return names.emplace(name, static_cast<uint16_t>(names.size())).first->second;
}

uint32_t SiteOf(const void *site)
{
    const std::lock_guard<std::mutex> guard(names_lock);
    return sites.emplace(site, static_cast<uint32_t>(sites.size())).first->second;
}

uint32_t CallOf(const std::string &call)
{
    const std::lock_guard<std::mutex> guard(names_lock);
    return calls.emplace(call, static_cast<uint32_t>(calls.size())).first->second;
}

// The number of a pipe in a record; pipes of the cube have none.
int Number(Pipe pipe)
{
    switch (pipe) {
        case Pipe::S: return 0;
        case Pipe::V: return 1;
        case Pipe::MTE2: return 2;
        case Pipe::MTE3: return 3;
        case Pipe::M:
        case Pipe::MTE1:
        case Pipe::FIX: return -1;
    }
    return -1;
}

class Writer {
public:
    Writer(Core &core, Kind kind) : core_(core)
    {
        record_.bytes[0] = kind;
        // Kernels call from few places, mostly from one after the other.
        if (core.recorded_site != core.site || core.records.empty()) {
            core.recorded_site = core.site;
            core.recorded_as = SiteOf(core.site);
        }
        Put(8, core.recorded_as);
    }
    template <typename T>
    void Put(size_t at, T value)
    {
        std::memcpy(record_.bytes + at, &value, sizeof value);
    }
    void Details(uint8_t first, uint8_t second = 0, uint8_t third = 0)
    {
        record_.bytes[1] = first;
        record_.bytes[2] = second;
        record_.bytes[3] = third;
    }
    uint8_t &operator[](size_t at) { return record_.bytes[at]; }
    void Name(size_t at, const char *name)
    {
        const auto known = core_.recorded_names.find(name);
        const uint16_t number = known != core_.recorded_names.end() ? known->second : NameOf(name);
        core_.recorded_names.emplace(name, number);
        Put(at, number);
    }
    void Place(uint64_t at)
    {
        uint64_t offset = 0;
        Put(48, NameOf(TensorAt(at, &offset)));
        Put(16, offset);
    }
    void Done() { core_.records.push_back(record_); }

private:
    Core &core_;
    EventRecord record_{};
};

// Operands of which only the bytes are known are dense, from the first that is touched to the last.
std::vector<Strided> OperandsOf(const Accesses &accesses)
{
    std::vector<Strided> all = accesses.strided;
    std::vector<uint64_t> tensors;
    const size_t first = all.size();
    for (const Access &access : accesses.list) {
        if (access.global || access.space != Space::UB || access.bytes == 0) {
            continue;
        }
        size_t i = 0;
        while (i < tensors.size() && (tensors[i] != access.of || all[first + i].write != access.write)) {
            ++i;
        }
        if (i == tensors.size()) {
            tensors.push_back(access.of);
            all.push_back({static_cast<uint32_t>(access.at), Strided::DENSE, 0, access.size, access.write});
        }
        Strided &operand = all[first + i];
        const uint64_t blocks = (access.at + access.bytes - operand.at / BLOCK * BLOCK + BLOCK - 1) / BLOCK;
        operand.rep = std::max(operand.rep, static_cast<uint16_t>(blocks));
    }
    return all;
}

uint8_t PowerOfTwo(uint8_t size)
{
    return size >= 8 ? 3 : size >= 4 ? 2 : size >= 2 ? 1 : 0;
}

void RecordVector(Core &core, const char *op, const Accesses &accesses)
{
    uint32_t repeats = 0;
    const std::vector<Strided> operands = OperandsOf(accesses);
    if (operands.size() > OPERANDS) {
        WriteReport("refused", "launch", Format("%s has %zu operands, and a record of events takes %zu", op, operands.size(), OPERANDS),
            static_cast<int64_t>(core.block), nullptr, 0);
        return;
    }
    Writer writer(core, VECTOR);
    writer.Name(4, op);
    uint16_t lanes = accesses.lanes;
    for (size_t i = 0; i < operands.size(); ++i) {
        const Strided &operand = operands[i];
        // The fifth stands behind the lanes.
        const size_t at = i < 4 ? 16 + 8 * i : 52;
        const size_t shift = 2 * (i % 4);
        writer.Put(at, operand.at);
        writer.Put(at + 4, operand.blk);
        writer.Put(at + 6, operand.rep);
        writer[i < 4 ? 2 : 60] |= static_cast<uint8_t>((operand.write ? 2 : 1) << shift);
        writer[i < 4 ? 3 : 61] |= static_cast<uint8_t>(PowerOfTwo(operand.size) << shift);
        if (accesses.lanes == 0) {
            const uint32_t bytes = operand.rep * BLOCK;
            lanes = std::max(lanes, static_cast<uint16_t>(REPEAT / operand.size));
            repeats = std::max(repeats, (bytes + REPEAT - 1) / REPEAT);
        }
    }
    writer.Put(12, accesses.repeats > 0 ? accesses.repeats : repeats);
    writer.Put(48, lanes);
    writer.Put(50, accesses.last > 0 ? accesses.last : lanes);
    writer.Done();
}

void RecordLibrary(Core &core, const char *op, const Accesses &accesses)
{
    Writer writer(core, LIBRARY);
    writer.Name(4, op);
    writer.Put(12, CallOf(std::string(op) + " " + accesses.call));
    writer.Done();
}

struct Piece {
    uint64_t gm;
    uint64_t bytes;
    uint64_t ub;
};

void RecordPieces(Core &core, Pipe pipe, const char *op, const std::vector<Piece> &pieces, size_t first, size_t count, bool bypass)
{
    const Piece &one = pieces[first];
    Writer writer(core, COPY);
    writer.Details(static_cast<uint8_t>(Number(pipe)), bypass ? 1 : 0);
    writer.Name(4, op);
    writer.Place(one.gm);
    writer.Put(12, static_cast<uint32_t>(count));
    writer.Put(24, static_cast<uint32_t>(one.bytes));
    writer.Put(28, static_cast<uint32_t>(count > 1 ? pieces[first + 1].gm - one.gm : one.bytes));
    writer.Put(32, static_cast<uint32_t>(one.ub));
    writer.Put(36, static_cast<uint32_t>(count > 1 ? pieces[first + 1].ub - one.ub : one.bytes));
    writer.Done();
}

// Pieces of one length at one distance are stretches of one record.
void RecordCopy(Core &core, Pipe pipe, const char *op, const Accesses &accesses)
{
    std::vector<Piece> pieces;
    std::vector<uint64_t> locals;
    for (const Access &access : accesses.list) {
        if (access.global && !IsLine(access)) {
            pieces.push_back({access.at, access.bytes, 0});
        } else if (!access.global) {
            locals.push_back(access.at);
        }
    }
    // Each piece has a local side.
    for (size_t i = 0; i < pieces.size() && i < locals.size(); ++i) {
        pieces[i].ub = locals[i];
    }
    for (size_t first = 0; first < pieces.size();) {
        size_t count = 1;
        const auto step = [&](size_t i) { return pieces[i].gm - pieces[i - 1].gm; };
        while (first + count < pieces.size() && pieces[first + count].bytes == pieces[first].bytes && step(first + count) == step(first + 1) &&
            step(first + count) <= UINT32_MAX) {
            ++count;
        }
        RecordPieces(core, pipe, op, pieces, first, count, accesses.bypass);
        first += count;
    }
}
} // namespace

void RecordWork(Core &core, Pipe pipe, const char *op, const Accesses &accesses)
{
    if (Number(pipe) < 0 || (accesses.list.empty() && accesses.strided.empty())) {
        return;
    }
    if (!accesses.call.empty()) {
        RecordLibrary(core, op, accesses);
        return;
    }
    const auto is_global = [](const Access &access) { return access.global; };
    if (std::any_of(accesses.list.begin(), accesses.list.end(), is_global)) {
        RecordCopy(core, pipe, op, accesses);
    } else {
        RecordVector(core, op, accesses);
    }
}

void RecordScalar(Core &core, const char *op, const Accesses &accesses)
{
    for (const Access &access : accesses.list) {
        if (IsLine(access)) {
            continue;
        }
        Writer writer(core, SCALAR);
        writer.Name(4, op);
        writer.Details(static_cast<uint8_t>(std::min<uint64_t>(access.bytes, 255)), access.write ? 1 : 0, access.global ? 1 : 0);
        if (access.global) {
            writer.Place(access.at);
        } else {
            writer.Put(12, static_cast<uint32_t>(access.at));
        }
        writer.Done();
        return;
    }
}

void RecordFlag(Core &core, bool waits, Pipe from, Pipe to, int32_t id)
{
    if (Number(from) < 0 || Number(to) < 0) {
        return;
    }
    Writer writer(core, waits ? WAIT : SET);
    writer.Details(static_cast<uint8_t>(Number(from)), static_cast<uint8_t>(Number(to)), static_cast<uint8_t>(id));
    writer.Done();
}

void RecordBarrier(Core &core, pipe_t pipe)
{
    const int number = pipe == PIPE_ALL ? ALL_PIPES : Number(Pipes::PipeOf(pipe));
    if (number < 0) {
        return;
    }
    Writer writer(core, BARRIER);
    writer.Details(static_cast<uint8_t>(number));
    writer.Done();
}

void RecordSyncAll(Core &core)
{
    Writer(core, SYNC_ALL).Done();
}

void RecordCrossSet(Core &core, Pipe pipe, uint32_t mode, uint32_t id)
{
    Writer writer(core, CROSS_SET);
    writer.Details(static_cast<uint8_t>(std::max(Number(pipe), 0)), static_cast<uint8_t>(mode), static_cast<uint8_t>(id));
    writer.Done();
}

void RecordCrossWait(Core &core, uint32_t id)
{
    Writer writer(core, CROSS_WAIT);
    writer.Details(0, 0, static_cast<uint8_t>(id));
    writer.Done();
}

namespace {
void WriteFile(const std::string &path, const void *data, size_t bytes)
{
    FILE *const file = std::fopen(path.c_str(), "wb");
    const bool written = file != nullptr && std::fwrite(data, 1, bytes, file) == bytes;
    if (file == nullptr || std::fclose(file) != 0 || !written) {
        WriteReport("refused", "launch", Format("the events cannot be written to `%s`", path.c_str()), -1, nullptr, 0);
    }
}
} // namespace

void WriteEvents(const Core &core)
{
    WriteFile(config().events + "/events" + std::to_string(core.block), core.records.data(), core.records.size() * sizeof(EventRecord));
}

void WriteNames()
{
    const std::lock_guard<std::mutex> guard(names_lock);
    std::vector<std::string> by_number(names.size());
    for (const auto &[name, number] : names) {
        by_number[number] = name;
    }
    std::vector<const void *> addresses(sites.size());
    for (const auto &[site, number] : sites) {
        addresses[number] = site;
    }
    std::string text;
    for (const std::string &name : by_number) {
        text += "name " + name + "\n";
    }
    for (const void *const site : addresses) {
        text += "site " + std::to_string(reinterpret_cast<uintptr_t>(site)) + "\n";
    }
    std::vector<std::string> descriptions(calls.size());
    for (const auto &[call, number] : calls) {
        descriptions[number] = call;
    }
    for (const std::string &call : descriptions) {
        text += "call " + call + "\n";
    }
    WriteFile(config().events + "/names", text.data(), text.size());
    names.clear();
    sites.clear();
    calls.clear();
}
} // namespace ascendc_cpu
