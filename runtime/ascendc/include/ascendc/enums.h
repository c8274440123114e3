// Enumerations and constants that several families share. Order and values are those of the toolkit (asc-devkit,
// include/basic_api/kernel_base_types.h, impl/basic_api/kernel_event.h, kernel_common.h).
#ifndef ASCENDC_CPU_ENUMS_H
#define ASCENDC_CPU_ENUMS_H

#include "ascendc/machine.h"

enum pipe_t { PIPE_S = 0, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_MTE4, PIPE_MTE5, PIPE_V2, PIPE_FIX = 10 };
enum event_t { EVENT_ID0 = 0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

namespace AscendC {
using TEventID = int8_t;

enum class TPosition : uint8_t {
    GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, LCM = VECCALC, SPM, SHM = SPM, TSCM, C2PIPE2GM, C2PIPE2LOCAL, MAX
};
using QuePosition = TPosition;

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

enum class HardEvent : uint8_t {
    MTE2_MTE1, MTE1_MTE2, MTE1_M, M_MTE1, MTE2_V, V_MTE2, MTE3_V, V_MTE3, M_V, V_M, V_V, MTE3_MTE1, MTE1_MTE3, MTE1_V, MTE2_M,
    M_MTE2, V_MTE1, M_FIX, FIX_M, MTE3_MTE2, MTE2_MTE3, S_V, V_S, S_MTE2, MTE2_S, S_MTE3, MTE3_S, MTE2_FIX, FIX_MTE2, FIX_S,
    M_S, FIX_MTE3, MTE1_FIX, FIX_MTE1, FIX_FIX, MAX
};

enum class RoundMode : uint8_t { CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD };
enum class CMPMODE : uint8_t { LT, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
enum class MaskMode : uint8_t { NORMAL, COUNTER };
enum class ReduceOrder { ORDER_VALUE_INDEX, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };
enum class CacheMode { CACHE_MODE_DISABLE, CACHE_MODE_NORMAL, CACHE_MODE_LAST, CACHE_MODE_PERSISTENT };
enum class CacheRwMode { READ, WRITE, RW };
enum class DataFormat : uint8_t { ND, NZ, NCHW, NC1HWC0, NHWC };

constexpr int32_t ONE_BLK_SIZE = 32;
constexpr int32_t DEFAULT_C0_SIZE = 32;
constexpr int32_t ONE_REPEAT_BYTE_SIZE = 256;
constexpr int32_t MAX_REPEAT_TIMES = 255;
constexpr uint32_t ONE_BLK_FLOAT_NUM = 8;
constexpr int32_t DEFAULT_BLK_NUM = 8;
constexpr uint8_t DEFAULT_BLK_STRIDE = 1;
constexpr uint8_t DEFAULT_REPEAT_STRIDE = 8;
constexpr uint8_t HALF_DEFAULT_REPEAT_STRIDE = 4;
constexpr uint64_t MASK_PLACEHOLDER = 0;
constexpr uint32_t F32_INF = 0x7f800000; // bits
constexpr uint32_t F32_NEG_INF = 0xff800000;
constexpr uint32_t F32_NAN = 0x7fc00000;
constexpr int32_t K_MAX_SHAPE_DIM = 8;
constexpr int32_t K_MAX_DIM = 8;

// The memory behind a logical position.
constexpr Hardware GetPhyType(TPosition pos)
{
    switch (pos) {
        case TPosition::GM: return Hardware::GM;
        case TPosition::A1:
        case TPosition::B1:
        case TPosition::TSCM: return Hardware::L1;
        case TPosition::A2: return Hardware::L0A;
        case TPosition::B2: return Hardware::L0B;
        case TPosition::CO1: return Hardware::L0C;
#if __NPU_ARCH__ == 2002
        case TPosition::C1:
        case TPosition::CO2: return Hardware::UB;
        case TPosition::C2: return Hardware::L0C;
        case TPosition::SPM: return Hardware::L1;
#else
        case TPosition::C1: return Hardware::L1;
        case TPosition::CO2:
        case TPosition::SPM: return Hardware::GM;
        case TPosition::C2: return Hardware::BIAS;
        case TPosition::C2PIPE2GM: return Hardware::FIXBUF;
#endif
        default: return Hardware::UB;
    }
}
} // namespace AscendC

namespace ascendc_cpu {
constexpr Space SpaceOf(AscendC::TPosition pos)
{
    switch (AscendC::GetPhyType(pos)) {
        case AscendC::Hardware::L1: return Space::L1;
        case AscendC::Hardware::L0A: return Space::L0A;
        case AscendC::Hardware::L0B: return Space::L0B;
        case AscendC::Hardware::L0C: return Space::L0C;
        case AscendC::Hardware::BIAS: return Space::BT;
        case AscendC::Hardware::FIXBUF: return Space::FB;
        default: return Space::UB;
    }
}
} // namespace ascendc_cpu

#endif
