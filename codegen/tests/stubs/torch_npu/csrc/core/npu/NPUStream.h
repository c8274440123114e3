// Streams of torch_npu.
#ifndef JUMAR_TESTS_NPU_STREAM_H
#define JUMAR_TESTS_NPU_STREAM_H

#include "acl/acl.h"

namespace c10_npu {
class NPUStream {
public:
    aclrtStream stream(const bool need_empty) const;
};
NPUStream getCurrentNPUStream();
} // namespace c10_npu

#endif // JUMAR_TESTS_NPU_STREAM_H
