// What two-phase operators take: descriptions of tensors, lists and attributes, and executors.
#ifndef JUMAR_STANDIN_OPERATORS_H
#define JUMAR_STANDIN_OPERATORS_H

#include <cstdint>

namespace standin {
uint64_t Tensors();
uint64_t OtherObjects(); // scalars, arrays, lists
uint64_t Executors();
uint64_t ProfilingConfigs();
void ForgetProfiling();
// For control.
void ForgetObjects();
} // namespace standin

#endif
