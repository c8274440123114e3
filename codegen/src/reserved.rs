//! Tables of names that an emitted identifier may not have.

/// Words that no identifier may be: keywords of C++20, macros, and types and namespaces that the
/// texts use. Sorted.
#[rustfmt::skip]
pub(crate) const RESERVED: &[&str] = &[
    "acl", "alignas", "alignof", "and", "and_eq", "asm", "assert", "auto", "bf16", "bfloat16_t", "bitand", "bitor",
    "block_idx", "block_num", "bool", "break", "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class",
    "co_await", "co_return", "co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr", "constinit",
    "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "errno", "event_t",
    "explicit", "export", "extern", "false", "fe", "final", "float", "float16_t", "for", "friend", "ge", "gert", "goto", "half",
    "i386", "if", "inline", "int", "int16_t", "int32_t", "int4b_t", "int64_t", "int8_t", "linux", "long", "math_errhandling",
    "mem_t", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "ops", "optiling", "or",
    "or_eq", "override", "pipe_t", "platform_ascendc", "private", "protected", "public", "register", "reinterpret_cast", "requires", "return",
    "short", "signed", "size_t", "sizeof", "sqrt", "static", "static_assert", "static_cast", "std", "stderr", "stdin",
    "stdout", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid",
    "typename", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "union", "unix", "unsigned", "using", "virtual", "void",
    "volatile", "wchar_t", "while", "xor", "xor_eq",
];

/// Functions of the C library, and macros with arguments. A local may hide them, but a C symbol may
/// not have their name. Mathematical functions stand for their variants (`exp` for `expf`, `expl`,
/// `expf64`).
#[rustfmt::skip]
pub(crate) const LIBRARY: &[&str] = &[
    "a64l", "abort", "abs", "acos", "acosh", "aligned_alloc", "alloca", "arc4random", "arc4random_buf", "arc4random_uniform",
    "asin", "asinh", "asprintf", "ascendc_assert", "assert", "assert_perror", "at_quick_exit", "atan", "atan2", "atanh", "atexit", "atof",
    "atoi", "atol", "atoll", "basename", "bcmp", "bcopy", "be16toh", "be32toh", "be64toh", "bsearch", "bzero", "calloc",
    "canonicalize", "canonicalize_file_name", "cbrt", "ceil", "clearenv", "clearerr", "close", "copysign", "cos", "cosh",
    "ctermid", "cuserid", "daddl", "dcci", "ddivl", "dfmal", "div", "dmull", "dprintf", "drand48", "drem", "dsqrtl", "dsubl",
    "ecvt", "erand48", "erf", "erfc", "exit", "exp", "exp10", "exp2", "explicit_bzero", "expm1", "fabs", "fadd", "fclose",
    "fcloseall", "fcvt", "fdim", "fdiv", "fdopen", "feof", "ferror", "fflush", "ffma", "ffs", "fgetc", "fgetpos", "fgets",
    "fileno", "finite", "flockfile", "floor", "fma", "fmax", "fmaximum", "fmaximum_mag", "fmaximum_mag_num", "fmaximum_num",
    "fmaxmag", "fmemopen", "fmin", "fminimum", "fminimum_mag", "fminimum_mag_num", "fminimum_num", "fminmag", "fmod", "fmul",
    "fopen", "fopencookie", "fpclassify", "fprintf", "fputc", "fputs", "fread", "free", "freopen", "frexp", "fromfp",
    "fromfpx", "fscanf", "fseek", "fseeko", "fsetpos", "fsqrt", "fsub", "ftell", "ftello", "ftrylockfile", "funlockfile",
    "fwrite", "gamma", "gcvt", "getc", "getchar", "getdelim", "getenv", "getline", "getloadavg", "getpayload", "getpt",
    "getsubopt", "getw", "grantpt", "htobe16", "htobe32", "htobe64", "htole16", "htole32", "htole64", "htonl", "htons",
    "hypot", "ilogb", "index", "initstate", "iscanonical", "iseqsig", "isfinite", "isgreater", "isgreaterequal", "isinf",
    "isless", "islessequal", "islessgreater", "isnan", "isnormal", "issignaling", "issubnormal", "isunordered", "iszero",
    "j0", "j1", "jn", "jrand48", "l64a", "labs", "lcong48", "ldexp", "ldiv", "le16toh", "le32toh", "le64toh", "lgamma",
    "link", "llabs", "lldiv", "llogb", "llrint", "llround", "log", "log10", "log1p", "log2", "logb", "longjmp", "lrand48",
    "lrint", "lround", "main", "major", "makedev", "malloc", "max", "mblen", "mbstowcs", "mbtowc", "memccpy", "memchr",
    "memcmp", "memcpy", "memfrob", "memmem", "memmove", "mempcpy", "memrchr", "memset", "min", "minor", "mkdtemp",
    "mkostemp", "mkostemps", "mkstemp", "mkstemps", "mktemp", "modf", "mrand48", "nan", "nearbyint", "nextafter", "nextdown",
    "nexttoward", "nextup", "nrand48", "ntohl", "ntohs", "obstack_printf", "obstack_vprintf", "offsetof", "on_exit", "open",
    "open_memstream", "pclose", "perror", "pipe", "pipe_barrier", "popen", "posix_memalign", "posix_openpt", "pow", "printf",
    "pselect", "ptsname", "putc", "putchar", "putenv", "puts", "putw", "qecvt", "qfcvt", "qgcvt", "qsort", "quick_exit",
    "rand", "random", "rawmemchr", "read", "realloc", "reallocarray", "realpath", "remainder", "remove", "remquo", "rename",
    "renameat", "renameat2", "rewind", "rindex", "rint", "round", "roundeven", "rpmatch", "scalb", "scalbln", "scalbn",
    "scanf", "secure_getenv", "seed48", "select", "set_flag", "setbuf", "setbuffer", "setenv", "setjmp", "setlinebuf",
    "setpayload", "setpayloadsig", "setstate", "setvbuf", "sigabbrev_np", "sigdescr_np", "signal", "signbit", "significand",
    "sin", "sincos", "sinh", "snprintf", "sprintf", "sqrt", "srand", "srand48", "srandom", "sscanf", "stpcpy", "stpncpy",
    "strcasecmp", "strcasestr", "strcat", "strchr", "strchrnul", "strcmp", "strcoll", "strcpy", "strcspn", "strdup",
    "strdupa", "strerror", "strerrordesc_np", "strerrorname_np", "strfrom", "strfromd", "strfry", "strlen", "strncasecmp",
    "strncat", "strncmp", "strncpy", "strndup", "strndupa", "strnlen", "strpbrk", "strrchr", "strsep", "strsignal", "strspn",
    "strstr", "strto", "strtod", "strtok", "strtol", "strtoll", "strtoq", "strtoul", "strtoull", "strtouq", "strverscmp",
    "strxfrm", "system", "tan", "tanh", "tempnam", "tgamma", "time", "tmpfile", "tmpnam", "totalorder", "totalordermag",
    "trunc", "ufromfp", "ufromfpx", "ungetc", "unlockpt", "unsetenv", "va_arg", "va_copy", "va_end", "va_start", "valloc",
    "vasprintf", "vdprintf", "vfprintf", "vfscanf", "vprintf", "vscanf", "vsnprintf", "vsprintf", "vsscanf", "wait_flag",
    "wcstombs", "wctomb", "write", "y0", "y1", "yn",
];

