// A list of one tensor has no second one.
// scratch list: 64
// expect: fault bounds: there is no tensor 1 in the list
// alone: it includes a header that others do not
#include "check.h"
#include "kernel_operator_list_tensor_intf.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR list)
{
    __gm__ uint64_t *words = reinterpret_cast<__gm__ uint64_t *>(list);
    words[0] = 24;
    words[1] = 1;
    words[2] = 8;
    words[3] = reinterpret_cast<uint64_t>(list);
    ListTensorDesc tensors(reinterpret_cast<__gm__ void *>(list));
    Expect(tensors.GetSize(), 1);
    tensors.GetDataPtr<float>(1); // <-- here
}
