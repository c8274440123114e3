// Lists of tensors. No other header of the toolkit brings them.
#ifndef ASCENDC_CPU_LIST_TENSOR_INTF_H
#define ASCENDC_CPU_LIST_TENSOR_INTF_H

#include "kernel_operator.h"
#include "ascendc/list_tensor.h"

#endif
