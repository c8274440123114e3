// A part of the toolkit's headers that kernels in the wild name.
#ifndef ASCENDC_CPU_IMPL_DAV_C220_KERNEL_OPERATOR_REG_OTHERS_IMPL_H
#define ASCENDC_CPU_IMPL_DAV_C220_KERNEL_OPERATOR_REG_OTHERS_IMPL_H

#include "ascendc/defs.h"

#endif
