// System variables (asc-devkit, include/basic_api/kernel_operator_sys_var_intf.h).
#ifndef ASCENDC_CPU_SYSTEM_H
#define ASCENDC_CPU_SYSTEM_H

#include "ascendc/tensor.h"

namespace ascendc_cpu {
int64_t BlockIdx();
int64_t BlockNum();
} // namespace ascendc_cpu

namespace AscendC {
ASCENDC_API int64_t GetBlockIdx()
{
    return ascendc_cpu::BlockIdx();
}
ASCENDC_API int64_t GetBlockNum()
{
    return ascendc_cpu::BlockNum();
}
} // namespace AscendC

#endif
