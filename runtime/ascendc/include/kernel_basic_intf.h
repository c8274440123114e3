// The basic API, without the libraries on top of it (asc-devkit, include/basic_api/kernel_basic_intf.h).
#ifndef ASCENDC_CPU_KERNEL_BASIC_INTF_H
#define ASCENDC_CPU_KERNEL_BASIC_INTF_H

#include "ascendc/defs.h"
#include "ascendc/types.h"
#include "ascendc/enums.h"
#include "ascendc/machine.h"
#include "ascendc/tensor.h"
#include "ascendc/pipe.h"
#include "ascendc/sync.h"
#include "ascendc/system.h"
#include "ascendc/data_copy.h"
#include "ascendc/atomic.h"
#include "ascendc/cache.h"
#include "ascendc/debug.h"
#include "ascendc/scalar.h"
#include "ascendc/traits.h"
#include "ascendc/mask.h"
#include "ascendc/utils.h"
#include "ascendc/vec_binary.h"
#include "ascendc/vec_unary.h"
#include "ascendc/vec_scalar.h"
#include "ascendc/vec_compound.h"
#include "ascendc/vec_cast.h"
#include "ascendc/vec_compare.h"
#include "ascendc/vec_gather.h"
#include "ascendc/vec_fill.h"
#include "ascendc/vec_transpose.h"
#include "ascendc/vec_reduce.h"
#include "ascendc/vec_sort.h"

#endif
