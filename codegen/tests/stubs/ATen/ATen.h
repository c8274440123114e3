// What emitted extensions ask of PyTorch: types and signatures without content, for tests that compile them.
#ifndef JUMAR_TESTS_ATEN_H
#define JUMAR_TESTS_ATEN_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace c10 {
template <typename T>
using optional = std::optional<T>;
using string_view = std::string_view;

enum class DeviceType { CPU, PrivateUse1, Meta };
struct Device {
    DeviceType type;
    bool operator==(const Device &other) const { return type == other.type; }
};

enum class ScalarType { Byte, Char, Short, Int, Long, Half, Float, Bool, BFloat16, UInt16, UInt32 };

template <typename T>
class ArrayRef {
public:
    size_t size() const;
    const T &operator[](size_t at) const;
    std::vector<T> vec() const;
};
} // namespace c10

namespace at {
using c10::ArrayRef;
using c10::ScalarType;
using IntArrayRef = ArrayRef<int64_t>;

constexpr ScalarType kByte = ScalarType::Byte;
constexpr ScalarType kChar = ScalarType::Char;
constexpr ScalarType kShort = ScalarType::Short;
constexpr ScalarType kInt = ScalarType::Int;
constexpr ScalarType kLong = ScalarType::Long;
constexpr ScalarType kHalf = ScalarType::Half;
constexpr ScalarType kFloat = ScalarType::Float;
constexpr ScalarType kBool = ScalarType::Bool;
constexpr ScalarType kBFloat16 = ScalarType::BFloat16;
constexpr ScalarType kUInt16 = ScalarType::UInt16;
constexpr ScalarType kUInt32 = ScalarType::UInt32;
constexpr c10::DeviceType kPrivateUse1 = c10::DeviceType::PrivateUse1;

class TensorOptions {
public:
    TensorOptions dtype(ScalarType type) const;
    TensorOptions device(c10::DeviceType type) const;
};

class Tensor {
public:
    Tensor();
    bool defined() const;
    bool is_contiguous() const;
    Tensor contiguous() const;
    c10::Device device() const;
    ScalarType scalar_type() const;
    IntArrayRef sizes() const;
    TensorOptions options() const;
    void *data_ptr() const;
};
using TensorList = ArrayRef<Tensor>;

Tensor empty(const std::vector<int64_t> &sizes, const TensorOptions &options);
} // namespace at

namespace jumar_tests {
template <typename... Parts>
void check(bool holds, const Parts &...parts);
} // namespace jumar_tests
#define TORCH_CHECK(holds, ...) jumar_tests::check(holds, __VA_ARGS__)

#endif // JUMAR_TESTS_ATEN_H
