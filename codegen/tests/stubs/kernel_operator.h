// Declarations of the AscendC names that emitted kernels use, as far as a compiler needs them to check the text.
// Nothing here computes: a test only asks whether the text is C++ and whether it draws warnings.
#ifndef KERNEL_OPERATOR_H
#define KERNEL_OPERATOR_H
#include <cstddef>
#include <cstdint>

#define __aicore__
#define __global__
#define __vector__
#define __gm__
#define GM_ADDR __gm__ uint8_t *
#define KERNEL_TASK_TYPE_DEFAULT(type) AscendC::TaskType(type)
#define TILING_KEY_IS(key) AscendC::KeyIs(key)

constexpr int KERNEL_TYPE_AIV_ONLY = 0;

struct half {
    half() = default;
    constexpr half(float) {}
    explicit operator float() const { return 0.0f; }
};
struct bfloat16_t {
    bfloat16_t() = default;
    constexpr bfloat16_t(int) {}
};
enum event_t { EVENT_ID0 };

float sqrt(float);

namespace AscendC {
constexpr uint64_t MASK_PLACEHOLDER = 0;
void TaskType(int);
bool KeyIs(uint64_t);
int64_t GetBlockIdx();
int64_t GetBlockNum();
bfloat16_t ToBfloat16(const float &);
float ToFloat(const bfloat16_t &);

enum class TPosition { VECIN, VECOUT, VECCALC };
enum class RoundMode { CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD };
enum class CMPMODE { LT, GT, EQ, LE, GE, NE };
enum class SELMODE { VSEL_CMPMASK_SPR, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
enum class MaskMode { NORMAL, COUNTER };
enum class HardEvent { V_S, S_V };

template <typename T>
class GlobalTensor {
public:
    void SetGlobalBuffer(__gm__ T *);
    GlobalTensor operator[](uint64_t) const;
};
template <typename T>
class LocalTensor {
public:
    LocalTensor operator[](uint32_t) const;
    template <typename U>
    LocalTensor<U> ReinterpretCast() const;
    T GetValue(uint32_t) const;
    void SetValue(uint32_t, T) const;
};
template <TPosition position, int32_t depth>
class TQue {
public:
    template <typename T>
    LocalTensor<T> AllocTensor();
    template <typename T>
    bool EnQue(const LocalTensor<T> &);
    template <typename T>
    LocalTensor<T> DeQue();
    template <typename T>
    void FreeTensor(LocalTensor<T> &);
};
template <TPosition position>
class TBuf {
public:
    template <typename T>
    LocalTensor<T> Get();
};
class TPipe {
public:
    TPipe() {}
    ~TPipe() {}
    template <TPosition position, int32_t depth>
    bool InitBuffer(TQue<position, depth> &, uint8_t, uint32_t);
    template <TPosition position>
    bool InitBuffer(TBuf<position> &, uint32_t);
    int8_t FetchEventID(HardEvent);
};
TPipe *GetTPipePtr();
template <HardEvent event>
void SetFlag(int32_t);
template <HardEvent event>
void WaitFlag(int32_t);

struct DataCopyParams {
    DataCopyParams(uint16_t, uint16_t, uint16_t, uint16_t) {}
};
struct DataCopyExtParams {
    DataCopyExtParams(uint16_t, uint32_t, uint32_t, uint32_t, uint32_t) {}
};
template <typename T>
struct DataCopyPadExtParams {
    DataCopyPadExtParams(bool, uint8_t, uint8_t, T) {}
};
struct UnaryRepeatParams {
    UnaryRepeatParams(uint16_t, uint16_t, uint8_t, uint8_t) {}
};
struct BinaryRepeatParams {
    BinaryRepeatParams(uint8_t, uint8_t, uint8_t, uint8_t, uint8_t, uint8_t) {}
};
struct BrcbRepeatParams {
    BrcbRepeatParams(uint16_t, uint16_t) {}
};

template <typename T>
void DataCopy(const LocalTensor<T> &, const GlobalTensor<T> &, uint32_t);
template <typename T>
void DataCopy(const LocalTensor<T> &, const GlobalTensor<T> &, const DataCopyParams &);
template <typename T>
void DataCopy(const GlobalTensor<T> &, const LocalTensor<T> &, uint32_t);
template <typename T>
void DataCopy(const GlobalTensor<T> &, const LocalTensor<T> &, const DataCopyParams &);
template <typename T>
void DataCopy(const LocalTensor<T> &, const LocalTensor<T> &, uint32_t);
template <typename T>
void DataCopyPad(const LocalTensor<T> &, const GlobalTensor<T> &, const DataCopyExtParams &, const DataCopyPadExtParams<T> &);
template <typename T>
void DataCopyPad(const GlobalTensor<T> &, const LocalTensor<T> &, const DataCopyExtParams &);

#define BINARY(Name)                                                                                                 \
    template <typename T>                                                                                            \
    void Name(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<T> &, int32_t);                      \
    template <typename T, bool isSetMask = true>                                                                     \
    void Name(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<T> &, uint64_t, uint8_t,             \
        const BinaryRepeatParams &);
BINARY(Add)
BINARY(Sub)
BINARY(Mul)
BINARY(Div)
BINARY(Max)
BINARY(Min)
#define SCALAR(Name)                                                                                                 \
    template <typename T>                                                                                            \
    void Name(const LocalTensor<T> &, const LocalTensor<T> &, const T &, int32_t);                                   \
    template <typename T, bool isSetMask = true>                                                                     \
    void Name(const LocalTensor<T> &, const LocalTensor<T> &, const T &, uint64_t, uint8_t, const UnaryRepeatParams &);
SCALAR(Adds)
SCALAR(Muls)
SCALAR(Maxs)
SCALAR(Mins)
#define UNARY(Name)                                                                                                  \
    template <typename T>                                                                                            \
    void Name(const LocalTensor<T> &, const LocalTensor<T> &, int32_t);                                              \
    template <typename T, bool isSetMask = true>                                                                     \
    void Name(const LocalTensor<T> &, const LocalTensor<T> &, uint64_t, uint8_t, const UnaryRepeatParams &);
UNARY(Exp)
UNARY(Ln)
UNARY(Sqrt)
UNARY(Rsqrt)
UNARY(Reciprocal)
UNARY(Abs)
UNARY(Relu)
#define REDUCE(Name)                                                                                                 \
    template <typename T>                                                                                            \
    void Name(const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<T> &, int32_t);
REDUCE(ReduceSum)
REDUCE(ReduceMax)
REDUCE(ReduceMin)
template <typename T, typename U>
void Cast(const LocalTensor<T> &, const LocalTensor<U> &, const RoundMode &, uint32_t);
template <typename T>
void Duplicate(const LocalTensor<T> &, const T &, int32_t);
template <typename T>
void Brcb(const LocalTensor<T> &, const LocalTensor<T> &, uint8_t, const BrcbRepeatParams &);
template <typename T, typename U>
void Compare(const LocalTensor<U> &, const LocalTensor<T> &, const LocalTensor<T> &, CMPMODE, uint32_t);
template <typename T, typename U>
void CompareScalar(const LocalTensor<U> &, const LocalTensor<T> &, T, CMPMODE, uint32_t);
template <typename T, typename U>
void Select(const LocalTensor<T> &, const LocalTensor<U> &, const LocalTensor<T> &, const LocalTensor<T> &, SELMODE, uint32_t);
template <typename T, typename U>
void Select(const LocalTensor<T> &, const LocalTensor<U> &, const LocalTensor<T> &, T, SELMODE, uint32_t);
void SetMaskCount();
void SetMaskNorm();
void ResetMask();
template <typename T, MaskMode mode>
void SetVectorMask(uint64_t, uint64_t);
} // namespace AscendC
#endif
