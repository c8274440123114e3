#ifndef ASCENDC_CPU_CACHE_H
#define ASCENDC_CPU_CACHE_H

#include "ascendc/tensor.h"

#endif
