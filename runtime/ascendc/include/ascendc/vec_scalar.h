#ifndef ASCENDC_CPU_VEC_SCALAR_H
#define ASCENDC_CPU_VEC_SCALAR_H

#include "ascendc/tensor.h"

#endif
