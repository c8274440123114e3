// Tiling data through GM, by structure and by the default one; the key chooses.
// scratch workspace: 64
// gm tiling: int32_t[2] = 258 0
#include "check.h"
using namespace AscendC;

struct Tiling {
    int64_t rows;
};
REGISTER_TILING_DEFAULT(Tiling);

extern "C" __global__ __aicore__ void k(GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(data, tiling);
    Expect(data.rows, 258);
    GET_TILING_DATA_WITH_STRUCT(Tiling, same, tiling);
    Expect(same.rows, 258);
    GET_TILING_DATA_MEMBER(Tiling, rows, rows, tiling);
    Expect(rows, 258);
    GET_TILING_DATA_PTR_WITH_STRUCT(Tiling, pointer, tiling);
    Expect(pointer->rows, 258);
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    KERNEL_TASK_TYPE(0, KERNEL_TYPE_AIV_ONLY);
    if (TILING_KEY_IS(0)) {
        Expect(DT_FLOAT16, 1);
    } else if (TILING_KEY_IS(1)) {
        Expect(0, 1);
    }
    GlobalTensor<float> gw;
    gw.SetGlobalBuffer((__gm__ float *)GetUserWorkspace(workspace), 16);
    Expect(gw.GetSize(), 16);
    SetSysWorkspace(workspace);
    Expect(GetSysWorkSpacePtr() == workspace, true);
}
