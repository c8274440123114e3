// The host side of an operator: contexts of the tiling and inference functions, and the definition that registers them. What a
// framework would ask of an operator, a program can ask here: `ascendc_cpu::Operators()` holds every operator that OP_ADD names.
#ifndef ASCENDC_CPU_OP_DEF_REGISTRY_H
#define ASCENDC_CPU_OP_DEF_REGISTRY_H

#include <iostream> // host files rely on it

#include "register/op_def.h"
#include "register/op_impl_registry.h"

namespace ascendc_cpu {
inline std::deque<ops::OpDef> &Operators()
{
    static std::deque<ops::OpDef> all;
    return all;
}
} // namespace ascendc_cpu

// More arguments are for older toolkits, which took the structure of the compile info.
#define OP_ADD(op_type, ...) static const bool ascendcCpuAdded##op_type = (ascendc_cpu::Operators().push_back(op_type(#op_type)), true)

#endif
