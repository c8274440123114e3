// An address that GetPhyAddr never gave.
// expect: fault bounds: an address lies outside of UB
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 64 * sizeof(float));
    LocalTensor<float> a = buffer.Get<float>();
    float outside[64] = {};
    Duplicate(a, 1.0f, 64);
    set_vector_mask(0, ~0ull);
    vcadd((__ubuf__ float *)a.GetPhyAddr(), (__ubuf__ float *)outside, 1, 1, 1, 8); // <-- here
}
