// Host files include it for the facts of the chip. The managers of platforms that the toolkit declares here read its own
// configuration files, and are not in this build.
#ifndef ASCENDC_CPU_PLATFORM_INFO_H
#define ASCENDC_CPU_PLATFORM_INFO_H

#include "platform/platform_infos_def.h"

#endif
