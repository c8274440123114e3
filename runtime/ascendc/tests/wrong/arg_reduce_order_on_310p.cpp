// Atlas inference products give pairs only.
// chip: ascend310p3
// expect: fault arg: WholeReduceMax: this chip gives ORDER_VALUE_INDEX and ORDER_INDEX_VALUE only
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> xBuf, dBuf;
    pipe.InitBuffer(xBuf, 512);
    pipe.InitBuffer(dBuf, 512);
    LocalTensor<float> x = xBuf.Get<float>(), d = dBuf.Get<float>();
    Duplicate(x, 1.0f, 128);
    Duplicate(d, 1.0f, 128);
    WholeReduceMax(d, x, 64, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE); // <-- here
}
