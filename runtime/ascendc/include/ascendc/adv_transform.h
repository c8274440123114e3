#ifndef ASCENDC_CPU_ADV_TRANSFORM_H
#define ASCENDC_CPU_ADV_TRANSFORM_H

#include "ascendc/tensor.h"

#endif
