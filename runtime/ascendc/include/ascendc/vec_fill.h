#ifndef ASCENDC_CPU_VEC_FILL_H
#define ASCENDC_CPU_VEC_FILL_H

#include "ascendc/tensor.h"

#endif
