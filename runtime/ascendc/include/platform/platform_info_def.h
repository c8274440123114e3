// The chip as structures (platform/platform_info_def.h), with the members that this build knows.
#ifndef ASCENDC_CPU_PLATFORM_INFO_DEF_H
#define ASCENDC_CPU_PLATFORM_INFO_DEF_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// In no namespace, as in the toolkit: host files say `vector` for short.
using std::map;
using std::string;
using std::vector;

namespace fe {
struct StrInfo {
    std::string short_soc_version;
};
struct SoCInfo {
    uint32_t ai_core_cnt = 0;
    uint32_t vector_core_cnt = 0;
    uint64_t l2_size = 0;
};
struct AiCoreSpec {
    uint64_t l0_a_size = 0;
    uint64_t l0_b_size = 0;
    uint64_t l0_c_size = 0;
    uint64_t l1_size = 0;
    uint64_t ub_size = 0;
};
struct PlatformInfo {
    StrInfo str_info;
    SoCInfo soc_info;
    AiCoreSpec ai_core_spec;
};
struct OptionalInfo {
    std::string soc_version;
    uint32_t ai_core_num = 0;
};
} // namespace fe

#endif
