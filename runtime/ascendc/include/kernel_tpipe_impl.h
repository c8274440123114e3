// A part of the toolkit's headers that kernels in the wild name.
#ifndef ASCENDC_CPU_KERNEL_TPIPE_IMPL_H
#define ASCENDC_CPU_KERNEL_TPIPE_IMPL_H

#include "ascendc/pipe.h"
#include "ascendc/traits.h"
#include "ascendc/utils.h"

#endif
