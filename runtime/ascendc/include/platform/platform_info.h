// Host files include it for the facts of the chip. The managers of platforms that the toolkit declares here read its own
// configuration files, and are not in this build.
#ifndef ASCENDC_CPU_PLATFORM_INFO_H
#define ASCENDC_CPU_PLATFORM_INFO_H

#include <map>
#include <string>
#include <vector>

#include "platform/platform_infos_def.h"

// In no namespace, as platform_info_def.h has them: host files say `vector` for short.
using std::map;
using std::string;
using std::vector;

#endif
