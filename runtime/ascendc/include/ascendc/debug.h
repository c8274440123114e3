#ifndef ASCENDC_CPU_DEBUG_H
#define ASCENDC_CPU_DEBUG_H

#include "ascendc/tensor.h"

#endif
