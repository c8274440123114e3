#include "ascendc/system.h"

#include "core.h"

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
} // namespace ascendc_cpu
