// Template tiling keys (asc-devkit, docs: Tiling模板编程; include/utils/tiling/template_argument.h). A header of an operator project
// declares the template parameters of its kernel (ASCENDC_TPL_ARGS_DECL) and the combinations of their values that the build makes
// (ASCENDC_TPL_SEL). The tiling function names a combination and gets its key; the key chooses the instance of the kernel.
//
// The same text is read in three ways. For the host it is the table that GET_TPL_TILING_KEY encodes with. For a kernel
// (ASCENDC_TPL_KERNEL) it is nothing. Before a kernel is compiled, `runtime/src/ascendc/template_keys.rs` reads it as calls of
// `ascendc_cpu_tpl` in the preprocessed kernel (ASCENDC_TPL_PRE), and decodes keys, as the toolkit's build does.
#ifndef ASCENDC_CPU_TEMPLATE_ARGUMENT_H
#define ASCENDC_CPU_TEMPLATE_ARGUMENT_H

#include <cstddef>
#include <cstdint>

#if defined(ASCENDC_TPL_PRE)
#include "graph/c_types.h" // the numbers of C_DT_FLOAT and others
#elif defined(ASCENDC_TPL_KERNEL)
#include "kernel_type.h"
#else
#include <algorithm>
#include <array>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>
#endif

// Cores that a combination runs on.
#define ASCENDC_TPL_AIV_ONLY 0
#define ASCENDC_TPL_AIC_ONLY 1
#define ASCENDC_TPL_MIX_AIV_1_0 4
#define ASCENDC_TPL_MIX_AIC_1_0 5
#define ASCENDC_TPL_MIX_AIC_1_1 6
#define ASCENDC_TPL_MIX_AIC_1_2 7
#define ASCENDC_TPL_AICORE 8
#define ASCENDC_TPL_VECTORCORE 9
#define ASCENDC_TPL_MIX_AICORE 10
#define ASCENDC_TPL_MIX_VECTOR_CORE 11
#define ASCENDC_TPL_MAX 12
// Bits of a parameter in the key.
#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_8_BW 8
// Kinds of parameters.
#define ASCENDC_TPL_DTYPE 0
#define ASCENDC_TPL_FORMAT 1
#define ASCENDC_TPL_UINT 2
#define ASCENDC_TPL_BOOL 3
constexpr uint32_t ASCENDC_TPL_KERNEL_TYPE = 4;
constexpr uint32_t ASCENDC_TPL_DETERMINISTIC = 5;
constexpr uint32_t ASCENDC_TPL_SHARED_KERNEL_TYPE = 6;
// A parameter that follows the element type or the format of an input or output.
#define ASCENDC_TPL_INPUT_BIAS 100000000
#define ASCENDC_TPL_OUTPUT_BIAS 900000000
#define ASCENDC_TPL_INPUT(x) (ASCENDC_TPL_INPUT_BIAS + (x))
#define ASCENDC_TPL_OUTPUT(x) (ASCENDC_TPL_OUTPUT_BIAS + (x))
// How the values of an unsigned parameter are written: a number of ranges and their bounds, a list, or ranges and then a list.
#define ASCENDC_TPL_UI_RANGE 0
#define ASCENDC_TPL_UI_LIST 1
#define ASCENDC_TPL_UI_MIX 2

constexpr uint8_t MAX_BITS_NUM = 64;
constexpr size_t VAL_PAIR = 2;
constexpr size_t VAL_START = 2;
constexpr uint64_t INVALID_TILING_KEY = 0xFFFFFFFFFFFFFFFF;

#if defined(ASCENDC_TPL_PRE)
#define ASCENDC_TPL_DTYPE_DECL(x, ...) ascendc_cpu_tpl("DTYPE", #x, __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_DECL(x, ...) ascendc_cpu_tpl("DATATYPE", #x, __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_DECL(x, ...) ascendc_cpu_tpl("FORMAT", #x, __VA_ARGS__)
#define ASCENDC_TPL_UINT_DECL(x, ...) ascendc_cpu_tpl("UINT", #x, __VA_ARGS__)
#define ASCENDC_TPL_BOOL_DECL(x, ...) ascendc_cpu_tpl("BOOL", #x, __VA_ARGS__)
#define ASCENDC_TPL_KERNEL_TYPE_DECL(x, ...) ascendc_cpu_tpl("SHARED_KERNEL_TYPE", #x, __VA_ARGS__)

