// AscendC on the CPU: the header that kernels include.
//
// Each header below is one family of the API, in namespace `AscendC`, with the signatures, structure fields and
// defaults of the toolkit's headers (asc-devkit, include/basic_api; the names of CANN 8 and those of 9). They check
// types while compiling and turn every call into one call of the machine (`ascendc/machine.h`), which does the work.
#ifndef ASCENDC_CPU_KERNEL_OPERATOR_H
#define ASCENDC_CPU_KERNEL_OPERATOR_H

#include "kernel_basic_intf.h"
#include "ascendc/tiling.h"
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
