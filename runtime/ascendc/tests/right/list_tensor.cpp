// A list of two tensors with two and three axes, as a dynamic input has it.
// scratch list: 128
// gm x: float[8] = 1 2 3
// gm y: int32_t[24] = iota
// alone: it includes a header that others do not
#include "check.h"
#include "kernel_operator_list_tensor_intf.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k(GM_ADDR list, GM_ADDR x, GM_ADDR y)
{
    __gm__ uint64_t *words = reinterpret_cast<__gm__ uint64_t *>(list);
    const uint64_t all[] = {64, 2, 2, 4, 3 | uint64_t(1) << 32, 2, 3, 4, reinterpret_cast<uint64_t>(x), reinterpret_cast<uint64_t>(y)};
    for (int i = 0; i < 10; ++i) {
        words[i] = all[i];
    }
    ListTensorDesc tensors(reinterpret_cast<__gm__ void *>(list));
    Expect(tensors.GetSize(), 2);
    Expect(tensors.GetDataPtr<__gm__ uint8_t>(0) == x, true);
    uint64_t shape[8] = {};
    TensorDesc<int32_t> desc;
    desc.SetShapeAddr(shape);
    tensors.GetDesc(desc, 1);
    Expect(desc.GetDim(), 3);
    Expect(desc.GetIndex(), 1);
    Expect(desc.GetShape(0), 2);
    Expect(shape[2], 4);
    Expect(desc.GetDataObj().GetValue(23), 23);
    TensorDesc<float> first;
    tensors.GetDesc(first, 0);
    Expect(first.GetShape(1), 4);
    Expect(first.GetDataPtr()[2], 3.0f);
}
