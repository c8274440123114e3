#ifndef ASCENDC_CPU_VEC_COMPOUND_H
#define ASCENDC_CPU_VEC_COMPOUND_H

#include "ascendc/tensor.h"

#endif
