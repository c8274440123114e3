// What the inference of ranges asks and says (docs: gert::InferShapeRangeContext, gert::Range): for graphs whose shapes are open. A
// function that is registered for it compiles, and is not called, since of a launch all shapes are known.
#ifndef ASCENDC_CPU_EXE_GRAPH_INFER_SHAPE_RANGE_CONTEXT_H
#define ASCENDC_CPU_EXE_GRAPH_INFER_SHAPE_RANGE_CONTEXT_H

#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {
template <typename T>
class Range {
public:
    Range() = default;
    Range(T *min, T *max) : min_(min), max_(max) {}
    const T *GetMin() const { return min_; }
    const T *GetMax() const { return max_; }
    T *GetMin() { return min_; }
    T *GetMax() { return max_; }
    void SetMin(T *min) { min_ = min; }
    void SetMax(T *max) { max_ = max; }

private:
    T *min_ = nullptr;
    T *max_ = nullptr;
};

class InferShapeRangeContext : public ExtendedKernelContext {
public:
    const Range<Shape> *GetInputShapeRange(size_t) const { return nullptr; }
    const Range<Shape> *GetRequiredInputShapeRange(size_t) const { return nullptr; }
    const Range<Shape> *GetOptionalInputShapeRange(size_t) const { return nullptr; }
    const Range<Shape> *GetDynamicInputShapeRange(size_t, size_t) const { return nullptr; }
    Range<Shape> *GetOutputShapeRange(size_t) { return nullptr; }
};
} // namespace gert

#endif
