#ifndef ASCENDC_CPU_VEC_REDUCE_H
#define ASCENDC_CPU_VEC_REDUCE_H

#include "ascendc/tensor.h"

#endif
