// The current device, for as long as a guard lives.
#ifndef JUMAR_TESTS_DEVICE_GUARD_H
#define JUMAR_TESTS_DEVICE_GUARD_H

#include <ATen/ATen.h>

namespace c10 {
class DeviceGuard {
public:
    explicit DeviceGuard(Device device);
    ~DeviceGuard();
};
} // namespace c10

#endif // JUMAR_TESTS_DEVICE_GUARD_H
