// The toolkit adds a tail of the first data block to the one in front of it.
// expect: fault arg: CreateVecIndex: mask is 7; with fewer elements than a data block has (8) it adds to what lies in front of dst
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 512);
    LocalTensor<float> a = buf.Get<float>();
    CreateVecIndex(a, 1.0f, uint64_t(7), uint8_t(1), uint16_t(1), uint8_t(8)); // <-- here
}
