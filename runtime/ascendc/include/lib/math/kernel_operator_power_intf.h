// A part of the toolkit's headers that kernels in the wild name; here it is the whole.
#ifndef ASCENDC_CPU_LIB_MATH_KERNEL_OPERATOR_POWER_INTF_H
#define ASCENDC_CPU_LIB_MATH_KERNEL_OPERATOR_POWER_INTF_H

#include "kernel_operator.h"

#endif
