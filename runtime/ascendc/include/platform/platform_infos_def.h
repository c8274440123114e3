// Facts of the chip on the host side (platform/platform_infos_def.h): fe::PlatFormInfos.
#ifndef ASCENDC_CPU_PLATFORM_INFOS_DEF_H
#define ASCENDC_CPU_PLATFORM_INFOS_DEF_H

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ascendc/platform.h"
#include "platform/platform_info_def.h"

#endif
