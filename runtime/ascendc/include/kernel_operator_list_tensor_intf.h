// Included by kernels with lists of tensors; what it gives stands in the headers of this build already.
#ifndef ASCENDC_CPU_LIST_TENSOR_INTF_H
#define ASCENDC_CPU_LIST_TENSOR_INTF_H

#include "kernel_operator.h"

#endif
