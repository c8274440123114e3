// What a function gets that looks at the chip once, before any launch (docs: gert::TilingParseContext).
#ifndef ASCENDC_CPU_EXE_GRAPH_TILING_PARSE_CONTEXT_H
#define ASCENDC_CPU_EXE_GRAPH_TILING_PARSE_CONTEXT_H

#include <string>

#include "ascendc/platform.h"
#include "graph/types.h"

namespace gert {
class TilingParseContext {
public:
    TilingParseContext(void *compiled, const std::string &type) : compiled_(compiled), type_(type) {}
    const ge::char_t *GetNodeType() const { return type_.c_str(); }
    const ge::char_t *GetNodeName() const { return type_.c_str(); }
    template <typename T>
    T *GetCompiledInfo() const
    {
        return static_cast<T *>(compiled_);
    }
    fe::PlatFormInfos *GetPlatformInfo() const { return &ascendc_cpu::Platform(); }

private:
    void *compiled_;
    const std::string type_;
};
} // namespace gert

#endif
