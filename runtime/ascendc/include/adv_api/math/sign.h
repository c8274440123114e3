// A part of the toolkit's headers that kernels in the wild name.
#ifndef ASCENDC_CPU_ADV_API_MATH_SIGN_H
#define ASCENDC_CPU_ADV_API_MATH_SIGN_H

#include "ascendc/adv_math.h"

#endif
