// Events and barriers (asc-devkit, include/basic_api/kernel_operator_block_sync_intf.h).
#ifndef ASCENDC_CPU_SYNC_H
#define ASCENDC_CPU_SYNC_H

#include "ascendc/pipe.h"

namespace ascendc_cpu {
void SetFlag(pipe_t src, pipe_t dst, int32_t id);
void WaitFlag(pipe_t src, pipe_t dst, int32_t id);
void Barrier(pipe_t pipe);
void SyncAllBlocks(const char *op);
void SyncAllThroughGm(const Global &workspace, const Local &local, int32_t cores);
void SetSyncBase(uint64_t config);
void CrossCoreSet(uint8_t mode, pipe_t pipe, uint16_t flag);
void CrossCoreWait(uint8_t mode, uint16_t flag);
void BlockSet(const Global &workspace, const Local &local, int32_t block, int32_t event);
void BlockWait(const Global &workspace, const Local &local, int32_t block, int32_t event);
void InitBlockOrder(const Global &workspace, const Local &local);
void WaitForPreviousBlock(const Global &workspace, const Local &local);
void NotifyNext(const Global &workspace, const Local &local);
void BarrierArrive(uint64_t workspace, uint32_t size, uint32_t index);
void BarrierWait(uint64_t workspace, uint32_t arrivers, uint32_t waiters, uint32_t index);

// The two pipes of an event.
struct EventPipes {
    pipe_t src;
    pipe_t dst;
};
constexpr EventPipes PipesOf(AscendC::HardEvent event)
{
    constexpr EventPipes table[] = {{PIPE_MTE2, PIPE_MTE1}, {PIPE_MTE1, PIPE_MTE2}, {PIPE_MTE1, PIPE_M}, {PIPE_M, PIPE_MTE1},
        {PIPE_MTE2, PIPE_V}, {PIPE_V, PIPE_MTE2}, {PIPE_MTE3, PIPE_V}, {PIPE_V, PIPE_MTE3}, {PIPE_M, PIPE_V}, {PIPE_V, PIPE_M},
        {PIPE_V, PIPE_V}, {PIPE_MTE3, PIPE_MTE1}, {PIPE_MTE1, PIPE_MTE3}, {PIPE_MTE1, PIPE_V}, {PIPE_MTE2, PIPE_M},
        {PIPE_M, PIPE_MTE2}, {PIPE_V, PIPE_MTE1}, {PIPE_M, PIPE_FIX}, {PIPE_FIX, PIPE_M}, {PIPE_MTE3, PIPE_MTE2},
        {PIPE_MTE2, PIPE_MTE3}, {PIPE_S, PIPE_V}, {PIPE_V, PIPE_S}, {PIPE_S, PIPE_MTE2}, {PIPE_MTE2, PIPE_S},
        {PIPE_S, PIPE_MTE3}, {PIPE_MTE3, PIPE_S}, {PIPE_MTE2, PIPE_FIX}, {PIPE_FIX, PIPE_MTE2}, {PIPE_FIX, PIPE_S},
        {PIPE_M, PIPE_S}, {PIPE_FIX, PIPE_MTE3}, {PIPE_MTE1, PIPE_FIX}, {PIPE_FIX, PIPE_MTE1}, {PIPE_FIX, PIPE_FIX}};
    return table[static_cast<int>(event)];
}
} // namespace ascendc_cpu

