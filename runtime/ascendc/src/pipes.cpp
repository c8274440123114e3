#include "pipes.h"

#include "launch.h"
#include "report.h"

#include <functional>
#include <mutex>
#include <set>
#include <utility>

namespace ascendc_cpu {
const char *const PIPE_NAMES[PIPES] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"};

namespace {
// Tasks that may wait in all pipes together before the scalar unit lets them move.
constexpr size_t WINDOW = 48;

Shadow global_shadow;
std::mutex global_lock;
std::vector<Suspect> suspects;
std::mutex suspects_lock;
std::set<uint64_t> told_lines;
std::mutex told_lines_lock;
bool IsWordOfCache(const Stamp &stamp)
{
    const std::string op = stamp.op;
    return stamp.pipe == Pipe::S && (stamp.write ? op == "SetValue" || op == "DataCacheCleanAndInvalid" : op == "GetValue");
}

// `now` comes later in the program than `other`, and nothing makes it wait.
void ReportRace(const Stamp &now, const Access &access, const Stamp &other, bool differ)
{
    const bool wrote = other.write;
    const char *const here = PIPE_NAMES[static_cast<int>(now.pipe)];
    const char *const there = PIPE_NAMES[static_cast<int>(other.pipe)];
    const std::string where = access.global ? DescribeGlobal(access.at) : NameOf(access.space);
    const std::string who = other.core == now.core ? Format("%s of pipe %s", other.op, there)
                                                   : Format("%s of pipe %s on block %u", other.op, there, other.core);
    const std::vector<const void *> sites = {now.site, other.site};
    if (IsLine(access)) {
        if (!IsFirstOfLine(access.at & ~LINE_TAG)) {
            return;
        }
        MistakeAmong("cache", sites, Format("%s writes into the line of 64 bytes with %s, into which %s writes, too: each core writes back "
                                          "the whole line; keep what different cores write 64 bytes apart, or copy with DataCopy", now.op,
                                       DescribeGlobal(access.at & ~LINE_TAG).c_str(), who.c_str()));
        return;
    }
    if (differ) {
        MistakeAmong("race", sites, Format("%s of pipe %s writes other bytes to %s than %s: nothing decides which stay, so all that do so at the "
                                         "same time must write the same", now.op, here, where.c_str(), who.c_str()));
        return;
    }
    const std::string between = other.core != now.core ? "SyncAll or a cross-core flag"
        : other.pipe == now.pipe                       ? Format("PipeBarrier<PIPE_%s>", here)
                                                       : Format("SetFlag and WaitFlag of HardEvent::%s_%s, or a queue,", there, here);
    const bool shared = other.core != now.core && access.write && wrote;
    const bool joined = now.joins != Joins::NONE || other.joins != Joins::NONE;
    const char *const apart = joined ? ", or all of them add, or all take the larger or all the smaller"
                                     : ", or each block writes a part of its own (GetBlockIdx), or adds (SetAtomicAdd)";
    const bool words = other.core != now.core && IsWordOfCache(now) && IsWordOfCache(other);
    if (words && access.write && wrote && !IsFirstOfLine(access.at / 64 * 64)) {
        return;
    }
    const std::string message = Format("%s of pipe %s %s %s while %s may still be %s it: %s must stand between them%s", now.op, here,
                                  access.write ? "writes" : "reads", where.c_str(), who.c_str(), wrote ? "writing" : "reading",
        between.c_str(), shared ? apart : "");
    // Which of the two came first is chance; the one that reads may be about to ask again.
    const Stamp &reader = access.write ? other : now;
    if (words && access.write != wrote) {
        Suspected({reader.core, now.core, access.at, "race", sites, message});
        return;
    }
    MistakeAmong("race", sites, message);
}
} // namespace

bool IsFirstOfLine(uint64_t line)
{
    const std::lock_guard<std::mutex> guard(told_lines_lock);
    return told_lines.insert(line).second;
}

void Suspected(const Suspect &suspect)
{
    const std::lock_guard<std::mutex> guard(suspects_lock);
    const auto same = [&](const Suspect &other) { return other.reader == suspect.reader && other.at == suspect.at; };
    if (std::none_of(suspects.begin(), suspects.end(), same)) {
        suspects.push_back(suspect);
    }
}

void ClearSuspects(uint32_t reader, uint64_t at, uint64_t bytes)
{
    const std::lock_guard<std::mutex> guard(suspects_lock);
    const auto asked = [&](const Suspect &suspect) { return suspect.reader == reader && suspect.at >= at && suspect.at < at + bytes; };
    suspects.erase(std::remove_if(suspects.begin(), suspects.end(), asked), suspects.end());
}

void TellSuspects()
{
    std::vector<Suspect> told;
    std::swap(told, suspects);
    for (const Suspect &suspect : told) {
        RecordMistake();
        WriteReport("mistake", suspect.kind, suspect.message, suspect.teller, suspect.sites.data(), static_cast<int>(suspect.sites.size()));
    }
}

std::mutex Unread::lock;
Unread Unread::all;

// A loop carries results to its next turn, and the last one may carry in vain: what counts is the first time that the other call runs.
void Unread::Enter(const Accesses &accesses, const Shadow &shadow, const char *op, const void *site)
{
    const auto [ran, anew] = ran_.insert({site, ran_.size()});
    for (const bool write : {false, true}) {
        for (const Access &access : accesses.list) {
            if (access.global || access.space != Space::UB || access.write != write || (write && !(accesses.computes && anew))) {
                continue;
            }
            const size_t order = ran->second;
            shadow.ForEach(access.at, access.bytes, [&](const Stamp &old) {
                if (!write && old.write) {
                    read_.insert(old.site);
                } else if (write && old.result && old.site != site) {
                    replaced_.insert({old.site, {old.op, op, site, order, {}}});
                }
            });
        }
    }
}

void Unread::Leave() const
{
    const std::lock_guard<std::mutex> guard(lock);
    all.read_.insert(read_.begin(), read_.end());
    for (const auto &[site, lost] : replaced_) {
        Lost &entry = all.replaced_.insert({site, lost}).first->second;
        if (read_.count(site) == 0 && entry.earlier.empty()) {
            for (const auto &[other, order] : ran_) {
                if (order < lost.order) {
                    entry.earlier.push_back(other);
                }
            }
        }
    }
}

namespace {
// True where one of these calls stands at this place: the compiler copies calls as it unrolls loops.
bool IsAmong(const std::string &place, const std::vector<const void *> &sites)
{
    const std::vector<std::string> places = PlacesOf(sites);
    return std::find(places.begin(), places.end(), place) != places.end();
}
} // namespace

void TellUnread()
{
    for (const auto &[site, lost] : Unread::all.replaced_) {
        if (Unread::all.read_.count(site) != 0) {
            continue;
        }
        const std::vector<std::string> places = PlacesOf({lost.site, site});
        const std::vector<const void *> read(Unread::all.read_.begin(), Unread::all.read_.end());
        if (places[0].empty() || places[1].empty() || places[0] == places[1] || IsAmong(places[1], read) || IsAmong(places[0], lost.earlier)) {
            continue;
        }
        const void *const sites[] = {lost.site, site};
        WriteReport("note", "unread", Format("%s: writes over the result of %s, which nobody has read; do two values share a buffer?", lost.op,
                                          lost.lost), -1, sites, 2);
    }
}

void ForgetUnread()
{
    Unread::all = Unread{};
}

GlobalShadow::GlobalShadow()
{
    global_lock.lock();
}
GlobalShadow::~GlobalShadow()
{
    global_lock.unlock();
}
Shadow *GlobalShadow::operator->() const
{
    return &global_shadow;
}

void ForgetAccesses()
{
    global_shadow = Shadow{};
    told_lines.clear();
}

void EachAlike(const std::function<void(uint64_t, uint64_t)> &f)
{
    const GlobalShadow shadow;
    shadow->ForEachAlike(f);
}

Pipes::Pipes(uint32_t block, bool replay, bool auto_sync, bool records, uint64_t seed)
    : block_(block), replay_(replay), auto_sync_(auto_sync), records_(records), random_(seed * 0x9e3779b97f4a7c15ull + block)
{}

namespace {
// Cores of 310P have all pipes but the last; of the others the vector cores have those that feed no cube.
Pipe OnThisCore(Pipe pipe)
{
    const bool cube = pipe == Pipe::M || pipe == Pipe::MTE1;
    if (pipe == Pipe::FIX || (cube && config().arch != 2002)) {
        Fault("arg", "PIPE_%s is no pipe of this core, which waits for it forever; it has PIPE_S, PIPE_V, %sPIPE_MTE2 and PIPE_MTE3",
            PIPE_NAMES[static_cast<int>(pipe)], config().arch == 2002 ? "PIPE_M, PIPE_MTE1, " : "");
    }
    return pipe;
}
} // namespace

Pipe Pipes::PipeOf(pipe_t pipe)
{
    switch (pipe) {
        case PIPE_S: return Pipe::S;
        case PIPE_V: return Pipe::V;
        case PIPE_M: return OnThisCore(Pipe::M);
        case PIPE_MTE1: return OnThisCore(Pipe::MTE1);
        case PIPE_MTE2: return Pipe::MTE2;
        case PIPE_MTE3: return Pipe::MTE3;
        case PIPE_FIX: return OnThisCore(Pipe::FIX);
        default: Fault("arg", "pipe %d is not one of this chip", static_cast<int>(pipe));
    }
}

bool Pipes::Waiting() const
{
    for (const auto &tasks : tasks_) {
        if (!tasks.empty()) {
            return true;
        }
    }
    return false;
}

bool Pipes::Ordered(Pipe pipe) const
{
    // The compiler puts barriers between vector instructions; the cube unit accumulates in order. Copies of one pipe
    // overlap in time, and only PipeBarrier keeps two apart that touch the same bytes.
    return pipe == Pipe::S || pipe == Pipe::M || (pipe == Pipe::V && auto_sync_);
}

void Pipes::Enqueue(Core &core, Pipe pipe, const char *op, Task task)
{
    task.op = op;
    task.site = core.site;
    task.order = ++issued_;
    task.issued = clocks_[Index(Pipe::S)];
    if (auto_sync_ || task.behind_scalar) {
        task.issued.at[Index(Pipe::S)] = done_[Index(Pipe::S)];
    }
    tasks_[Index(pipe)].push_back(std::move(task));
    Settle(core);
}

// After something was issued: without replay everything moves that can; with replay a few random steps are taken.
void Pipes::Settle(Core &core)
{
    if (!replay_) {
        while (Step(core)) {
        }
        if (!Waiting()) {
            for (const Spoiled &spoiled : spoiled_) {
                core.memory(spoiled.space).Spoil(spoiled.at, spoiled.bytes);
            }
            spoiled_.clear();
        }
        return;
    }
    size_t waiting = 0;
    for (const auto &tasks : tasks_) {
        waiting += tasks.size();
    }
    uint64_t steps = random_() % 3;
    steps = waiting > WINDOW ? waiting - WINDOW : steps == 2 ? 1 : 0;
    while (steps-- > 0 && Step(core)) {
    }
}

bool Pipes::Runnable(Pipe pipe) const
{
    const auto &tasks = tasks_[Index(pipe)];
    if (tasks.empty()) {
        return false;
    }
    const Task &head = tasks.front();
    return head.kind != Task::WAIT || !flags_[Index(head.other)][Index(pipe)][head.id].empty();
}

bool Pipes::Step(Core &core)
{
    const int first = replay_ ? static_cast<int>(random_() % PIPES) : 0;
    for (int i = 0; i < PIPES; ++i) {
        const Pipe pipe = static_cast<Pipe>((first + i) % PIPES);
        if (Runnable(pipe)) {
            RunHead(core, pipe);
            return true;
        }
    }
    return false;
}

void Pipes::RunHead(Core &core, Pipe pipe)
{
    const int p = Index(pipe);
    Task task = std::move(tasks_[p].front());
    tasks_[p].pop_front();
    Clock &clock = clocks_[p];
    clock.Join(task.issued);
    const void *const site = core.site;
    core.site = task.site;
    switch (task.kind) {
        case Task::WORK: {
            Visit(core, pipe, task.op, task.site, task.order, task.accesses);
            SpoilBefore(core, task.order, task.accesses);
            const bool outer = std::exchange(core.in_instruction, true);
            try {
                task.run();
            } catch (const LeftOut &) {
            }
            core.in_instruction = outer;
            break;
        }
        case Task::SET: {
            Clock sent = clock;
            sent.at[p] = done_[p];
            flags_[p][Index(task.other)][task.id].push_back(sent);
            break;
        }
        case Task::WAIT: {
            auto &flags = flags_[Index(task.other)][p][task.id];
            clock.Join(flags.front());
            flags.pop_front();
            break;
        }
        case Task::BARRIER:
            clock.at[p] = done_[p];
            break;
    }
    core.site = site;
}

// The first task of another pipe that stands earlier in the program, has not even begun and touches the same; nullptr: there is none.
// One that waits for a flag which this pipe has yet to set comes behind it, wherever it stands.
const Pipes::Task *Pipes::Overtaken(Pipe pipe, uint64_t order, const Accesses &accesses, Pipe *other, size_t *access) const
{
    for (int q = 0; q < PIPES; ++q) {
        size_t waits[8] = {};
        for (const Task &task : tasks_[q]) {
            if (q == Index(pipe) || task.order >= order) {
                continue;
            }
            if (task.kind == Task::WAIT && task.other == pipe && ++waits[task.id] > flags_[Index(pipe)][q][task.id].size()) {
                break;
            }
            for (size_t i = 0; i < accesses.list.size(); ++i) {
                const auto meets = [&](const Access &earlier) { return Conflict(accesses.list[i], earlier); };
                if (std::any_of(task.accesses.list.begin(), task.accesses.list.end(), meets)) {
                    *other = static_cast<Pipe>(q);
                    *access = i;
                    return &task;
                }
            }
        }
    }
    return nullptr;
}

// A race is told once. From then on the two are ordered, as they will be when it is mended: what follows from it is not told.
void Pipes::Visit(Core &core, Pipe pipe, const char *op, const void *site, uint64_t order, const Accesses &accesses)
{
    if (!replay_) {
        return;
    }
    const int p = Index(pipe);
    const uint32_t seq = done_[p] + 1;
    Pipe other;
    size_t met;
    while (const Task *const task = Overtaken(pipe, order, accesses, &other, &met)) {
        const Access &access = accesses.list[met];
        const auto meets = [&](const Access &earlier) { return Conflict(access, earlier); };
        const Access &earlier = *std::find_if(task->accesses.list.begin(), task->accesses.list.end(), meets);
        const Stamp now{block_, pipe, access.write, access.joins, seq, op, site};
        ReportRace(now, access, {block_, other, earlier.write, earlier.joins, 0, task->op, task->site}, false);
        const uint64_t until = task->order;
        bool moves = true;
        const auto waits = [&] { return !tasks_[Index(other)].empty() && tasks_[Index(other)].front().order <= until; };
        while (moves && waits()) {
            moves = false;
            for (int q = 0; q < PIPES; ++q) {
                if (q != p && Runnable(static_cast<Pipe>(q))) { // this pipe is at its own task
                    RunHead(core, static_cast<Pipe>(q));
                    moves = true;
                    break;
                }
            }
        }
        if (waits()) {
            break;
        }
        clocks_[p].at[Index(other)] = done_[Index(other)];
    }
    done_[p] = seq;
    unread_.Enter(accesses, shadows_[static_cast<int>(Space::UB)], op, site);
    const auto before = [&](const Stamp &stamp) {
        if (stamp.core != block_) {
            return stamp.core < known_.size() && known_[stamp.core].at[Index(stamp.pipe)] >= stamp.seq;
        }
        if (stamp.pipe == pipe && (stamp.seq == seq || Ordered(pipe))) {
            return true;
        }
        return clocks_[p].at[Index(stamp.pipe)] >= stamp.seq;
    };
    for (const Access &access : accesses.list) {
        if (access.bytes == 0) {
            continue;
        }
        const Stamp now{block_, pipe, access.write, access.joins, seq, op, site, access.write && accesses.computes};
        const auto race = [&](const Stamp &other, bool differ) {
            ReportRace(now, access, other, differ);
            if (other.core != block_ && known_.size() <= other.core) {
                known_.resize(other.core + 1);
            }
            uint32_t &until = (other.core != block_ ? known_[other.core] : clocks_[p]).at[Index(other.pipe)];
            until = std::max(until, other.seq);
        };
        if (access.global) {
            const GlobalShadow shadow;
            shadow->Enter(access, now, before, race);
        } else {
            shadows_[static_cast<int>(access.space)].Enter(access, now, before, race);
        }
    }
}

void Pipes::Spoil(Core &core, Space space, uint32_t at, uint32_t bytes)
{
    if (!replay_ && !Waiting()) {
        core.memory(space).Spoil(at, bytes);
        return;
    }
    // What an earlier allocation of the buffer put off is done with this one.
    const auto same = [&](const Spoiled &other) { return other.space == space && other.at == at && other.bytes == bytes; };
    spoiled_.erase(std::remove_if(spoiled_.begin(), spoiled_.end(), same), spoiled_.end());
    spoiled_.push_back({++issued_, space, at, bytes});
}

void Pipes::SpoilBefore(Core &core, uint64_t order, const Accesses &accesses)
{
    const auto touched = [&](const Spoiled &spoiled) {
        const Access whole{false, true, Joins::NONE, spoiled.space, spoiled.at, spoiled.bytes, nullptr};
        return spoiled.order < order &&
            std::any_of(accesses.list.begin(), accesses.list.end(), [&](const Access &access) { return Conflict(access, whole); });
    };
    for (size_t i = 0; i < spoiled_.size();) {
        if (!touched(spoiled_[i])) {
            ++i;
            continue;
        }
        core.memory(spoiled_[i].space).Spoil(spoiled_[i].at, spoiled_[i].bytes);
        spoiled_.erase(spoiled_.begin() + static_cast<ptrdiff_t>(i));
    }
}

void Pipes::SetFlag(Core &core, pipe_t from, pipe_t to, int32_t id, const char *op)
{
    const Pipe src = PipeOf(from);
    const Pipe dst = PipeOf(to);
    if (id < 0 || id > 7) {
        Fault("sync", "%s: event id %d; ids are 0 to 7", op, id);
    }
    if (records_) {
        RecordFlag(core, false, src, dst, id);
    }
    const std::vector<const void *> sites = {core.site, flag_site_[Index(src)][Index(dst)][id]};
    flag_site_[Index(src)][Index(dst)][id] = core.site;
    if (++balance_[Index(src)][Index(dst)][id] > 1) {
        odd_[Index(src)][Index(dst)][id] = true;
        MistakeAmong("sync", sites, Format("%s: %s_%s id %d is set again before anyone waited for it; each SetFlag needs one WaitFlag", op,
                                      PIPE_NAMES[Index(src)], PIPE_NAMES[Index(dst)], id));
    }
    if (src == Pipe::S) {
        Clock sent = clocks_[Index(src)];
        sent.at[Index(src)] = done_[Index(src)];
        flags_[Index(src)][Index(dst)][id].push_back(sent);
        Settle(core);
        return;
    }
    Task task;
    task.kind = Task::SET;
    task.other = dst;
    task.id = id;
    Enqueue(core, src, op, std::move(task));
}

void Pipes::WaitFlag(Core &core, pipe_t from, pipe_t to, int32_t id, const char *op)
{
    const Pipe src = PipeOf(from);
    const Pipe dst = PipeOf(to);
    if (id < 0 || id > 7) {
        Fault("sync", "%s: event id %d; ids are 0 to 7", op, id);
    }
    if (records_) {
        RecordFlag(core, true, src, dst, id);
    }
    const std::vector<const void *> sites = {core.site, flag_site_[Index(src)][Index(dst)][id]};
    flag_site_[Index(src)][Index(dst)][id] = core.site;
    if (--balance_[Index(src)][Index(dst)][id] < -1) {
        MistakeAmong("sync", sites, Format("%s: %s_%s id %d is waited for again before anyone set it; each WaitFlag needs one SetFlag", op,
                                      PIPE_NAMES[Index(src)], PIPE_NAMES[Index(dst)], id));
        // This one would never end.
        ++balance_[Index(src)][Index(dst)][id];
        odd_[Index(src)][Index(dst)][id] = true;
        return;
    }
    if (dst == Pipe::S) {
        auto &flags = flags_[Index(src)][Index(dst)][id];
        while (flags.empty()) {
            if (!Step(core)) {
                Fault("hang", "%s: the scalar unit waits for %s_S id %d, which nothing before sets; call SetFlag before", op,
                    PIPE_NAMES[Index(src)], id);
            }
        }
        clocks_[Index(dst)].Join(flags.front());
        flags.pop_front();
        return;
    }
    Task task;
    task.kind = Task::WAIT;
    task.other = src;
    task.id = id;
    Enqueue(core, dst, op, std::move(task));
}

void Pipes::Barrier(Core &core, pipe_t pipe)
{
    if (records_) {
        RecordBarrier(core, pipe);
    }
    if (pipe == PIPE_ALL) {
        Drain(core);
        Join();
        return;
    }
    Task task;
    task.kind = Task::BARRIER;
    Enqueue(core, PipeOf(pipe), "PipeBarrier", std::move(task));
}

void Pipes::Join()
{
    Clock all;
    for (int p = 0; p < PIPES; ++p) {
        all.Join(clocks_[p]);
        all.at[p] = done_[p];
    }
    for (Clock &clock : clocks_) {
        clock = all;
    }
}

Clocks Pipes::Told(Pipe pipe) const
{
    Clocks told = known_;
    if (told.size() <= block_) {
        told.resize(block_ + 1);
    }
    told[block_] = clocks_[Index(pipe)];
    told[block_].at[Index(pipe)] = done_[Index(pipe)];
    return told;
}

void Pipes::Hear(const Clocks &told)
{
    if (known_.size() < told.size()) {
        known_.resize(told.size());
    }
    for (size_t i = 0; i < told.size(); ++i) {
        known_[i].Join(told[i]);
    }
    // The core has told, too: whatever waits for the others waits for what its own pipe has done (CrossCoreWaitFlag holds all pipes).
    if (block_ < told.size()) {
        for (Clock &clock : clocks_) {
            clock.Join(told[block_]);
        }
    }
}

void Pipes::Drain(Core &core)
{
    while (Step(core)) {
    }
    if (Waiting()) {
        Hang(core);
    }
}

// All pipes are at a WaitFlag. All that stands before the first of these in the program has been done, and has not set its flag: the
// others may wait for what that pipe would do.
void Pipes::Hang(Core &core)
{
    int p = -1;
    for (int q = 0; q < PIPES; ++q) {
        if (!tasks_[q].empty() && (p < 0 || tasks_[q].front().order < tasks_[p].front().order)) {
            p = q;
        }
    }
    const Task &head = tasks_[p].front();
    core.site = head.site;
    if (odd_[Index(head.other)][p][head.id]) { // told already
        RecordFault(core.block);
        throw Stop{};
    }
    const auto sets = [&](const Task &task) { return task.kind == Task::SET && Index(task.other) == p && task.id == head.id; };
    const auto &behind = tasks_[Index(head.other)];
    Fault("hang", "%s: pipe %s waits for %s_%s id %d, which is %s", head.op, PIPE_NAMES[p], PIPE_NAMES[Index(head.other)], PIPE_NAMES[p],
        head.id, std::any_of(behind.begin(), behind.end(), sets) ? "set behind it alone; call SetFlag before" : "never set");
}

void Pipes::CheckEnd(Core &core)
{
    unread_.Leave();
    for (int src = 0; src < PIPES; ++src) {
        for (int dst = 0; dst < PIPES; ++dst) {
            for (int id = 0; id < 8; ++id) {
                if (balance_[src][dst][id] > 0 && !odd_[src][dst][id]) {
                    core.site = flag_site_[src][dst][id];
                    Mistake("sync", "SetFlag: %s_%s id %d is set and nobody waits for it; the next kernel on this core finds it set",
                        PIPE_NAMES[src], PIPE_NAMES[dst], id);
                }
            }
        }
    }
}

void Pipes::BeforeScalar(Core &core, const char *op, const Accesses &accesses)
{
    for (const Pipe pipe : {Pipe::V, Pipe::MTE2, Pipe::MTE3}) {
        if (!auto_sync_) {
            break;
        }
        bool conflict = false;
        for (const Access &access : accesses.list) {
            for (const Task &task : tasks_[Index(pipe)]) {
                for (const Access &other : task.accesses.list) {
                    conflict = conflict || Conflict(access, other);
                }
            }
            const auto look = [&](const Stamp &stamp) {
                conflict = conflict || (stamp.core == block_ && stamp.pipe == pipe && (stamp.write || access.write));
            };
            if (access.global) {
                const GlobalShadow shadow;
                shadow->ForEach(access.at, access.bytes, look);
            } else {
                shadows_[static_cast<int>(access.space)].ForEach(access.at, access.bytes, look);
            }
        }
        if (!conflict) {
            continue;
        }
        while (!tasks_[Index(pipe)].empty()) {
            if (!Step(core)) {
                Hang(core);
            }
        }
        Clock seen = clocks_[Index(pipe)];
        seen.at[Index(pipe)] = done_[Index(pipe)];
        clocks_[Index(Pipe::S)].Join(seen);
    }
    Visit(core, Pipe::S, op, core.site, ++issued_, accesses);
    SpoilBefore(core, issued_, accesses);
}

void SetFlag(pipe_t src, pipe_t dst, int32_t id)
try {
    Core &core = EnterInstruction();
    core.pipes.SetFlag(core, src, dst, id, "SetFlag");
} catch (const LeftOut &) {
}

void WaitFlag(pipe_t src, pipe_t dst, int32_t id)
try {
    Core &core = EnterInstruction();
    core.pipes.WaitFlag(core, src, dst, id, "WaitFlag");
} catch (const LeftOut &) {
}

void Barrier(pipe_t pipe)
try {
    Core &core = EnterInstruction();
    core.pipes.Barrier(core, pipe);
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
