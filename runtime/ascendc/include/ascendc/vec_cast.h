#ifndef ASCENDC_CPU_VEC_CAST_H
#define ASCENDC_CPU_VEC_CAST_H

#include "ascendc/tensor.h"

#endif
