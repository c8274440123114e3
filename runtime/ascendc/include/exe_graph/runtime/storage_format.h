// The format of a tensor as it was made, and as it is stored (metadef, exe_graph/runtime/storage_format.h). A launch has public formats
// only, so that both are one.
#ifndef ASCENDC_CPU_EXE_GRAPH_STORAGE_FORMAT_H
#define ASCENDC_CPU_EXE_GRAPH_STORAGE_FORMAT_H

#include <memory>

#include "graph/types.h"

namespace gert {
struct StorageFormat {
public:
    StorageFormat() = default;
    ge::Format GetOriginFormat() const { return origin_format_; }
    void SetOriginFormat(const ge::Format origin_format) { origin_format_ = origin_format; }
    ge::Format GetStorageFormat() const { return storage_format_; }
    void SetStorageFormat(const ge::Format storage_format) { storage_format_ = storage_format; }
    bool operator==(const StorageFormat &other) const
    {
        return origin_format_ == other.origin_format_ && storage_format_ == other.storage_format_;
    }
    bool operator!=(const StorageFormat &other) const { return !(*this == other); }

private:
    ge::Format origin_format_ = ge::FORMAT_ND;
    ge::Format storage_format_ = ge::FORMAT_ND;
};
} // namespace gert

#endif
