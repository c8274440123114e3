// What kernels ask of types, as the toolkit's headers answer it.
#include "check.h"
using namespace AscendC;

template <typename T>
using Wide = typename Conditional<sizeof(T) == 2, float, T>::type;
static_assert(Std::is_same_v<Wide<half>, float> && Std::is_same_v<Wide<int32_t>, int32_t>);
static_assert(Std::is_floating_point_v<half> && Std::is_floating_point<const float>::value && !Std::is_floating_point_v<int8_t>);
static_assert(Std::is_integral_v<int64_t> && Std::is_pointer_v<Std::add_pointer_t<half>> && Std::is_convertible_v<int, float>);
static_assert(Std::is_tuple_v<Std::tuple<int, float>> && Std::is_one_of_v<half, float, half> && !Std::is_one_of_v<int, float, half>);
static_assert(Std::is_same_v<Std::remove_cvref_t<const float &>, float> && Std::conditional_t<true, Std::true_type, Std::false_type>::value);
static_assert(!Std::is_same_v<half, int4b_t>);

extern "C" __global__ __aicore__ void k()
{
    WaitPreTaskEnd();
    const Std::tuple<int32_t, float> pair = Std::make_tuple(3, 0.5f);
    Expect(Std::get<0>(pair), 3);
    SetNextTaskStart<PIPE_MTE3, PIPE_FIX>();
}
