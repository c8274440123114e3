#include "ascendc/workspace.h"

#include "core.h"

namespace ascendc_cpu {
void SetWorkspace(void *workspace)
{
    Enter().workspace = workspace;
}

void *GetWorkspace()
{
    return Enter().workspace;
}

Local RestOf(Space space, Type type)
{
    Core &core = Enter();
    const int i = static_cast<int>(space);
    return {core.tops[i], core.limits[i] - core.tops[i], NO_BUFFER, space, type};
}
} // namespace ascendc_cpu
