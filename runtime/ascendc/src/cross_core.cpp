// Blocks that wait for each other.
#include "blocks.h"
#include "launch.h"

#include "ascendc/sync.h"

#include <map>

namespace ascendc_cpu {
namespace {
constexpr uint16_t FLAGS = 16; // cross-core flags of a core; 11 to 14 belong to SyncAll
constexpr int MAX_PENDING = 15; // settings that a flag's counter holds

// How often each block has come to a meeting, and what it told the others then.
struct Meeting {
    std::vector<uint32_t> arrived;
    std::vector<std::vector<Clocks>> told; // by block, by arrival
};
std::map<uint64_t, Meeting> meetings;             // by what is met for: a flag, or the address of a workspace
std::map<uint64_t, std::vector<Clocks>> messages; // IBSet: by GM address of the event

constexpr uint64_t SYNC_ALL = 1000;

Meeting &MeetingOf(uint64_t what)
{
    Meeting &meeting = meetings[what];
    if (meeting.arrived.empty()) {
        meeting.arrived.assign(config().block_dim, 0);
        meeting.told.resize(config().block_dim);
    }
    return meeting;
}

// The blocks that take part: vector cores of one AI core are neighbours.
void Group(uint8_t mode, uint32_t block, uint32_t *first, uint32_t *last)
{
    *first = mode == 0 ? 0 : block / 2 * 2;
    *last = mode == 0 ? config().block_dim : *first + 2 < config().block_dim ? *first + 2 : config().block_dim;
}

void Arrive(uint64_t what, uint32_t block, const Clocks &told)
{
    TellDirty(block);
    TheBlocks().Update([&] {
        Meeting &meeting = MeetingOf(what);
        ++meeting.arrived[block];
        meeting.told[block].push_back(told);
    });
}

// Some blocks of those from `first` to before `last`: as many as `needed` must have come `times` times.
struct Party {
    uint64_t what;
    uint32_t first;
    uint32_t last;
    uint32_t needed;
    uint32_t times;

