// The chip as host code sees it, beneath platform/platform_infos_def.h and tiling/platform/platform_ascendc.h. Its facts come from the environment:
// ASCENDC_CPU_CHIP holds "AIV UB L1 L0A L0B L0C BT FB L2 AIC NAME", numbers of cores and bytes; without it the chip is an Ascend910B1.
#ifndef ASCENDC_CPU_PLATFORM_H
#define ASCENDC_CPU_PLATFORM_H

#include <cstdint>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

#include "ascendc/log.h"

namespace fe {
enum class LocalMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, RESERVED };

class PlatFormInfos {
public:
    PlatFormInfos()
    {
        const char *const text = std::getenv("ASCENDC_CPU_CHIP");
        std::istringstream in(text != nullptr ? text : "48 196608 524288 65536 65536 131072 1024 2048 201326592 24 Ascend910B1");
        in >> aiv >> ub >> l1 >> l0a >> l0b >> l0c >> bt >> fb >> l2 >> aic >> soc_version;
    }
    // Vector cores where cube and vector are apart, else AI cores (GetCoreNum page; a mixed kernel would find its cube cores).
    uint32_t GetCoreNum() const { return aiv; }
    // All of a memory, also what PlatformAscendC keeps for the toolkit.
    void GetLocalMemSize(const LocalMemType &mem_type, uint64_t &size) const
    {
        switch (mem_type) {
            case LocalMemType::L0_A: size = l0a; break;
            case LocalMemType::L0_B: size = l0b; break;
            case LocalMemType::L0_C: size = l0c; break;
            case LocalMemType::L1: size = l1; break;
            case LocalMemType::L2: size = l2; break;
            case LocalMemType::UB: size = ub; break;
            default: size = 0; break;
        }
    }
    // A line of the toolkit's description of the chip. Of those that are not known here nothing is said, and the error log tells.
    bool GetPlatformRes(const std::string &label, const std::string &key, std::string &val) const
    {
        const std::map<std::string, std::string> known = {
            {"version SoC_version", soc_version},
            {"version Short_SoC_version", ShortSocVersion()},
            {"version NpuArch", IsSplit() ? "2201" : "2002"},
            {"SoCInfo ai_core_cnt", std::to_string(aic)},
            {"SoCInfo cube_core_cnt", std::to_string(aic)},
            {"SoCInfo vector_core_cnt", std::to_string(aiv)},
            {"SoCInfo l2_size", std::to_string(l2)},
            {"AICoreSpec ub_size", std::to_string(ub)},
            {"AICoreSpec l1_size", std::to_string(l1)},
            {"AICoreSpec l0_a_size", std::to_string(l0a)},
            {"AICoreSpec l0_b_size", std::to_string(l0b)},
            {"AICoreSpec l0_c_size", std::to_string(l0c)},
            {"AICoreSpec bt_size", std::to_string(bt)},
            {"AICoreSpec fb0_size", std::to_string(fb)},
        };
        const auto found = known.find(label + " " + key);
        if (found == known.end()) {
            ascendc_cpu::LogError("the description of the chip has no `" + key + "` of `" + label + "` in this build (GetPlatformRes)");
            return false;
        }
        val = found->second;
        return true;
    }
    bool GetPlatformResWithLock(const std::string &label, const std::string &key, std::string &val) const
    {
        return GetPlatformRes(label, key, val);
    }

    // For this build: cube and vector cores are apart.
    bool IsSplit() const { return aiv > aic; }
    // The chip's family: Ascend910B of Ascend910B1.
    std::string ShortSocVersion() const
    {
        for (const char *const family : {"Ascend910_93", "Ascend910B", "Ascend310P"}) {
            if (soc_version.rfind(family, 0) == 0) {
                return family;
            }
        }
        return soc_version;
    }

    uint32_t aiv = 0;
    uint32_t aic = 0;
    uint64_t ub = 0;
    uint64_t l1 = 0;
    uint64_t l0a = 0;
    uint64_t l0b = 0;
    uint64_t l0c = 0;
    uint64_t bt = 0;
    uint64_t fb = 0;
    uint64_t l2 = 0;
    std::string soc_version;
};
} // namespace fe

namespace ascendc_cpu {
inline fe::PlatFormInfos &Platform()
{
    static fe::PlatFormInfos infos;
    return infos;
}
} // namespace ascendc_cpu

#endif