#define ASCENDC_TPL_DTYPE_SEL(x, ...) ascendc_cpu_tpl("DTYPE", #x, __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_SEL(x, ...) ascendc_cpu_tpl("DATATYPE", #x, __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_SEL(x, ...) ascendc_cpu_tpl("FORMAT", #x, __VA_ARGS__)
#define ASCENDC_TPL_UINT_SEL(x, ...) ascendc_cpu_tpl("UINT", #x, __VA_ARGS__)
#define ASCENDC_TPL_BOOL_SEL(x, ...) ascendc_cpu_tpl("BOOL", #x, __VA_ARGS__)
#define ASCENDC_TPL_TILING_STRUCT_SEL(x, ...) ascendc_cpu_tpl("TILING_STRUCT", #x)
#define ASCENDC_TPL_KERNEL_TYPE_SEL(...) ascendc_cpu_tpl("KERNEL_TYPE", "kernel_type", __VA_ARGS__)
#define ASCENDC_TPL_DETERMINISTIC_SEL(...) ascendc_cpu_tpl("DETERMINISTIC", "deterministic", __VA_ARGS__)
#define ASCENDC_TPL_SHARED_KERNEL_TYPE_SEL(x, ...) ascendc_cpu_tpl("SHARED_KERNEL_TYPE", #x, __VA_ARGS__)

#define ASCENDC_TPL_ARGS_DECL(x, ...) ascendc_cpu_tpl("ARGS_DECL", #x, __VA_ARGS__)
#define ASCENDC_TPL_ARGS_SEL(...) ascendc_cpu_tpl("ARGS_SEL", "", __VA_ARGS__)
#define ASCENDC_TPL_SEL(...) ascendc_cpu_tpl("SEL", "", __VA_ARGS__)

#elif defined(ASCENDC_TPL_KERNEL)
// The element type of a number: what a parameter of ASCENDC_TPL_DATATYPE_DECL is for the kernel.
template <int dataTypeId>
struct TypeFromId {
    using type = void;
};
#define ASCENDC_TPL_TYPE_TRANS_DEFINE(id, r_type)                                                                        \
    template <>                                                                                                          \
    struct TypeFromId<id> {                                                                                              \
        using type = r_type;                                                                                             \
    }
ASCENDC_TPL_TYPE_TRANS_DEFINE(0, float);
ASCENDC_TPL_TYPE_TRANS_DEFINE(1, half);
ASCENDC_TPL_TYPE_TRANS_DEFINE(2, int8_t);
ASCENDC_TPL_TYPE_TRANS_DEFINE(3, int32_t);
ASCENDC_TPL_TYPE_TRANS_DEFINE(4, uint8_t);
ASCENDC_TPL_TYPE_TRANS_DEFINE(6, int16_t);
ASCENDC_TPL_TYPE_TRANS_DEFINE(7, uint16_t);
ASCENDC_TPL_TYPE_TRANS_DEFINE(8, uint32_t);
ASCENDC_TPL_TYPE_TRANS_DEFINE(9, int64_t);
ASCENDC_TPL_TYPE_TRANS_DEFINE(10, uint64_t);
ASCENDC_TPL_TYPE_TRANS_DEFINE(11, double);
ASCENDC_TPL_TYPE_TRANS_DEFINE(12, bool);
#if __NPU_ARCH__ == 2201
ASCENDC_TPL_TYPE_TRANS_DEFINE(27, bfloat16_t);
#endif
ASCENDC_TPL_TYPE_TRANS_DEFINE(29, AscendC::int4b_t);

#define ASCENDC_TPL_DTYPE_DECL(...)
#define ASCENDC_TPL_DATATYPE_DECL(...)
#define ASCENDC_TPL_FORMAT_DECL(...)
#define ASCENDC_TPL_UINT_DECL(...)
#define ASCENDC_TPL_BOOL_DECL(...)
#define ASCENDC_TPL_KERNEL_TYPE_DECL(...)

#define ASCENDC_TPL_DTYPE_SEL(...)
#define ASCENDC_TPL_DATATYPE_SEL(...)
#define ASCENDC_TPL_FORMAT_SEL(...)
#define ASCENDC_TPL_UINT_SEL(...)
#define ASCENDC_TPL_BOOL_SEL(...)
#define ASCENDC_TPL_TILING_STRUCT_SEL(...)
#define ASCENDC_TPL_KERNEL_TYPE_SEL(...)
#define ASCENDC_TPL_DETERMINISTIC_SEL(...)
#define ASCENDC_TPL_SHARED_KERNEL_TYPE_SEL(...)

#define ASCENDC_TPL_ARGS_DECL(...)
#define ASCENDC_TPL_ARGS_SEL(...)
#define ASCENDC_TPL_SEL(...)

#else
struct ParamStruct {
    const char *name;
    uint32_t paramType;
    uint8_t bitWidth;
    std::vector<uint64_t> vals; // of an unsigned parameter its values in order, whose places the key holds
    const char *macroType;

