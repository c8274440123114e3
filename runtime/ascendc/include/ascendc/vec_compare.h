#ifndef ASCENDC_CPU_VEC_COMPARE_H
#define ASCENDC_CPU_VEC_COMPARE_H

#include "ascendc/tensor.h"

#endif
