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
std::map<uint32_t, Meeting> meetings;             // by what is met for
std::map<uint64_t, std::vector<Clocks>> messages; // IBSet: by GM address of the event

constexpr uint32_t SYNC_ALL = 1000;

Meeting &MeetingOf(uint32_t what)
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

void Arrive(uint32_t what, uint32_t block, const Clocks &told)
{
    TheBlocks().Update([&] {
        Meeting &meeting = MeetingOf(what);
        ++meeting.arrived[block];
        meeting.told[block].push_back(told);
    });
}

// Waits until every block of the group has come `times` times; false where that cannot be any more.
bool Await(Core &core, uint32_t what, uint32_t first, uint32_t last, uint32_t times)
{
    Clocks heard;
    const bool met = TheBlocks().Wait(core.block, [&] {
        Meeting &meeting = MeetingOf(what);
        for (uint32_t block = first; block < last; ++block) {
            if (meeting.arrived[block] < times) {
                return FirstFailed() != UINT32_MAX;
            }
        }
        return true;
    });
    if (!met) {
        return false;
    }
    bool all = true;
    TheBlocks().Update([&] {
        Meeting &meeting = MeetingOf(what);
        for (uint32_t block = first; block < last; ++block) {
            all = all && meeting.arrived[block] >= times;
            if (meeting.arrived[block] >= times) {
                core.pipes.Hear(meeting.told[block][times - 1]);
            }
        }
    });
    if (!all) {
        throw Stop{}; // another block has failed
    }
    return true;
}

uint32_t CountArrived(uint32_t what, uint32_t first, uint32_t last, uint32_t times)
{
    uint32_t count = 0;
    TheBlocks().Update([&] {
        for (uint32_t block = first; block < last; ++block) {
            count += MeetingOf(what).arrived[block] >= times ? 1 : 0;
        }
    });
    return count;
}

void Meet(Core &core, const char *op)
{
    core.pipes.Drain(core);
    core.pipes.Join();
    const uint32_t times = ++core.meetings[SYNC_ALL];
    Arrive(SYNC_ALL, core.block, core.pipes.Told(Pipe::S));
    if (!Await(core, SYNC_ALL, 0, config().block_dim, times)) {
        const uint32_t here = CountArrived(SYNC_ALL, 0, config().block_dim, times);
        if (config().block_dim > config().cores) {
            Fault("hang", "%s: the launch has %u blocks, the chip %u cores: blocks that have no core yet never come; at most %u blocks "
                          "may wait for each other", op, config().block_dim, config().cores, config().cores);
        }
        Fault("hang", "%s: %u of %u blocks are here and the others never come; every block must call it equally often", op, here,
            config().block_dim);
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

void CrossCoreSet(uint8_t mode, pipe_t pipe, uint16_t flag)
{
    Core &core = Enter();
    if (flag >= FLAGS) {
        Fault("sync", "CrossCoreSetFlag: flag %u; flags are 0 to %u", flag, FLAGS - 1);
    }
    if (mode == 2) {
        Fault("arg", "CrossCoreSetFlag: mode 2 is between cube and vector cores; this build runs vector cores");
    }
    const uint32_t what = mode * 100u + flag;
    const Pipe on = Pipes::PipeOf(pipe);
    uint32_t first;
    uint32_t last;
    Group(mode, core.block, &first, &last);
    core.pipes.Issue(
        core, on, "CrossCoreSetFlag", [](Accesses &) {},
        [=, &core] {
            Arrive(what, core.block, core.pipes.Told(on));
            if (++core.flags_set[what] - core.meetings[what] > MAX_PENDING) {
                Fault("sync", "CrossCoreSetFlag: flag %u is set %d times more than it is waited for; its counter holds %d", flag,
                    MAX_PENDING + 1, MAX_PENDING);
            }
        });
}

void CrossCoreWait(uint8_t mode, uint16_t flag)
{
    Core &core = Enter();
    if (flag >= FLAGS) {
        Fault("sync", "CrossCoreWaitFlag: flag %u; flags are 0 to %u", flag, FLAGS - 1);
    }
    // On 910b and A3 the wait holds up every pipe, whatever its template arguments say.
    core.pipes.Drain(core);
    const uint32_t what = mode * 100u + flag;
    const uint32_t times = ++core.meetings[what];
    uint32_t first;
    uint32_t last;
    Group(mode, core.block, &first, &last);
    if (!Await(core, what, first, last, times)) {
        Fault("hang", "CrossCoreWaitFlag: %u of %u cores have set flag %u and the others never do", CountArrived(what, first, last, times),
            last - first, flag);
    }
}

void BlockSet(const Global &workspace, const Local &local, int32_t block, int32_t event)
{
    Core &core = Enter();
    CheckEvent(core, "IBSet", workspace, local, block, event);
    core.pipes.Drain(core);
    core.pipes.Join();
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

void ForgetMeetings()
{
    meetings.clear();
    messages.clear();
}
} // namespace ascendc_cpu
