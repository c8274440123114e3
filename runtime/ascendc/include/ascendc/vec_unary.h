#ifndef ASCENDC_CPU_VEC_UNARY_H
#define ASCENDC_CPU_VEC_UNARY_H

#include "ascendc/tensor.h"

#endif
