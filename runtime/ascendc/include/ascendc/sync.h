// Events and barriers (asc-devkit, include/basic_api/kernel_operator_block_sync_intf.h).
#ifndef ASCENDC_CPU_SYNC_H
#define ASCENDC_CPU_SYNC_H

#include "ascendc/pipe.h"

namespace ascendc_cpu {
void SetFlag(pipe_t src, pipe_t dst, int32_t id);
void WaitFlag(pipe_t src, pipe_t dst, int32_t id);
void Barrier(pipe_t pipe);

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
} // namespace AscendC

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
