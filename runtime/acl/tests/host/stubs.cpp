// A library of kernels with their stubs, as `ascendc_library(.. SHARED ..)` makes one; the kernels are functions of the host.
#include "acl/acl.h"

namespace {
struct Bump {
    int32_t *x;
    uint32_t count;
    int32_t by;
};
void DoBump(void *given)
{
    const auto *const bump = static_cast<Bump *>(given);
    for (uint32_t i = 0; i < bump->count; ++i) {
        bump->x[i] += bump->by;
    }
    delete bump;
}
uint32_t Queue(aclrtStream stream, Bump bump)
{
    auto *const given = new Bump(bump);
    const aclError error = aclrtLaunchHostFunc(stream, DoBump, given);
    if (error != ACL_SUCCESS) {
        delete given;
    }
    return static_cast<uint32_t>(error);
}
} // namespace

struct TilingData {
    uint32_t count;
    int32_t by;
    int64_t times;
};

extern "C" {
uint32_t aclrtlaunch_bump(uint32_t blocks, aclrtStream stream, void *x, uint32_t count)
{
    return Queue(stream, {static_cast<int32_t *>(x), count, static_cast<int32_t>(blocks)});
}
// A tensor that may be left out, and a structure by value.
uint32_t aclrtlaunch_tiled(uint32_t, aclrtStream stream, void *x, void *left_out, TilingData tiling)
{
    if (left_out != nullptr) {
        return 107000;
    }
    return Queue(stream, {static_cast<int32_t *>(x), tiling.count, tiling.by * static_cast<int32_t>(tiling.times)});
}
uint32_t aclrtlaunch_nothing(uint32_t, aclrtStream)
{
    return 0;
}
}
