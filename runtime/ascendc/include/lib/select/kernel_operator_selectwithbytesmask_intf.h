// A part of the toolkit's headers that kernels in the wild name.
#ifndef ASCENDC_CPU_LIB_SELECT_KERNEL_OPERATOR_SELECTWITHBYTESMASK_INTF_H
#define ASCENDC_CPU_LIB_SELECT_KERNEL_OPERATOR_SELECTWITHBYTESMASK_INTF_H

#include "ascendc/adv_select.h"

#endif
