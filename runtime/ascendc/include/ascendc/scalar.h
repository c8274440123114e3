#ifndef ASCENDC_CPU_SCALAR_H
#define ASCENDC_CPU_SCALAR_H

#include "ascendc/tensor.h"

#endif
