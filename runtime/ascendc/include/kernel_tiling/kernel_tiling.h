// Included by kernels of operator projects; what it gives stands in the headers of this build already.
#ifndef ASCENDC_CPU_KERNEL_TILING_H
#define ASCENDC_CPU_KERNEL_TILING_H

#include "kernel_operator.h"

#endif