    uint32_t Here() const
    {
        const Meeting &meeting = MeetingOf(what);
        uint32_t here = 0;
        for (uint32_t block = first; block < last; ++block) {
            here += meeting.arrived[block] >= times ? 1 : 0;
        }
        return here;
    }
};

// Waits for a party; false where it can never be complete any more.
bool Await(Core &core, const Party &party)
{
    if (!TheBlocks().Wait(core.block, [&] { return party.Here() >= party.needed || FirstFailed() != UINT32_MAX; })) {
        return false;
    }
    bool complete = false;
    TheBlocks().Update([&] {
        complete = party.Here() >= party.needed;
        const Meeting &meeting = MeetingOf(party.what);
        for (uint32_t block = party.first; block < party.last; ++block) {
            if (meeting.arrived[block] >= party.times) {
                core.pipes.Hear(meeting.told[block][party.times - 1]);
            }
        }
    });
    if (!complete) {
        throw Stop{}; // another block has failed
    }
    return true;
}

uint32_t CountHere(const Party &party)
{
    uint32_t here = 0;
    TheBlocks().Update([&] { here = party.Here(); });
    return here;
}

// The lowest block that is not here.
uint32_t FirstMissing(const Party &party)
{
    uint32_t block = party.first;
    TheBlocks().Update([&] {
        const Meeting &meeting = MeetingOf(party.what);
        while (block + 1 < party.last && meeting.arrived[block] >= party.times) {
            ++block;
        }
    });
    return block;
}

void Meet(Core &core, const char *op)
{
    if (!config().events.empty()) {
        RecordSyncAll(core);
    }
    core.pipes.Drain(core);
    core.pipes.Join();
    const uint32_t times = ++core.meetings[SYNC_ALL];
    Arrive(SYNC_ALL, core.block, core.pipes.Told(Pipe::S));
    const Party all{SYNC_ALL, 0, config().block_dim, config().block_dim, times};
    if (!Await(core, all)) {
        if (config().block_dim > config().cores) {
            Fault("hang", "%s: the launch has %u blocks, the chip %u cores: blocks that have no core yet never come; at most %u blocks "
                          "may wait for each other", op, config().block_dim, config().cores, config().cores);
        }
        Fault("hang", "%s: %u of %u blocks are here and the others never come, block %u first; every block must call it equally often",
            op, CountHere(all), config().block_dim, FirstMissing(all));
    }
}

uint64_t EventAt(const Global &workspace, int32_t block, int32_t event)
{
    // 32 bytes for each block and event (IBSet.md).
    return workspace.at + (static_cast<uint64_t>(event) * config().block_dim + static_cast<uint64_t>(block)) * BLOCK;
}

void CheckEvent(Core &core, const char *op, const Global &workspace, const Local &local, int32_t block, int32_t event)
{
    if (block < 0 || block >= static_cast<int32_t>(config().block_dim) || event < 0) {
        Fault("arg", "%s: block %d and event %d; blocks are 0 to %u, events from 0 on", op, block, event, config().block_dim - 1);
    }
    CheckGlobal(core, op, "gmWorkspace", EventAt(workspace, block, event), BLOCK, true);
    CheckLocal(core, op, "ubWorkspace", local, BLOCK, BLOCK);
}
} // namespace

void SyncAllBlocks(const char *op)
{
    Meet(Enter(), op);
}

void SyncAllThroughGm(const Global &workspace, const Local &local, int32_t cores)
{
    Core &core = Enter();
    const uint64_t used = cores > 0 ? static_cast<uint64_t>(cores) : config().block_dim;
    if (used != config().block_dim) {
        Fault("arg", "SyncAll: usedCores is %d, the launch has %u blocks; this build waits for all of them", cores, config().block_dim);
    }
    CheckLocal(core, "SyncAll", "ubWorkspace", local, used * BLOCK, BLOCK);
    CheckGlobal(core, "SyncAll", "gmWorkspace", workspace.at, used * BLOCK, true);
    Meet(core, "SyncAll");
}

void SetSyncBase(uint64_t config)
{
    Enter();
    if (config == 0) {
        Mistake("arg", "set_ffts_base_addr: no flags lie at 0, and a chip would wait for them forever; on a chip give what rtGetC2cCtrlAddr told "
                       "the host, here any number but 0");
    }
}

void CrossCoreSet(uint8_t mode, pipe_t pipe, uint16_t flag)
{
    Core &core = Enter();
    if (flag >= FLAGS) {
        Fault("sync", "CrossCoreSetFlag: flag %u; flags are 0 to %u", flag, FLAGS - 1);
    }
    if (mode == 2) {
        Fault("arg", "CrossCoreSetFlag: mode 2 is between cube and vector cores; this build runs vector cores");
    }
    const uint64_t what = mode * 100u + flag;
    const Pipe on = Pipes::PipeOf(pipe);
    if (!config().events.empty()) {
        RecordCrossSet(core, on, mode, flag);
    }
    uint32_t first;
    uint32_t last;
    Group(mode, core.block, &first, &last);
    core.pipes.Issue(
        core, on, "CrossCoreSetFlag", [](Accesses &) {},
        [=, &core] {
            Arrive(what, core.block, core.pipes.Told(on));
            Core::FlagSet &set = core.flags_set[what];
            set.site = core.site;
            if (++set.times - core.meetings[what] > MAX_PENDING) {
                Fault("sync", "CrossCoreSetFlag: flag %u is set %d times more than it is waited for; its counter holds %d", flag,
                    MAX_PENDING + 1, MAX_PENDING);
            }
        });
}

void CheckFlagsTaken(Core &core)
{
    for (const auto &[what, set] : core.flags_set) {
        if (set.times > core.meetings[what]) {
            core.site = set.site;
            Mistake("sync", "CrossCoreSetFlag: flag %u is set and this core does not wait for it as often; the next kernel finds it set",
                static_cast<uint32_t>(what % 100u));
        }
    }
}

void CrossCoreWait(uint8_t mode, uint16_t flag)
{
    Core &core = Enter();
    if (flag >= FLAGS) {
        Fault("sync", "CrossCoreWaitFlag: flag %u; flags are 0 to %u", flag, FLAGS - 1);
    }
    if (!config().events.empty()) {
        RecordCrossWait(core, flag);
    }
    // On 910b and A3 the wait holds up every pipe, whatever its template arguments say.
    core.pipes.Drain(core);
    const uint64_t what = mode * 100u + flag;
    const uint32_t times = ++core.meetings[what];
    uint32_t first;
    uint32_t last;
    Group(mode, core.block, &first, &last);
    const Party group{what, first, last, last - first, times};
    if (!Await(core, group)) {
        Fault("hang", "CrossCoreWaitFlag: %u of %u cores have set flag %u and the others never do", CountHere(group), last - first, flag);
    }
}

void BlockSet(const Global &workspace, const Local &local, int32_t block, int32_t event)
{
    Core &core = Enter();
    CheckEvent(core, "IBSet", workspace, local, block, event);
    core.pipes.Drain(core);
    core.pipes.Join();
    TellDirty(core.block);
    TheBlocks().Update([&] { messages[EventAt(workspace, block, event)].push_back(core.pipes.Told(Pipe::S)); });
}

void BlockWait(const Global &workspace, const Local &local, int32_t block, int32_t event)
{
    Core &core = Enter();
    CheckEvent(core, "IBWait", workspace, local, block, event);
    core.pipes.Drain(core);
    core.pipes.Join();
    const uint64_t at = EventAt(workspace, block, event);
    if (!TheBlocks().Wait(core.block, [&] { return !messages[at].empty() || FirstFailed() != UINT32_MAX; })) {
        Fault("hang", "IBWait: block %d never sets event %d (IBSet)", block, event);
    }
    TheBlocks().Update([&] {
        auto &waiting = messages[at];
        if (!waiting.empty()) {
            core.pipes.Hear(waiting.front());
            waiting.erase(waiting.begin());
        }
    });
}

namespace {
// Workspaces are addresses in GM and far from the numbers of flags. What stands in them is not looked at.
void CheckOrder(Core &core, const char *op, const Global &workspace, const Local &local)
{
    const uint64_t bytes = uint64_t(config().block_dim) * BLOCK;
    CheckGlobal(core, op, "gmWorkspace", workspace.at, bytes, true);
    CheckLocal(core, op, "ubWorkspace", local, bytes + BLOCK, BLOCK);
    core.pipes.Drain(core);
    core.pipes.Join();
}
} // namespace

void InitBlockOrder(const Global &workspace, const Local &local)
{
    CheckOrder(Enter(), "InitDetermineComputeWorkspace", workspace, local);
}

// Blocks go in turn, the first one again behind the last.
void WaitForPreviousBlock(const Global &workspace, const Local &local)
{
    Core &core = Enter();
    CheckOrder(core, "WaitPreBlock", workspace, local);
    const uint32_t turn = ++core.meetings[workspace.at];
    const uint32_t previous = (core.block > 0 ? core.block : config().block_dim) - 1;
    const uint32_t times = core.block > 0 ? turn : turn - 1;
    if (times > 0 && !Await(core, {workspace.at, previous, previous + 1, 1, times})) {
        Fault("hang", "WaitPreBlock: block %u never calls NotifyNextBlock for the %u. time; every block must call both equally often",
            previous, times);
    }
}

void NotifyNext(const Global &workspace, const Local &local)
{
    Core &core = Enter();
    CheckOrder(core, "NotifyNextBlock", workspace, local);
    if (core.regs.atomic != 0) {
        Fault("arg", "NotifyNextBlock: copies to GM are atomic, and so would be the counters that it writes there; call SetAtomicNone before");
    }
    Arrive(workspace.at, core.block, core.pipes.Told(Pipe::S));
}

void BarrierArrive(uint64_t workspace, uint32_t size, uint32_t index)
{
    Core &core = Enter();
    if (index >= size) {
        Fault("arg", "GroupBarrier::Arrive: arriveIndex is %u, the group has %u blocks", index, size);
    }
    core.pipes.Drain(core);
    core.pipes.Join();
    Arrive(workspace, core.block, core.pipes.Told(Pipe::S));
}

void BarrierWait(uint64_t workspace, uint32_t arrivers, uint32_t waiters, uint32_t index)
{
    Core &core = Enter();
    constexpr uint64_t EACH = 512; // bytes of the workspace for each block that waits
    if (index >= waiters) {
        Fault("arg", "GroupBarrier::Wait: waitIndex is %u, the group has %u blocks", index, waiters);
    }
    if (workspace % EACH != 0) {
        Fault("align", "GroupBarrier: groupWorkspace starts %u bytes behind a multiple of %u", static_cast<uint32_t>(workspace % EACH),
            static_cast<uint32_t>(EACH));
    }
    CheckGlobal(core, "GroupBarrier", "groupWorkspace", workspace, EACH * waiters, true);
    core.pipes.Drain(core);
    core.pipes.Join();
    const Party group{workspace, 0, config().block_dim, arrivers, ++core.meetings[workspace]};
    if (!Await(core, group)) {
        Fault("hang", "GroupBarrier::Wait: %u of %u blocks have arrived and the others never do", CountHere(group), arrivers);
    }
}

void ForgetMeetings()
{
    meetings.clear();
    messages.clear();
}
} // namespace ascendc_cpu
