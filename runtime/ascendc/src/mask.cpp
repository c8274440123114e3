#include "ascendc/mask.h"

#include "core.h"

namespace ascendc_cpu {
void SetCounterMode(bool counter)
{
    Enter().regs.counter = counter;
}

void SetMask(uint64_t high, uint64_t low)
{
    Core &core = Enter();
    core.regs.mask[0] = low;
    core.regs.mask[1] = high;
    core.regs.mask_left_by = nullptr;
}

void SetSaturation(bool saturate)
{
    Enter().regs.saturate = saturate;
}

bool GetSaturation()
{
    return Enter().regs.saturate;
}

void InitState()
{
    Registers &regs = Enter().regs;
    regs.atomic = 0;
    if (config().arch == 2201) {
        regs.counter = false;
        regs.mask[0] = regs.mask[1] = ~0ull;
        regs.mask_left_by = nullptr;
    }
}
} // namespace ascendc_cpu
