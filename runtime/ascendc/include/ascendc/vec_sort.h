#ifndef ASCENDC_CPU_VEC_SORT_H
#define ASCENDC_CPU_VEC_SORT_H

#include "ascendc/tensor.h"

#endif
