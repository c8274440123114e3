// A part of the toolkit's headers that kernels in the wild name.
#ifndef ASCENDC_CPU_ADV_API_MATH_CUMSUM_H
#define ASCENDC_CPU_ADV_API_MATH_CUMSUM_H

#include "kernel_basic_intf.h"
#include "ascendc/adv_reduce.h"

#endif
