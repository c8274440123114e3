// A part of the toolkit's headers that kernels in the wild name.
#ifndef ASCENDC_CPU_KERNEL_TENSOR_IMPL_H
#define ASCENDC_CPU_KERNEL_TENSOR_IMPL_H

#include "ascendc/tensor.h"
#include "ascendc/traits.h"
#include "ascendc/utils.h"

#endif
