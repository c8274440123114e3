// Host files include it for the facts of the chip (platform/platform_info.h).
#ifndef ASCENDC_CPU_PLATFORM_INFO_H
#define ASCENDC_CPU_PLATFORM_INFO_H

#include <map>
#include <string>
#include <vector>

#include "platform/platform_info_def.h"
#include "platform/platform_infos_def.h"

namespace fe {
// The chip of the launch. What the toolkit's manager reads from configuration files is not in this build.
class PlatformInfoManager {
public:
    static PlatformInfoManager &Instance()
    {
        static PlatformInfoManager manager;
        return manager;
    }
    uint32_t GetPlatformInfoWithOutSocVersion(PlatformInfo &platform_info, OptionalInfo &opti_compilation_info)
    {
        const PlatFormInfos &infos = ascendc_cpu::Platform();
        platform_info.str_info.short_soc_version = infos.ShortSocVersion();
        platform_info.soc_info = {infos.aic, infos.aiv, infos.l2};
        platform_info.ai_core_spec = {infos.l0a, infos.l0b, infos.l0c, infos.l1, infos.ub};
        opti_compilation_info = {infos.soc_version, infos.aic};
        return 0;
    }

private:
    PlatformInfoManager() = default;
};
} // namespace fe

#endif
