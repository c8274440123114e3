// The chip of a context (opbase, op_host/util/platform_util.h).
#ifndef ASCENDC_CPU_OP_COMMON_PLATFORM_UTIL_H
#define ASCENDC_CPU_OP_COMMON_PLATFORM_UTIL_H

#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "op_common/log/log.h"
#include "tiling/platform/platform_ascendc.h"

namespace Ops {
namespace Base {
// 0 without a context.
template <typename T, typename F>
uint32_t AscendcCpuAsk(const char *who, const T *context, F ask)
{
    static_assert(std::is_same_v<T, gert::TilingParseContext> || std::is_same_v<T, gert::TilingContext>,
        "context should be gert::TilingParseContext or gert::TilingContext");
    OP_CHECK_IF(context == nullptr, OP_LOGE(who, "context is nullptr"), return 0);
    return ask(platform_ascendc::PlatformAscendC(context->GetPlatformInfo()));
}

template <typename T>
uint32_t GetAivCoreNum(const T *context)
{
    return AscendcCpuAsk("GetAivCoreNum", context, [](const platform_ascendc::PlatformAscendC &chip) { return chip.GetCoreNumAiv(); });
}
template <typename T>
uint32_t GetAicCoreNum(const T *context)
{
    return AscendcCpuAsk("GetAicCoreNum", context, [](const platform_ascendc::PlatformAscendC &chip) { return chip.GetCoreNumAic(); });
}
template <typename T>
uint32_t GetUbSize(const T *context)
{
    return AscendcCpuAsk("GetUbSize", context, [](const platform_ascendc::PlatformAscendC &chip) {
        uint64_t bytes = 0;
        chip.GetCoreMemSize(platform_ascendc::CoreMemType::UB, bytes);
        return static_cast<uint32_t>(bytes);
    });
}
template <typename T>
uint32_t GetWorkspaceSize(const T *context)
{
    return AscendcCpuAsk("GetWorkspaceSize", context,
        [](const platform_ascendc::PlatformAscendC &chip) { return chip.GetLibApiWorkSpaceSize(); });
}

// Bytes that are the same on every chip.
template <typename T>
uint32_t GetUbBlockSize([[maybe_unused]] const T *context)
{
    return 32;
}
template <typename T>
uint32_t GetVRegSize([[maybe_unused]] const T *context)
{
    return 256;
}
template <typename T>
uint32_t GetCacheLineSize([[maybe_unused]] const T *context)
{
    return 256;
}
template <typename T>
uint32_t GetSectorCacheLineSize([[maybe_unused]] const T *context)
{
    return 128;
}
// Of chips with threads in their vector cores, which this build does not have; host code asks before it looks at the chip.
template <typename T>
uint32_t GetSimtMaxThreadNum([[maybe_unused]] const T *context)
{
    return 2048;
}
template <typename T>
uint32_t GetSimtMaxDCacheSize([[maybe_unused]] const T *context)
{
    return 131072;
}
template <typename T>
uint32_t GetNddmaDcacheSize([[maybe_unused]] const T *context)
{
    return 8192;
}
} // namespace Base
} // namespace Ops

#endif
