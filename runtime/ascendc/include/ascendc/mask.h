#ifndef ASCENDC_CPU_MASK_H
#define ASCENDC_CPU_MASK_H

#include "ascendc/tensor.h"

#endif
