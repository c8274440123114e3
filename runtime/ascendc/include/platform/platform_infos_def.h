// Facts of the chip on the host side, as far as `tiling/platform/platform_ascendc.h` asks for them. They come from the environment:
// ASCENDC_CPU_CHIP holds "AIV UB L1 L0A L0B L0C BT FB L2 AIC NAME", numbers of cores and bytes; without it the chip is an Ascend910B1.
#ifndef ASCENDC_CPU_PLATFORM_INFOS_DEF_H
#define ASCENDC_CPU_PLATFORM_INFOS_DEF_H

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

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
