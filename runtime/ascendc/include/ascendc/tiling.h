#ifndef ASCENDC_CPU_TILING_H
#define ASCENDC_CPU_TILING_H

#include "ascendc/tensor.h"

#endif
