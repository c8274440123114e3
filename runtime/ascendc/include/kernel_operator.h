// AscendC on the CPU: the header that kernels include.
//
// Each header below is one family of the API, in namespace `AscendC`, with the signatures, structure fields and
// defaults of the toolkit's headers (asc-devkit, include/basic_api; the names of CANN 8 and those of 9). They check
// types while compiling and turn every call into one call of the machine (`ascendc/machine.h`), which does the work.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_H
#define ASCENDC_CPU_KERNEL_OPERATOR_H

#include "ascendc/defs.h"
#include "ascendc/types.h"
#include "ascendc/enums.h"
#include "ascendc/machine.h"
#include "ascendc/tensor.h"
#include "ascendc/pipe.h"
#include "ascendc/sync.h"
#include "ascendc/system.h"
#include "ascendc/tiling.h"
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
#include "ascendc/adv_transform.h"
#include "ascendc/adv_math.h"
#include "ascendc/adv_norm.h"
#include "ascendc/adv_activation.h"
#include "ascendc/adv_reduce.h"
#include "ascendc/adv_reduce_pattern.h"
#include "ascendc/adv_select.h"
#include "ascendc/adv_softmax.h"
#include "ascendc/adv_softmax_grad.h"
#include "ascendc/workspace.h"

#endif