namespace AscendC {
template <HardEvent event>
ASCENDC_API void SetFlag(int32_t eventID)
{
    ascendc_cpu::SetFlag(ascendc_cpu::PipesOf(event).src, ascendc_cpu::PipesOf(event).dst, eventID);
}
template <HardEvent event>
ASCENDC_API void WaitFlag(int32_t eventID)
{
    ascendc_cpu::WaitFlag(ascendc_cpu::PipesOf(event).src, ascendc_cpu::PipesOf(event).dst, eventID);
}
template <pipe_t pipe>
ASCENDC_API void PipeBarrier()
{
    static_assert(pipe != PIPE_S, "the scalar unit has no barrier");
    ascendc_cpu::Barrier(pipe);
}
// All data of GM and UB that the scalar unit wrote is there: it is, in this build.
enum class MemDsbT : uint8_t { ALL, DDR, UB, SEQ };
template <MemDsbT arg0>
ASCENDC_API void DataSyncBarrier()
{}

// Events between two pipes as an object.
template <pipe_t src, pipe_t dst>
class TQueSync {
public:
    ASCENDC_API void SetFlag(TEventID id) { ascendc_cpu::SetFlag(src, dst, id); }
    ASCENDC_API void WaitFlag(TEventID id) { ascendc_cpu::WaitFlag(src, dst, id); }
};

// Waits for all blocks. The software form counts in GM: 32 bytes for each core, zero before, and as much in UB.
template <bool isAIVOnly = true>
ASCENDC_API void SyncAll(const GlobalTensor<int32_t> &gmWorkspace, const LocalTensor<int32_t> &ubWorkspace, const int32_t usedCores = 0)
{
    ascendc_cpu::SyncAllThroughGm(gmWorkspace.View(), ubWorkspace.View(), usedCores);
}
#if __NPU_ARCH__ == 2201
template <bool isAIVOnly = true>
ASCENDC_API void SyncAll()
{
    ascendc_cpu::SyncAllBlocks("SyncAll");
}
// Mode 0: all cores of a kind; 1: the vector cores of one AI core; 2: cube and vector cores of one AI core.
template <uint8_t modeId, pipe_t pipe>
ASCENDC_API void CrossCoreSetFlag(uint16_t flagId)
{
    static_assert(modeId <= 2, "modes of cross-core flags are 0, 1 and 2 on this chip");
    ascendc_cpu::CrossCoreSet(modeId, pipe, flagId);
}
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
ASCENDC_API void CrossCoreWaitFlag(uint16_t flagId)
{
    static_assert(modeId <= 2, "modes of cross-core flags are 0, 1 and 2 on this chip");
    ascendc_cpu::CrossCoreWait(modeId, flagId);
}
#endif
// One block tells another through GM: event `eventID` of block `blockIdx` is there, and waiting for it.
template <bool isAIVOnly = true>
ASCENDC_API void IBSet(const GlobalTensor<int32_t> &gmWorkspace, const LocalTensor<int32_t> &ubWorkspace, int32_t blockIdx, int32_t eventID)
{
    ascendc_cpu::BlockSet(gmWorkspace.View(), ubWorkspace.View(), blockIdx, eventID);
}
template <bool isAIVOnly = true>
ASCENDC_API void IBWait(const GlobalTensor<int32_t> &gmWorkspace, const LocalTensor<int32_t> &ubWorkspace, int32_t blockIdx, int32_t eventID)
{
    ascendc_cpu::BlockWait(gmWorkspace.View(), ubWorkspace.View(), blockIdx, eventID);
}

// Blocks one after the other, so that sums have an order: 32 bytes of GM for each block, and one block more in UB.
ASCENDC_API void InitDetermineComputeWorkspace(GlobalTensor<int32_t> &gmWorkspace, LocalTensor<int32_t> &ubWorkspace)
{
    ascendc_cpu::InitBlockOrder(gmWorkspace.View(), ubWorkspace.View());
}
ASCENDC_API void WaitPreBlock(GlobalTensor<int32_t> &gmWorkspace, LocalTensor<int32_t> &ubWorkspace)
{
    ascendc_cpu::WaitForPreviousBlock(gmWorkspace.View(), ubWorkspace.View());
}
ASCENDC_API void NotifyNextBlock(GlobalTensor<int32_t> &gmWorkspace, LocalTensor<int32_t> &ubWorkspace)
{
    ascendc_cpu::NotifyNext(gmWorkspace.View(), ubWorkspace.View());
}

#if __NPU_ARCH__ == 2201
enum class PipeMode : uint8_t { SCALAR_MODE = 0, MTE3_MODE = 1, MAX };
// Some blocks wait until others have arrived: 512 bytes of GM for each one that waits.
template <PipeMode pipeMode>
class GroupBarrier {
public:
    static_assert(pipeMode == PipeMode::MTE3_MODE, "GroupBarrier sends its messages by MTE3 only");
    ASCENDC_API GroupBarrier(GM_ADDR groupWorkspace, uint32_t arriveSizeIn, uint32_t waitSizeIn)
        : workspace_(reinterpret_cast<uint64_t>(groupWorkspace)), arriveSize_(arriveSizeIn), waitSize_(waitSizeIn)
    {}
    ASCENDC_API void Arrive(uint32_t arriveIndex) { ascendc_cpu::BarrierArrive(workspace_, arriveSize_, arriveIndex); }
    ASCENDC_API void Wait(uint32_t waitIndex) { ascendc_cpu::BarrierWait(workspace_, arriveSize_, waitSize_, waitIndex); }
    ASCENDC_API uint64_t GetWorkspaceLen() { return uint64_t(waitSize_) * 512; }

private:
    uint64_t workspace_;
    uint32_t arriveSize_;
    uint32_t waitSize_;
};
#endif
} // namespace AscendC

#if __NPU_ARCH__ == 2201
// Where the chip keeps cross-core flags, which a mixed kernel says before its first (kernel_operator_sync_impl.h). The machine keeps its own,
// so that any address does.
ASCENDC_API void set_ffts_base_addr(uint64_t config)
{
    ascendc_cpu::SetSyncBase(config);
}
namespace AscendC {
ASCENDC_API void SetSyncBaseAddr(uint64_t config)
{
    ascendc_cpu::SetSyncBase(config);
}
} // namespace AscendC
#endif
ASCENDC_API void set_flag(pipe_t src, pipe_t dst, event_t id)
{
    ascendc_cpu::SetFlag(src, dst, id);
}
ASCENDC_API void wait_flag(pipe_t src, pipe_t dst, event_t id)
{
    ascendc_cpu::WaitFlag(src, dst, id);
}
ASCENDC_API void pipe_barrier(pipe_t pipe)
{
    ascendc_cpu::Barrier(pipe);
}

#endif
