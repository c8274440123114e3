// Structures of tiling data that kernels of operator projects take.
#ifndef ASCENDC_CPU_KERNEL_TILING_H
#define ASCENDC_CPU_KERNEL_TILING_H

#include "ascendc/norm_tiling.h"
#include "ascendc/softmax_tiling.h"

#endif
