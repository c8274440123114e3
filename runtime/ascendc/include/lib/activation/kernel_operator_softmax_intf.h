// A part of the toolkit's headers that kernels in the wild name.
#ifndef ASCENDC_CPU_LIB_ACTIVATION_KERNEL_OPERATOR_SOFTMAX_INTF_H
#define ASCENDC_CPU_LIB_ACTIVATION_KERNEL_OPERATOR_SOFTMAX_INTF_H

#include "ascendc/adv_softmax.h"

#endif
