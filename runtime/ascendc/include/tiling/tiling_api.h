// Included by host files for what they ask of the advanced API; Matmul and others are not in this build.
#ifndef ASCENDC_CPU_TILING_API_H
#define ASCENDC_CPU_TILING_API_H

#include "register/tilingdata_base.h"
#include "tiling/adv_tiling.h"
#include "tiling/platform/platform_ascendc.h"

#endif
