// kernel_operator.h brings no lists of tensors, in no release.
// expect: compile: ListTensorDesc
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR list)
{
    ListTensorDesc tensors(reinterpret_cast<__gm__ void *>(list)); // <-- here
    tensors.GetSize();
}
