// Tiling data of the operator ScaleAdd.
#ifndef SCALE_ADD_TILING_H
#define SCALE_ADD_TILING_H

#include "register/tilingdata_base.h"

namespace optiling {
constexpr uint32_t AXES = 2;

BEGIN_TILING_DATA_DEF(SplitData)
TILING_DATA_FIELD_DEF(uint32_t, perCore);
TILING_DATA_FIELD_DEF(uint32_t, tile);
TILING_DATA_FIELD_DEF_ARR(uint16_t, AXES, shape); // for the eyes of a debugger
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(SplitDataOp, SplitData)

BEGIN_TILING_DATA_DEF(ScaleAddTilingData)
TILING_DATA_FIELD_DEF(uint32_t, total);
TILING_DATA_FIELD_DEF_STRUCT(SplitData, split);
TILING_DATA_FIELD_DEF(float, alpha);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ScaleAdd, ScaleAddTilingData)
} // namespace optiling

#endif
