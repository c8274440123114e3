#include "ascendc/adv_transform.h"

#include "advanced.h"

namespace ascendc_cpu {
namespace {
void CheckShapes(const char *op, const Shapes &shapes, uint32_t axis, uint32_t size)
{
    const auto &[dst, src] = shapes;
    const uint64_t elements = uint64_t(src[0]) * src[1];
    if (elements == 1 || elements == uint64_t(dst[0]) * dst[1]) {
        return;
    }
    if (src[axis] != 1 || src[1 - axis] != dst[1 - axis]) {
        Fault("arg", "%s: srcShape is %u, %u and dstShape %u, %u: they are equal but on axis %u, where the source has 1", op, src[0], src[1],
            dst[0], dst[1], axis);
    }
    // Bytes are made wide before.
    const uint32_t block = BLOCK / (size == 1 ? 2 : size);
    if (axis == 0 && src[1] % block != 0) {
        Fault("arg", "%s: a row that is repeated has %u elements, which are no whole data blocks; a multiple of %u is allowed", op, src[1],
            block);
    }
    if (axis == 1 && config().arch == 2002 && src[0] % block != 0) {
        Fault("arg", "%s: a column that is repeated has %u elements, which are no whole data blocks on this chip; a multiple of %u is allowed",
            op, src[0], block);
    }
}
} // namespace

void BroadcastAxis(const char *op, const Local &dst, const Local &src, const Shapes &shapes, uint32_t axis, const Local *tmp)
try {
    Core &core = EnterInstruction();
    const uint32_t size = SizeOf(dst.type);
    CheckShapes(op, shapes, axis, size);
    const uint64_t results = uint64_t(shapes.dst[0]) * shapes.dst[1] * size;
    const uint64_t elements = uint64_t(shapes.src[0]) * shapes.src[1] * size;
    CheckLocal(core, op, "dstLocal", dst, results, BLOCK);
    CheckLocal(core, op, "srcLocal", src, elements, BLOCK);
    const BroadcastNeeds needs = BroadcastSpace(shapes.dst, shapes.src, size, config().arch == 2002);
    const Local space = TakeSpace(core, op, "GetBroadCastMaxMinTmpSize", tmp, needs.least, needs.most);
    RefuseOverlap(op, {"dstLocal", dst, results}, {"srcLocal", src, elements});
    RefuseOverlap(op, {"sharedTmpBuffer", space, space.bytes}, {"srcLocal", src, elements});
    RefuseOverlap(op, {"sharedTmpBuffer", space, space.bytes}, {"dstLocal", dst, results});
    const auto describe = [&](Accesses &accesses) {
        accesses.Read(src, 0, elements);
        accesses.Write(dst, 0, results);
        accesses.Write(space, 0, space.bytes);
        DescribeCall(accesses, src.type,
            {{"dst", dst.at}, {"src", src.at}, {"tmp", space.at}, {"tmp_bytes", GivenSpace(core, tmp)}, {"rows", shapes.dst[0]},
                {"row", shapes.dst[1]}, {"src_rows", shapes.src[0]}, {"src_row", shapes.src[1]}, {"axis", axis}});
    };
    core.pipes.Issue(core, Pipe::V, op, describe, [=, &core] {
        Memory &ub = core.memory(Space::UB);
        const auto &[to_shape, from_shape] = shapes;
        for (uint32_t row = 0; row < to_shape[0]; ++row) {
            for (uint32_t column = 0; column < to_shape[1]; ++column) {
                // A source of all of dst may have another shape.
                const uint32_t index = row * to_shape[1] + column;
                const uint32_t element = elements == results ? index
                    : (from_shape[0] == 1 ? 0 : row) * from_shape[1] + (from_shape[1] == 1 ? 0 : column);
                const uint32_t from = src.at + element * size;
                const uint32_t to = dst.at + index * size;
                std::memcpy(ub.data(to), ub.data(from), size);
                ub.IsValid(from, size) ? ub.MarkValid(to, size) : ub.MarkPoison(to, size);
            }
        }
        ub.MarkPoison(space.at, space.bytes);
    });
} catch (const LeftOut &) {
}

void BroadcastByTiling()
{
    Enter();
    Mistake("arg", "Broadcast: the form with a BroadcastTiling is of later chips and does nothing on this one; call Broadcast<T, dim, axis>");
}

void FillGlobal(const Global &dst, uint64_t count, Scalar value)
try {
    Core &core = EnterInstruction();
    const uint32_t size = SizeOf(dst.type);
    if (CheckGlobal(core, "InitOutput", "gmWorkspaceAddr", dst.at, count * size, true) == nullptr) {
        return;
    }
    core.pipes.Issue(
        core, Pipe::MTE3, "InitOutput", [&](Accesses &accesses) { accesses.WriteGlobal(dst.at, count * size); },
        [=] {
            for (uint64_t i = 0; i < count; ++i) {
                std::memcpy(reinterpret_cast<uint8_t *>(dst.at) + i * size, &value.bits, size);
            }
            MarkGlobal(dst.at, count * size);
        });
} catch (const LeftOut &) {
}
} // namespace ascendc_cpu
