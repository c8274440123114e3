#ifndef ASCENDC_CPU_VEC_GATHER_H
#define ASCENDC_CPU_VEC_GATHER_H

#include "ascendc/tensor.h"

#endif
