// Questions about types, and tuples (asc-devkit, include/utils/std): those of the standard library, with half as a floating-point type.
#ifndef ASCENDC_CPU_TRAITS_H
#define ASCENDC_CPU_TRAITS_H

#include "ascendc/types.h"

#include <tuple>
#include <type_traits>
#include <utility>

namespace AscendC {
namespace Std {
template <typename T, typename U>
ASCENDC_API constexpr auto max(const T &a, const U &b)
{
    return a > b ? a : static_cast<T>(b);
}
template <typename T, typename U>
ASCENDC_API constexpr auto min(const T &a, const U &b)
{
    return a < b ? a : static_cast<T>(b);
}
using std::add_const;
using std::add_const_t;
using std::add_cv;
using std::add_cv_t;
using std::add_lvalue_reference;
using std::add_lvalue_reference_t;
using std::add_pointer;
using std::add_pointer_t;
using std::add_rvalue_reference;
using std::add_rvalue_reference_t;
using std::add_volatile;
using std::add_volatile_t;
using std::bool_constant;
using std::conditional;
using std::conditional_t;
using std::decay;
using std::decay_t;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::forward;
using std::get;
using std::index_sequence;
using std::integer_sequence;
using std::integral_constant;
using std::is_array;
using std::is_array_v;
using std::is_base_of;
using std::is_base_of_v;
using std::is_class;
using std::is_class_v;
using std::is_const;
using std::is_const_v;
using std::is_convertible;
using std::is_convertible_v;
using std::is_function;
using std::is_function_v;
using std::is_integral;
using std::is_integral_v;
using std::is_pointer;
using std::is_pointer_v;
using std::is_reference;
using std::is_reference_v;
using std::is_same;
using std::is_same_v;
using std::is_union;
using std::is_union_v;
using std::is_void;
using std::is_void_v;
using std::make_index_sequence;
using std::make_integer_sequence;
using std::make_tuple;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_extent;
using std::remove_extent_t;
using std::remove_pointer;
using std::remove_pointer_t;
using std::remove_reference;
using std::remove_reference_t;
using std::remove_volatile;
using std::remove_volatile_t;
using std::tie;
using std::true_type;
using std::tuple;
using std::tuple_element;
using std::tuple_size;
template <typename T>
struct is_floating_point : std::bool_constant<std::is_floating_point_v<T> || std::is_same_v<std::remove_cv_t<T>, half>> {};
template <typename T>
constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <typename T>
using remove_cvref_t = std::remove_cv_t<std::remove_reference_t<T>>;
template <typename T>
struct remove_cvref {
    using type = remove_cvref_t<T>;
};
template <typename T, typename... Us>
struct is_one_of : std::bool_constant<(std::is_same_v<T, Us> || ...)> {};
template <typename T, typename... Us>
constexpr bool is_one_of_v = is_one_of<T, Us...>::value;
template <typename T>
struct is_tuple : std::false_type {};
template <typename... Ts>
struct is_tuple<std::tuple<Ts...>> : std::true_type {};
template <typename T>
constexpr bool is_tuple_v = is_tuple<T>::value;
} // namespace Std

template <bool condition, typename T, typename F>
using Conditional = std::conditional<condition, T, F>;

template <typename T, typename U>
constexpr bool IsSameType_v = std::is_same<T, U>::value;
template <typename T, typename U>
struct IsSameType {
    static constexpr bool value = std::is_same<T, U>::value;
};
} // namespace AscendC

#endif