    ParamStruct(const char *inName, uint32_t inParamType, uint8_t inBitWidth, const std::vector<uint64_t> &inVals, const char *inMacroType)
        : name(inName), paramType(inParamType), bitWidth(inBitWidth), macroType(inMacroType)
    {
        const bool is_plain = inParamType != ASCENDC_TPL_UINT || inVals.empty();
        const size_t ranges = is_plain || inVals[0] == ASCENDC_TPL_UI_LIST || inVals.size() < VAL_START ? 0 : inVals[1];
        size_t next = is_plain ? 0 : inVals[0] == ASCENDC_TPL_UI_LIST ? 1 : VAL_START;
        for (size_t range = 0; range < ranges && next + 1 < inVals.size(); ++range, next += VAL_PAIR) {
            for (uint64_t value = inVals[next]; value <= inVals[next + 1]; ++value) {
                vals.push_back(value);
            }
        }
        for (; next < inVals.size() && (is_plain || inVals[0] != ASCENDC_TPL_UI_RANGE); ++next) {
            vals.push_back(inVals[next]);
        }
    }
};
using TilingDeclareParams = std::vector<ParamStruct>;
using TilingSelectParams = std::vector<std::vector<ParamStruct>>;

#define ASCENDC_TPL_DTYPE_DECL(x, ...) ParamStruct{#x, ASCENDC_TPL_DTYPE, ASCENDC_TPL_8_BW, {__VA_ARGS__}, "DECL"}
#define ASCENDC_TPL_DATATYPE_DECL(x, ...) ParamStruct{#x, ASCENDC_TPL_DTYPE, ASCENDC_TPL_8_BW, {__VA_ARGS__}, "DECL"}
#define ASCENDC_TPL_FORMAT_DECL(x, ...) ParamStruct{#x, ASCENDC_TPL_FORMAT, ASCENDC_TPL_8_BW, {__VA_ARGS__}, "DECL"}
#define ASCENDC_TPL_UINT_DECL(x, bw, ...) ParamStruct{#x, ASCENDC_TPL_UINT, bw, {__VA_ARGS__}, "DECL"}
#define ASCENDC_TPL_BOOL_DECL(x, ...) ParamStruct{#x, ASCENDC_TPL_BOOL, ASCENDC_TPL_1_BW, {__VA_ARGS__}, "DECL"}
#define ASCENDC_TPL_KERNEL_TYPE_DECL(x, ...) ParamStruct{#x, ASCENDC_TPL_SHARED_KERNEL_TYPE, ASCENDC_TPL_8_BW, {__VA_ARGS__}, "DECL"}
#define ASCENDC_TPL_ARGS_DECL(x, ...) static TilingDeclareParams g_tilingDeclareParams{__VA_ARGS__}
// The kernel's reading checks combinations.
#define ASCENDC_TPL_SEL(...)

namespace ascendc_cpu {
// Where the program that asks a host file keeps the reason why there is no key; other programs print it.
inline std::string *templateKeyMistake = nullptr;
inline uint64_t NoTemplateKey(const std::string &mistake)
{
    if (templateKeyMistake == nullptr) {
        std::cerr << "GET_TPL_TILING_KEY: " << mistake << std::endl;
    } else {
        *templateKeyMistake = "GET_TPL_TILING_KEY: " + mistake;
    }
    return INVALID_TILING_KEY;
}
// The first parameter is in the lowest bits, an unsigned one by the place of its value, every other one by the value.
inline uint64_t EncodeTilingKey(const TilingDeclareParams &declared, const std::vector<uint64_t> &values)
{
    if (values.size() != declared.size()) {
        return NoTemplateKey(std::to_string(values.size()) + " values are given, and ASCENDC_TPL_ARGS_DECL declares " +
            std::to_string(declared.size()) + "; give one for each, in its order");
    }
    uint64_t key = 0;
    uint32_t bits = 0;
    for (size_t i = 0; i < declared.size(); ++i) {
        const ParamStruct &param = declared[i];
        const auto found = std::find(param.vals.begin(), param.vals.end(), values[i]);
        if (found == param.vals.end()) {
            std::string allowed;
            for (uint64_t value : param.vals) {
                allowed += value < ASCENDC_TPL_INPUT_BIAS ? (allowed.empty() ? "" : ", ") + std::to_string(value) : "";
            }
            return NoTemplateKey(std::string(param.name) + " is " + std::to_string(values[i]) + "; its declaration allows " + allowed);
        }
        const uint64_t field = param.paramType == ASCENDC_TPL_UINT ? static_cast<uint64_t>(found - param.vals.begin()) : values[i];
        if (bits + param.bitWidth > MAX_BITS_NUM || (param.bitWidth < MAX_BITS_NUM && field >> param.bitWidth != 0)) {
            return NoTemplateKey(std::string(param.name) + " of " + std::to_string(param.bitWidth) + " bits behind " + std::to_string(bits) +
                " others does not hold " + std::to_string(field) + "; a key has 64 bits");
        }
        key |= field << bits;
        bits += param.bitWidth;
    }
    return key;
}
} // namespace ascendc_cpu

#define GET_TPL_TILING_KEY(...) ascendc_cpu::EncodeTilingKey(g_tilingDeclareParams, {__VA_ARGS__})
#define ASCENDC_TPL_SEL_PARAM(context, ...)                                                                              \
    do {                                                                                                                 \
        uint64_t key = GET_TPL_TILING_KEY(__VA_ARGS__);                                                                  \
        context->SetTilingKey(key);                                                                                      \
    } while (0)
#endif

#endif
