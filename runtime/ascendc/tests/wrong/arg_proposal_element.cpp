// A proposal has six elements that can be set.
// chip: ascend310p3
// expect: fault arg: modeNumber is 6, allowed are 0 (x1) to 5 (label)
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    LocalTensor<half> a(TPosition::VECCALC, 0, 128);
    LocalTensor<half> b(TPosition::VECCALC, 256, 16);
    ProposalConcat(a, b, 1, 6); // <-- here
}
