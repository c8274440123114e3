// The two phases of the operators of one library: what its generated entry points call.
#ifndef JUMAR_STANDIN_LIBRARY_H
#define JUMAR_STANDIN_LIBRARY_H

#include "aclnn/acl_meta.h"

#include <variant>
#include <vector>

namespace standin {
// An argument of phase one.
using Given = std::variant<const aclTensor *, const aclTensorList *, double, int64_t, bool, const char *, const aclFloatArray *, const aclIntArray *>;

aclnnStatus PhaseOne(const char *type, const char *call, const std::vector<Given> &arguments, uint64_t *workspace_size, aclOpExecutor **executor);
aclnnStatus PhaseTwo(const char *type, const char *call, void *workspace, uint64_t workspace_size, const aclOpExecutor *executor, aclrtStream stream);
} // namespace standin

#endif
