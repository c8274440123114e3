// Another name of the same header in operator projects.
#ifndef ASCENDC_CPU_METADEF_ERROR_MANAGER_H
#define ASCENDC_CPU_METADEF_ERROR_MANAGER_H

#include "common/util/error_manager/error_manager.h"

#endif
