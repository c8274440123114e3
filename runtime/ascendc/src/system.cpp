#include "ascendc/system.h"

#include "core.h"

#include <chrono>

namespace ascendc_cpu {
int64_t BlockIdx()
{
    return Enter().block;
}

int64_t BlockNum()
{
    Enter();
    return config().block_dim;
}

// A clock of this machine in the unit of the chip's system counter, 20 ns. Differences have no meaning for a chip.
int64_t SystemCycle()
{
    Enter();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count() / 20;
}
} // namespace ascendc_cpu
