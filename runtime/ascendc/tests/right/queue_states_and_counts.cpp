// The questions that a queue answers.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    pipe.InitBuffer(in, 2, 256);
    Expect(in.HasIdleBuffer(), true);
    LocalTensor<half> a = in.AllocTensor<half>();
    Expect(a.GetSize(), 128);
    Expect(static_cast<int>(in.GetState(a)), static_cast<int>(TBufState::OCCUPIED));
    Expect(in.VacantInQue(), true);
    in.EnQue(a);
    Expect(in.VacantInQue(), false);
    Expect(in.GetTensorCountInQue(), 1);
    Expect(static_cast<int>(in.GetState(a)), static_cast<int>(TBufState::ENQUE));
    a = in.DeQue<half>();
    Expect(in.HasTensorInQue(), false);
    Expect(static_cast<int>(in.GetState(a)), static_cast<int>(TBufState::DEQUE));
    in.FreeTensor(a);
    in.FreeAllEvent();
}
