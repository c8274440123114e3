// Keywords and address spaces of the device compiler, as far as an ordinary C++ compiler must see them.
#ifndef ASCENDC_CPU_DEFS_H
#define ASCENDC_CPU_DEFS_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <type_traits>

// Architecture of the vector core: 2201 for A2 and A3, 2002 for the inference products.
#ifndef __NPU_ARCH__
#define __NPU_ARCH__ 2201
#endif
#if __NPU_ARCH__ == 2201
#define __CCE_AICORE__ 220
#define __DAV_C220__ 1
#define __DAV_C220_VEC__ 1
#elif __NPU_ARCH__ == 2002
#define __CCE_AICORE__ 200
#define __DAV_M200__ 1
#else
#error "this build of AscendC knows the architectures 2201 and 2002"
#endif

// The release of CANN, as major and minor number (801, 805, 900): what a table of facts says that emitted texts rely on is hidden where this
// release has not got it. All other names are there whichever it is.
#ifndef ASCENDC_CPU_CANN
#define ASCENDC_CPU_CANN 900
#endif

// Handwritten operators ask for this before they launch by `<<<>>>`.
#define ASCENDC_CPU_DEBUG 1

#define __aicore__
#define __global__ __attribute__((used))
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __vector__
#define __cube__
#define __mix__(...)
#define __schedmode__(...)
#define __inout_pipe__(...)
#define __in_pipe__(...)
#define __out_pipe__(...)
#define GM_ADDR __gm__ uint8_t *

// A call of the API never has a frame of its own, so that the return address which the machine sees lies in the
// kernel: that is how a fault knows its line.
#define ASCENDC_API inline __attribute__((always_inline))

#endif
