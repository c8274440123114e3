// Facts of the chip on the host side, as far as `tiling/platform/platform_ascendc.h` asks for them. They come from the environment:
// ASCENDC_CPU_CHIP holds "AIV UB L1 L0A L0B L0C BT FB L2 AIC NAME", numbers of cores and bytes; without it the chip is an Ascend910B1.
#ifndef ASCENDC_CPU_PLATFORM_INFOS_DEF_H
#define ASCENDC_CPU_PLATFORM_INFOS_DEF_H

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

namespace fe {
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
