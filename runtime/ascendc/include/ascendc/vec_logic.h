#ifndef ASCENDC_CPU_VEC_LOGIC_H
#define ASCENDC_CPU_VEC_LOGIC_H

#include "ascendc/tensor.h"

#endif
