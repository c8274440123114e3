// Included by host files; the tiling of the advanced API (Matmul, Softmax and others) is not in this build.
#ifndef ASCENDC_CPU_TILING_API_H
#define ASCENDC_CPU_TILING_API_H

#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

#endif
