// Kernels called from a C++ program, as operator projects do it in their tests: the names of the toolkit's CPU debugging
// (asc-devkit, docs: CPU孪生调试, ICPU_RUN_KF, GmAlloc, SetKernelMode).
//
//     uint8_t *x = static_cast<uint8_t *>(AscendC::GmAlloc(bytes));
//     ICPU_SET_TILING_KEY(1);
//     ICPU_RUN_KF(add_custom, 8, x, y, z, workspace, tiling);
//
// Tensors come from GmAlloc (or aclrtMalloc of `acl/acl.h`): an access outside of them stops the program. A fault of the kernel is
// written to standard error with its place, and the program ends with 1. The environment chooses what `jumar cpp` has options for:
// ASCENDC_CPU_REPLAY=SEED, ASCENDC_CPU_BOUNDS=report, ASCENDC_CPU_STALE=report, ASCENDC_CPU_POISON=report,
// ASCENDC_CPU_AUTO_SYNC=off, ASCENDC_CPU_SATURATE=on, ASCENDC_CPU_CHIP="CORES UB L1 L0A L0B L0C BIAS FIXPIPE", ASCENDC_CPU_REPORT=FILE.
#ifndef ASCENDC_CPU_TIKICPULIB_H
#define ASCENDC_CPU_TIKICPULIB_H

#include "ascendc/launch.h"
#include "kernel_operator.h"

// Which cores a launch has. This build runs every kernel on vector cores and refuses AIC_MODE.
enum class KernelMode { MIX_MODE = 0, AIC_MODE, AIV_MODE };

namespace AscendC {
using ::KernelMode;
// GM for a tensor, zero at first. Ends the program where there is no memory.
void *GmAlloc(size_t size);
// Gives it back; `pointer` is what GmAlloc gave.
void GmFree(void *pointer);
void SetKernelMode(KernelMode mode);
} // namespace AscendC

#define ICPU_SET_TILING_KEY(tilingKey) ascendc_cpu::SetTilingKey(tilingKey)
// Runs the kernel function on `blkdim` blocks and waits for them.
#define ICPU_RUN_KF(func, blkdim, ...) ascendc_cpu::RunKernel(#func, blkdim, [&] { func(__VA_ARGS__); })

#endif
