// Kernels for the vector core include it for the basic API; the matrix multiplication itself is not here.
#ifndef ASCENDC_CPU_LIB_MATMUL_INTF_H
#define ASCENDC_CPU_LIB_MATMUL_INTF_H

#include "kernel_basic_intf.h"

#endif
