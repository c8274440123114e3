// A part of the toolkit's headers that kernels in the wild name; here it is the whole.
#ifndef ASCENDC_CPU_KERNEL_UTILS_H
#define ASCENDC_CPU_KERNEL_UTILS_H

#include "kernel_operator.h"

#endif
