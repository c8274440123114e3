// A part of the toolkit's headers that kernels in the wild name.
#ifndef ASCENDC_CPU_LIB_MATH_KERNEL_OPERATOR_FLOOR_INTF_H
#define ASCENDC_CPU_LIB_MATH_KERNEL_OPERATOR_FLOOR_INTF_H

#include "ascendc/adv_math.h"

#endif
