#ifndef ASCENDC_CPU_VEC_TRANSPOSE_H
#define ASCENDC_CPU_VEC_TRANSPOSE_H

#include "ascendc/tensor.h"

#endif
