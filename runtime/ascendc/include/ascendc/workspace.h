// Workspace and what is left of UB (asc-devkit, 资源管理 pages). The launch gives the user's workspace; in this build the system's
// part before it is empty.
#ifndef ASCENDC_CPU_WORKSPACE_H
#define ASCENDC_CPU_WORKSPACE_H

#include "ascendc/pipe.h"

namespace ascendc_cpu {
void SetWorkspace(void *workspace);
void *GetWorkspace();
// What TPipe has not given out yet.
Local RestOf(Space space, Type type);
} // namespace ascendc_cpu

namespace AscendC {
ASCENDC_API GM_ADDR GetUserWorkspace(GM_ADDR workspace)
{
    return workspace;
}
ASCENDC_API void SetSysWorkspace(GM_ADDR workspace)
{
    ascendc_cpu::SetWorkspace(workspace);
}
ASCENDC_API __gm__ uint8_t *GetSysWorkSpacePtr()
{
    return static_cast<uint8_t *>(ascendc_cpu::GetWorkspace());
}
template <class T, TPosition pos>
ASCENDC_API bool PopStackBuffer(LocalTensor<T> &popLocal)
{
    popLocal = LocalTensor<T>::Of(ascendc_cpu::RestOf(ascendc_cpu::SpaceOf(pos), ascendc_cpu::TypeOf<T>::value), pos);
    return popLocal.GetSize() > 0;
}
} // namespace AscendC

#endif
