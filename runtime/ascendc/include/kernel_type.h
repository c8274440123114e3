// A part of the toolkit's headers that kernels in the wild name.
#ifndef ASCENDC_CPU_KERNEL_TYPE_H
#define ASCENDC_CPU_KERNEL_TYPE_H

#include "ascendc/types.h"

#endif
