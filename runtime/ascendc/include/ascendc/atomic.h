#ifndef ASCENDC_CPU_ATOMIC_H
#define ASCENDC_CPU_ATOMIC_H

#include "ascendc/tensor.h"

#endif
