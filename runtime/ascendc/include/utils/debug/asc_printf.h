// A part of the toolkit's headers that kernels in the wild name.
#ifndef ASCENDC_CPU_UTILS_DEBUG_ASC_PRINTF_H
#define ASCENDC_CPU_UTILS_DEBUG_ASC_PRINTF_H

#include "ascendc/print.h"

#endif
