/* Two-phase operators: acl.h declares their functions; here are the codes that they answer (CANN's page of return codes of aclnn). */
#ifndef JUMAR_STANDIN_ACL_META_H
#define JUMAR_STANDIN_ACL_META_H

#include "acl/acl.h"

#define ACLNN_SUCCESS 0
#define ACLNN_ERR_PARAM_NULLPTR 161001
#define ACLNN_ERR_PARAM_INVALID 161002
#define ACLNN_ERR_RUNTIME_ERROR 361001
#define ACLNN_ERR_INNER 561000
#define ACLNN_ERR_INNER_TILING_ERROR 561002
#define ACLNN_ERR_INNER_FIND_KERNEL_ERROR 561003

#endif
