// A call with template arguments, in a class template, of a function that only the namespace of its arguments has: the device compiler
// finds it, and g++ from C++20 on. The compile is repeated in that standard.
// alone: the standard is of the whole compile
// gm x: float[64] = 1
// gm y: float[8] out
// expect y: 64
#include "kernel_operator.h"

template <typename T>
class Total {
public:
    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y)
    {
        AscendC::GlobalTensor<T> gx, gy;
        gx.SetGlobalBuffer((__gm__ T *)x, 64);
        gy.SetGlobalBuffer((__gm__ T *)y, 8);
        pipe.InitBuffer(buffer, 1024);
        AscendC::LocalTensor<T> a = buffer.template Get<T>();
        AscendC::LocalTensor<T> sum = a[64];
        AscendC::LocalTensor<T> work = a[128];
        DataCopy(a, gx, 64);
        AscendC::Duplicate(sum, static_cast<T>(0), 8);
        AscendC::PipeBarrier<PIPE_ALL>();
        ReduceSum<T>(sum, a, work, 64);
        AscendC::PipeBarrier<PIPE_ALL>();
        DataCopy(gy, sum, 8);
    }

private:
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
};

extern "C" __global__ __aicore__ void total(GM_ADDR x, GM_ADDR y)
{
    Total<float> op;
    op.Run(x, y);
}
