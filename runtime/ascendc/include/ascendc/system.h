// System variables (asc-devkit, include/basic_api/kernel_operator_sys_var_intf.h) and what tells vector cores from cube cores.
// This build runs vector cores: each block is one.
#ifndef ASCENDC_CPU_SYSTEM_H
#define ASCENDC_CPU_SYSTEM_H

#include "ascendc/tensor.h"

namespace ascendc_cpu {
int64_t BlockIdx();
int64_t BlockNum();
int64_t SystemCycle();
} // namespace ascendc_cpu

namespace AscendC {
constexpr int8_t MIX = 0;
constexpr int8_t AIC = 1;
constexpr int8_t AIV = 2;
constexpr int8_t g_coreType = AIV;

ASCENDC_API int64_t GetBlockIdx()
{
    return ascendc_cpu::BlockIdx();
}
ASCENDC_API int64_t GetBlockNum()
{
    return ascendc_cpu::BlockNum();
}
// Vector cores beside one cube core; a kernel of vector cores alone has one in each block.
ASCENDC_API int64_t GetSubBlockNum()
{
    return 1;
}
ASCENDC_API int64_t GetSubBlockIdx()
{
    return 0;
}
ASCENDC_API int64_t GetTaskRation()
{
    return 1;
}
// The name of CANN 9.
ASCENDC_API int64_t GetTaskRatio()
{
    return GetTaskRation();
}
ASCENDC_API int64_t GetSystemCycle()
{
    return ascendc_cpu::SystemCycle();
}
// The architecture of the core: 220 for A2 and A3, 200 for the inference products.
ASCENDC_API void GetArchVersion(uint32_t &coreVersion)
{
    coreVersion = __NPU_ARCH__ == 2201 ? 0x220 : 0x200;
}
// Between the tasks of a super kernel (SetNextTaskStart, WaitPreTaskEnd); a kernel of its own has no neighbours.
template <pipe_t AIV_PIPE = PIPE_MTE3, pipe_t AIC_PIPE = PIPE_FIX, bool FORCE = false>
ASCENDC_API void SetNextTaskStart()
{}
template <bool FORCE = false>
ASCENDC_API void WaitPreTaskEnd()
{}
ASCENDC_API constexpr uint32_t GetDataBlockSizeInBytes()
{
    return ONE_BLK_SIZE;
}
ASCENDC_API constexpr uint32_t GetVecLen()
{
    return ONE_REPEAT_BYTE_SIZE;
}
} // namespace AscendC

#define ASCEND_IS_AIV (::AscendC::g_coreType == ::AscendC::AIV)
#define ASCEND_IS_AIC (::AscendC::g_coreType == ::AscendC::AIC)

ASCENDC_API int64_t get_block_idx()
{
    return ascendc_cpu::BlockIdx();
}
ASCENDC_API int64_t get_block_num()
{
    return ascendc_cpu::BlockNum();
}
ASCENDC_API int64_t get_subblockid()
{
    return 0;
}
ASCENDC_API int64_t get_subblockdim()
{
    return 1;
}
#define block_idx get_block_idx()
#define block_num get_block_num()

#endif
