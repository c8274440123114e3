// Where a tensor is (metadef, exe_graph/runtime/tensor_data.h).
#ifndef ASCENDC_CPU_EXE_GRAPH_TENSOR_DATA_H
#define ASCENDC_CPU_EXE_GRAPH_TENSOR_DATA_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "graph/ge_error_codes.h"

namespace gert {
using TensorAddress = void *;

enum TensorPlacement : int32_t { kOnDeviceHbm, kOnHost, kFollowing, kOnDeviceP2p, kTensorPlacementEnd };

class TensorPlacementUtils {
public:
    static bool IsOnDevice(TensorPlacement placement) { return placement == kOnDeviceHbm || placement == kOnDeviceP2p; }
    static bool IsOnHost(TensorPlacement placement) { return placement == kOnHost || placement == kFollowing; }
    static bool IsOnDeviceHbm(TensorPlacement placement) { return placement == kOnDeviceHbm; }
};
} // namespace gert

#endif
