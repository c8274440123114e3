// The numbers of element types and formats as C has them (metadef, graph/c_types.h). Declarations of template tiling keys use the names;
// kernels include this header, too, where a key names an element type.
#ifndef ASCENDC_CPU_GRAPH_C_TYPES_H
#define ASCENDC_CPU_GRAPH_C_TYPES_H

// Element types with the numbers of the graph engine (metadef, graph/types.h; kernels have the same, ascendc/tiling.h), a line each.
#define ASCENDC_CPU_DATA_TYPES(ROW)                                                                                      \
    ROW(FLOAT, 0)                                                                                                        \
    ROW(FLOAT16, 1)                                                                                                      \
    ROW(INT8, 2)                                                                                                         \
    ROW(INT32, 3)                                                                                                        \
    ROW(UINT8, 4)                                                                                                        \
    ROW(INT16, 6)                                                                                                        \
    ROW(UINT16, 7)                                                                                                       \
    ROW(UINT32, 8)                                                                                                       \
    ROW(INT64, 9)                                                                                                        \
    ROW(UINT64, 10)                                                                                                      \
    ROW(DOUBLE, 11)                                                                                                      \
    ROW(BOOL, 12)                                                                                                        \
    ROW(STRING, 13)                                                                                                      \
    ROW(COMPLEX64, 16)                                                                                                   \
    ROW(COMPLEX128, 17)                                                                                                  \
    ROW(QINT8, 18)                                                                                                       \
    ROW(QINT16, 19)                                                                                                      \
    ROW(QINT32, 20)                                                                                                      \
    ROW(QUINT8, 21)                                                                                                      \
    ROW(QUINT16, 22)                                                                                                     \
    ROW(BF16, 27)                                                                                                        \
    ROW(UNDEFINED, 28)                                                                                                   \
    ROW(INT4, 29)                                                                                                        \
    ROW(UINT1, 30)                                                                                                       \
    ROW(INT2, 31)                                                                                                        \
    ROW(UINT2, 32)                                                                                                       \
    ROW(COMPLEX32, 33)

// Those that tensors of an operator have (metadef, graph/types.h), a line each.
#define ASCENDC_CPU_FORMATS(ROW)                                                                                         \
    ROW(NCHW, 0)                                                                                                         \
    ROW(NHWC, 1)                                                                                                         \
    ROW(ND, 2)                                                                                                           \
    ROW(NC1HWC0, 3)                                                                                                      \
    ROW(FRACTAL_Z, 4)                                                                                                    \
    ROW(NC1HWC0_C04, 12)                                                                                                 \
    ROW(CHWN, 14)                                                                                                        \
    ROW(HWCN, 16)                                                                                                        \
    ROW(NDHWC, 27)                                                                                                       \
    ROW(FRACTAL_NZ, 29)                                                                                                  \
    ROW(NCDHW, 30)                                                                                                       \
    ROW(DHWCN, 31)                                                                                                       \
    ROW(NDC1HWC0, 32)                                                                                                    \
    ROW(FRACTAL_Z_3D, 33)                                                                                                \
    ROW(CN, 34)                                                                                                          \
    ROW(NC, 35)                                                                                                          \
    ROW(DHWNC, 36)                                                                                                       \
    ROW(NCL, 47)

// These and those that no tensor here has.
#define ASCENDC_CPU_CONSTANT(Name, number) C_DT_##Name = number,
enum C_DataType {
    ASCENDC_CPU_DATA_TYPES(ASCENDC_CPU_CONSTANT)
    C_DT_DUAL_SUB_INT8 = 14, C_DT_DUAL_SUB_UINT8 = 15, C_DT_RESOURCE = 23, C_DT_STRING_REF = 24, C_DT_DUAL = 25, C_DT_VARIANT = 26,
    C_DT_HIFLOAT8 = 34, C_DT_FLOAT8_E5M2 = 35, C_DT_FLOAT8_E4M3FN = 36, C_DT_FLOAT8_E8M0 = 37, C_DT_FLOAT6_E3M2 = 38,
    C_DT_FLOAT6_E2M3 = 39, C_DT_FLOAT4_E2M1 = 40, C_DT_FLOAT4_E1M2 = 41, C_DT_MAX = 42,
};
#undef ASCENDC_CPU_CONSTANT
#define ASCENDC_CPU_CONSTANT(Name, number) C_FORMAT_##Name = number,
enum C_Format {
    ASCENDC_CPU_FORMATS(ASCENDC_CPU_CONSTANT)
    C_FORMAT_NC1C0HWPAD = 5, C_FORMAT_NHWC1C0 = 6, C_FORMAT_FSR_NCHW = 7, C_FORMAT_FRACTAL_DECONV = 8,
    C_FORMAT_C1HWNC0 = 9, C_FORMAT_FRACTAL_DECONV_TRANSPOSE = 10, C_FORMAT_FRACTAL_DECONV_SP_STRIDE_TRANS = 11,
    C_FORMAT_FRACTAL_Z_C04 = 13, C_FORMAT_FRACTAL_DECONV_SP_STRIDE8_TRANS = 15, C_FORMAT_NC1KHKWHWC0 = 17,
    C_FORMAT_BN_WEIGHT = 18, C_FORMAT_FILTER_HWCK = 19, C_FORMAT_HASHTABLE_LOOKUP_LOOKUPS = 20,
    C_FORMAT_HASHTABLE_LOOKUP_KEYS = 21, C_FORMAT_HASHTABLE_LOOKUP_VALUE = 22, C_FORMAT_HASHTABLE_LOOKUP_OUTPUT = 23,
    C_FORMAT_HASHTABLE_LOOKUP_HITS = 24, C_FORMAT_C1HWNCoC0 = 25, C_FORMAT_MD = 26, C_FORMAT_FRACTAL_ZZ = 28,
    C_FORMAT_FRACTAL_Z_3D_TRANSPOSE = 37, C_FORMAT_FRACTAL_ZN_LSTM = 38, C_FORMAT_FRACTAL_Z_G = 39,
    C_FORMAT_RESERVED = 40, C_FORMAT_ALL = 41, C_FORMAT_NULL = 42, C_FORMAT_ND_RNN_BIAS = 43,
    C_FORMAT_FRACTAL_ZN_RNN = 44, C_FORMAT_NYUV = 45, C_FORMAT_NYUV_A = 46, C_FORMAT_FRACTAL_Z_WINO = 48,
    C_FORMAT_C1HWC0 = 49, C_FORMAT_FRACTAL_NZ_C0_16 = 50, C_FORMAT_FRACTAL_NZ_C0_32 = 51,
    C_FORMAT_END = 52, C_FORMAT_MAX = 0xff,
};
#undef ASCENDC_CPU_CONSTANT

#endif
