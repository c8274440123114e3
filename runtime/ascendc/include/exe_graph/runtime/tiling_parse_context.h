// What a function gets that looks at the chip once, before any launch (docs: gert::TilingParseContext).
#ifndef ASCENDC_CPU_EXE_GRAPH_TILING_PARSE_CONTEXT_H
#define ASCENDC_CPU_EXE_GRAPH_TILING_PARSE_CONTEXT_H

#include "graph/types.h"
#include "platform/platform_infos_def.h"

namespace gert {
class TilingParseContext {
public:
    explicit TilingParseContext(void *compiled) : compiled_(compiled) {}
    template <typename T>
    T *GetCompiledInfo() const
    {
        return static_cast<T *>(compiled_);
    }
    fe::PlatFormInfos *GetPlatformInfo() const { return &ascendc_cpu::Platform(); }

private:
    void *compiled_;
};
} // namespace gert

#endif
