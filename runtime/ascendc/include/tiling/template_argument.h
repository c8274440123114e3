// Another name of the header of template tiling keys.
#ifndef ASCENDC_CPU_TILING_TEMPLATE_ARGUMENT_H
#define ASCENDC_CPU_TILING_TEMPLATE_ARGUMENT_H

#include "ascendc/host_api/tiling/template_argument.h"

#endif
