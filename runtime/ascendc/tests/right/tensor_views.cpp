// Sub-tensors, reinterpretation, elements, static tensors and the allocator.
#include "check.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void k()
{
    LocalTensor<int32_t> placed(TPosition::VECCALC, 4096, 64);
    for (int i = 0; i < 64; ++i) {
        placed.SetValue(i, i * 3);
    }
    Expect(placed[8].GetValue(2), 30);
    Expect(placed[8].GetSize(), 56);
    Expect(placed.ReinterpretCast<int16_t>().GetValue(2), 3);
    Expect(placed.ReinterpretCast<int16_t>().GetSize(), 128);
    placed(5) = -7;
    Expect(placed.GetValue(5), -7);
    Expect(placed.GetPhyAddr()[6], 18);
    Expect(placed.GetPhyAddr(6)[0], 18);
    LocalMemAllocator<Hardware::UB> allocator;
    LocalTensor<half> a = allocator.Alloc<TPosition::VECIN, half>(20);
    LocalTensor<float> b = allocator.Alloc<float, 8>();
    Expect(allocator.GetCurAddr(), 96);
    a.SetValue(0, half(1.5f));
    b.SetValue(0, 2);
    Expect(a.GetValue(0), 1.5f);
    Expect(b.GetValue(0), 2.0f);
    placed.SetUserTag(9);
    Expect(placed.GetUserTag(), 9);
    placed.SetSize(4);
    Expect(placed.GetSize(), 4);
}
