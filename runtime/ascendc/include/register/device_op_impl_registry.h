// Tiling functions that the toolkit can run on the device (register/device_op_impl_registry.h). They run on the host here.
#ifndef ASCENDC_CPU_DEVICE_OP_IMPL_REGISTRY_H
#define ASCENDC_CPU_DEVICE_OP_IMPL_REGISTRY_H

#include "exe_graph/runtime/tiling_context.h"
#include "register/op_impl_registry.h"

namespace optiling {
using SinkTilingFunc = gert::OpImplRegister::TilingFunction;

class DeviceOpImplRegister {
public:
    DeviceOpImplRegister(const char *opType) : impl_(ascendc_cpu::ImplOf(opType)) {}
    DeviceOpImplRegister &Tiling(SinkTilingFunc func)
    {
        impl_.tiling = func;
        return *this;
    }

private:
    gert::OpImplRegister &impl_;
};
} // namespace optiling

#define DEVICE_IMPL_OP_OPTILING(optype)                                                                                  \
    [[maybe_unused]] static optiling::DeviceOpImplRegister g_deviceOpImplRegister##optype = optiling::DeviceOpImplRegister(#optype)

#endif
