/* Part of acl.h here. */
#include "acl/acl.h"