/// Names that kernel_tiling.h and the host headers of the toolkit declare in the scopes of our
/// names: in no namespace, in `ops`, and in a class of an operator.
#[rustfmt::skip]
pub(crate) const TOOLKIT_TYPES: &[&str] = &[
    "LogSoftMaxTiling", "SoftMaxTiling", "TConv3DApiTiling", "TConv3DBpFilterTiling", "Conv3DBpFilterParams",
    "TConv3DBpFilterBasicBlockTiling", "Conv3DBackpropFilterTilingData", "TConv3DBackpropInputTiling",
    "Conv3DBackpropInputTilingData", "Mc2ServerCfg", "Mc2HcommCfg", "Mc2InitTiling", "Mc2CcTiling", "TCubeTiling",
    "BatchNormTiling", "DeepNormTiling", "GroupNormTiling", "LayerNormGradBetaTiling", "LayerNormGradTiling", "LayerNormTiling",
    "LayerNormSeparateTiling", "RmsNormTiling", "UnPadTiling", "PadTiling", "TopkTiling", "ConfusionTransposeTiling",
    "OpDef", "OpParamDef", "OpParamTrunk", "OpAttrDef", "OpAICoreDef", "OpAICoreConfig", "OpMC2Def", "OpDefFactory",
    // Functions of OpDef, which a class of that name would hide.
    "Input", "Output", "Attr", "Comment", "SetInferShape", "SetInferShapeRange", "SetInferDataType", "SetGetSupport", "AICore",
    "EnableFallBack", "FormatCheckSupport",
];

/// Names that an attribute of an operator may not have. The operator build writes a Python function
/// with the attributes as parameters, and refuses its keywords and variables. It also writes a C
/// function, where attributes are beside other parameters.
#[rustfmt::skip]
pub(crate) const OPERATOR_ATTRS: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except", "finally",
    "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try",
    "while", "with", "yield", "False", "None", "True", "arg", "options", "bisheng", "src", "result", "attr", "os", "shutil",
    "isinstance", "json", "re", "sys", "ctypes", "platform", "msg",
    "workspaceSize", "executor",
];

/// Parameters of the C function of an operator, besides those for its tensors and attributes.
pub(crate) const OPERATOR_PARAMS: &[&str] = &["workspaceSize", "executor"];
