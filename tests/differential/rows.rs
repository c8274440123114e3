//! A kernel for each op row, element type and form: whole tensors, scalars, broadcast rows and
//! columns, the queue level.

use super::agree::{Case, Tensor};
use super::spell::write_op;
use super::strided;
use jumar::dsl::dtype::{cast_modes, DType};
use jumar::dsl::ops::{narrowed, BitOp, CompoundOp, LayoutOp, MaskOp, Op, OpDef, ScalarOp};
use jumar::dsl::soc::{Arch, Chip};

/// Makes the cases of one chip.
pub fn cases(chip: &'static Chip) -> Vec<Case> {
    let mut all = Vec::new();
    for def in Op::all() {
        if let (Op::Mask(op), Arch::V220) = (def.op, chip.arch) {
            all.push(mask_case(op, chip));
        }
        // Kernels over several axes cover the types that are for storage alone.
        for dtype in def.dtypes(chip.arch).iter().filter(|d| d.is_number()) {
            tile_cases(def, *dtype, chip, &mut all);
            if chip.arch == Arch::V220 {
                queue_cases(def, *dtype, chip, &mut all);
            }
            // Patterns and the element types of offsets differ between chips.
            if chip.arch == Arch::V220
                || matches!(
                    def.op,
                    Op::Layout(LayoutOp::GatherMask | LayoutOp::Gather) | Op::Scan(_)
                )
            {
                all.extend(strided::case(def, *dtype, chip));
            }
        }
    }
    all
}

/// Returns a scalar that no element type rounds to 0, 1 or its double.
fn scalar(dtype: DType) -> &'static str {
    if dtype.is_float() {
        "0.7"
    } else {
        "-12345"
    }
}

fn tile_cases(def: &'static OpDef, dtype: DType, chip: &'static Chip, all: &mut Vec<Case>) {
    let (x, y, w, k) = (
        "x0.at(t, ..).load()",
        "x1.at(t, ..).load()",
        "w.at(..).load()",
        "k.at(t).load()",
    );
    let s = scalar(dtype);
    let negative = format!("({s})");
    let mut add = |form: &str, value: String| all.push(rows_case(def, form, dtype, chip, &value));
    match def.op {
        Op::Binary(_) => {
            add("tensors", write_op(def, &[x, y]));
            add("scalar", write_op(def, &[x, &negative]));
            add("row", write_op(def, &[x, w]));
            add("row_first", write_op(def, &[w, x]));
            if chip.arch == Arch::V220 {
                add("column", write_op(def, &[x, k]));
                add("column_first", write_op(def, &[k, x]));
            }
        }
        Op::Unary(_) => add("tensor", write_op(def, &[x])),
        Op::Compare(_)
            if Op::by_name("select")
                .is_some_and(|op| op.def().dtypes(chip.arch).contains(&dtype)) =>
        {
            add(
                "tensors",
                format!("({}).select({x}, {y})", write_op(def, &[x, y])),
            );
            add(
                "scalar",
                format!("({}).select({y}, {s})", write_op(def, &[x, s])),
            );
        }
        // Nests have reductions of masks.
        Op::AxisReduce(op) if op.is_of_masks() => {}
        Op::AxisReduce(op) if op.is_place() => {
            add(
                "rows",
                format!(
                    "{x} + {}.cast::<f32>().cast::<{}>()",
                    write_op(def, &[x]),
                    dtype.name()
                ),
            );
        }
        Op::AxisReduce(_) => add("rows", format!("{x} + {}", write_op(def, &[x]))),
        Op::Layout(LayoutOp::Cast) => {
            for to in [
                DType::F16,
                DType::Bf16,
                DType::F32,
                DType::I32,
                DType::I16,
                DType::U8,
            ] {
                for mode in cast_modes(chip.arch, dtype, to) {
                    let mut case =
                        rows_case(def, &format!("to_{}_{mode:?}", to.name()), dtype, chip, "");
                    case.text = case.text.replace(
                        "y0: &mut GlobalTensor<_>",
                        &format!("y0: &mut GlobalTensor<{}>", to.name()),
                    );
                    case.text = case.text.replace(
                        "y0.at(t, ..).store()",
                        &format!(
                            "y0.at(t, ..).store({x}.cast_with::<{}>(RoundMode::{mode:?}))",
                            to.name()
                        ),
                    );
                    case.tensors.last_mut().expect("an output").dtype = to;
                    all.push(case);
                }
            }
        }
        // These have no tile form; the queue level shows them.
        Op::BinaryScalar(_)
        | Op::Compare(_)
        | Op::CompareScalar(_)
        | Op::Reduce(_)
        | Op::Layout(_) => {}
        // Masks have no element type; nests join them.
        Op::Mask(_) => {}
        // `tests/whole.rs` has their tile forms, for every integer type.
        Op::Bit(_) | Op::Shift(_) | Op::Scan(_) => {}
        Op::Compound(_) | Op::Partial(_) | Op::Copy(_) | Op::Scalar(_) => {}
    }
}

/// Makes a case that stores `value` with `y0.at(t, ..).store(..)`, on 37 x 333 elements or 48 x
/// 336.
fn rows_case(def: &OpDef, form: &str, dtype: DType, chip: &'static Chip, value: &str) -> Case {
    let (rows, cols) = match chip.arch {
        Arch::V220 => (37, 333),
        Arch::M200 => (48, 336),
    };
    let mut tensors = Vec::new();
    let mut params = Vec::new();
    for (name, shape, axes) in [
        ("x0", vec![rows, cols], "n, d"),
        ("x1", vec![rows, cols], "n, d"),
        ("w", vec![cols], "d"),
        ("k", vec![rows], "n"),
    ] {
        // Other tensors than x0, which gives the rows, are parameters only where the value has
        // them.
        if name == "x0" || value.contains(&format!("{name}.at(")) {
            tensors.push(Tensor {
                name: name.into(),
                dtype,
                shape,
                written: false,
            });
            params.push(format!(
                "#[shape({axes})] {name}: &GlobalTensor<{}>",
                dtype.name()
            ));
        }
    }
    tensors.push(Tensor {
        name: "y0".into(),
        dtype,
        shape: vec![rows, cols],
        written: true,
    });
    let out = if value.is_empty() { "_" } else { dtype.name() };
    params.push(format!("#[shape(n, d)] y0: &mut GlobalTensor<{out}>"));
    let text = format!(
        "#[kernel]\n#[chips({})]\npub fn sample({}) {{\n    for t in tiles(n).size(3) {{\n        y0.at(t, ..).store({value});\n    }}\n}}\n",
        chip.name,
        params.join(", ")
    );
    Case {
        name: format!("{} {form} {} {}", def.name, dtype.name(), chip.name),
        chip,
        text,
        tensors,
        attrs: Vec::new(),
        exact: false,
        seed: 1,
    }
}

fn queue_cases(def: &'static OpDef, dtype: DType, chip: &'static Chip, all: &mut Vec<Case>) {
    let name = def.name;
    let s = scalar(dtype);
    if let Op::Compound(op) = def.op {
        if op == CompoundOp::CastDequant {
            let call = format!("vec::{name}(&z, &l0, {s}, n);");
            all.push(queue_case(
                &format!("{name} queue i32 {dtype} {}", chip.name),
                chip,
                [DType::I32, dtype],
                1,
                "n",
                &call,
            ));
        }
        all.extend(narrowed(op, dtype).iter().map(|to| {
            let case = format!("{name} queue {dtype} {to} {}", chip.name);
            queue_case(
                &case,
                chip,
                [dtype, *to],
                2,
                "n",
                &format!("vec::{name}(&z, &l0, &l1, n);"),
            )
        }));
    }
    // Comparisons work on whole repeats.
    let whole = "n.div_ceil(128) * 128";
    let mut add = |form: &str, inputs: usize, stored: &str, call: String| {
        all.push(queue_case(
            &format!("{name} {form} {} {}", dtype.name(), chip.name),
            chip,
            [dtype; 2],
            inputs,
            stored,
            &call,
        ));
    };
    match def.op {
        Op::Binary(_) => add("queue", 2, "n", format!("vec::{name}(&z, &l0, &l1, n);")),
        Op::BinaryScalar(_) => add("queue", 1, "n", format!("vec::{name}(&z, &l0, {s}, n);")),
        Op::Unary(_) => add("queue", 1, "n", format!("vec::{name}(&z, &l0, n);")),
        Op::Compare(_) if dtype.is_float() => {
            add("queue", 2, "n", format!("vec::{name}(&mask, &l0, &l1, {whole});\n        vec::select(&z, &mask, &l0, &l1, n);"))
        }
        Op::CompareScalar(_) if dtype.is_float() => {
            add("queue", 2, "n", format!("vec::{name}(&mask, &l0, {s}, {whole});\n        vec::selects(&z, &mask, &l1, {s}, n);"))
        }
        Op::Reduce(_) => add("queue", 1, "1", format!("vec::{name}(&z, &l0, &work, n);")),
        Op::Layout(LayoutOp::Duplicate) => add("queue", 1, "n", format!("vec::{name}(&z, {s}, n);")),
        // The call overwrites the first data block of a vector call, and the scalar unit reads its
        // result.
        Op::Layout(LayoutOp::CreateVecIndex) => add(
            "queue",
            1,
            "n",
            format!("vec::adds(&z, &l0, {s}, n);\n        vec::{name}(&z, {s}, n);\n        let last = z.get_value(0);\n        vec::{name}(&z.at(64), last, n.min(200));"),
        ),
        Op::Layout(LayoutOp::LocalCopy) => add("queue", 1, "n", format!("vec::{name}(&z, &l0, n.div_ceil(16) * 16);")),
        Op::Layout(LayoutOp::Brcb) => add("queue", 1, "8", format!("vec::{name}(&z, &l0, 8);")),
        // The cast narrows over its own source.
        Op::Layout(LayoutOp::Cast) if dtype == DType::F32 => add(
            "in_place",
            1,
            "n",
            "let narrow = work_buf.get::<f16>();\n        vec::adds(&work, &l0, 1.5, n);\n        vec::cast(&narrow, &work, RoundMode::None, n);\n        \
             vec::cast(&z, &narrow, RoundMode::None, n);"
                .to_string(),
        ),
        // Comparisons and selections are above; casts have one more form here.
        Op::Compare(_) | Op::CompareScalar(_) | Op::AxisReduce(_) => {}
        Op::Layout(LayoutOp::Cast | LayoutOp::Select | LayoutOp::SelectScalar) => {}
        // These have no count form, or one whose other parts are in `strided`.
        Op::Layout(LayoutOp::Copy | LayoutOp::GatherMask | LayoutOp::GatherBits | LayoutOp::Gather | LayoutOp::GatherBlocks | LayoutOp::Top)
        | Op::Layout(LayoutOp::Sort32 | LayoutOp::MergeTwo | LayoutOp::MergeThree | LayoutOp::MergeFour | LayoutOp::MergeFours)
        | Op::Partial(_) => {}
        Op::Bit(BitOp::Not) => add("queue", 1, "n", format!("vec::{name}(&z, &l0, n);")),
        Op::Bit(BitOp::And | BitOp::Or) => add("queue", 2, "n", format!("vec::{name}(&z, &l0, &l1, n);")),
        Op::Scan(_) => {}
        Op::Shift(_) => add("queue", 1, "n", format!("vec::{name}(&z, &l0, 5, n);")),
        Op::Compound(op) => {
            let held = if def.contract.held { format!("vec::adds(&z, &l0, {s}, n);\n        ") } else { String::new() };
            let (inputs, second) = match op {
                CompoundOp::LeakyRelu | CompoundOp::Axpy => (1, s.to_string()),
                CompoundOp::AddRelu
                | CompoundOp::SubRelu
                | CompoundOp::MulAddDst
                | CompoundOp::FusedMulAdd
                | CompoundOp::FusedMulAddRelu => (2, "&l1".to_string()),
                CompoundOp::AddReluCast | CompoundOp::SubReluCast | CompoundOp::MulCast | CompoundOp::CastDequant => return,
            };
            add("queue", inputs, "n", format!("{held}vec::{name}(&z, &l0, {second}, n);"));
        }
        Op::Scalar(ScalarOp::GetGlobal) => add(
            "queue",
            1,
            "n",
            "let s = x0.get_value(at + n - 1);\n        vec::duplicate(&z, s, n);\n        let first = x0.get_value(at);\n        \
             z.set_value(n - 1, first);"
                .to_string(),
        ),
        Op::Scalar(ScalarOp::GetValue | ScalarOp::GetIndex | ScalarOp::SetValue | ScalarOp::Dump) => {}
        // `what_the_scalar_unit_writes_to_gm_agrees` has these, and drawn kernels in
        // `tests/lines.rs`.
        Op::Scalar(ScalarOp::SetGlobal | ScalarOp::CleanLine) => {}
        Op::Mask(_) | Op::Copy(_) => {}
    }
}

/// Makes a case that joins masks at queue level, in the place of one of them.
fn mask_case(op: MaskOp, chip: &'static Chip) -> Case {
    let name = op.def().name;
    let join = match op {
        MaskOp::And | MaskOp::Or => format!("vec::{name}(&mask, &other, &mask, n);"),
        MaskOp::Not => format!(
            "vec::{name}(&mask, &other, n);\n        vec::{name}(&mask, &mask, n);\n        vec::{name}(&mask, &mask, n);"
        ),
    };
    let call = format!(
        "let other = mask.at(64);\n        vec::gts(&mask, &l0, 0.5, 512);\n        vec::lt(&other, &l0, &l1, 512);\n        {join}\n        \
         vec::select(&z, &mask, &l0, &l1, n);"
    );
    queue_case(
        &format!("{name} queue f32 {}", chip.name),
        chip,
        [DType::F32; 2],
        2,
        "n",
        &call,
    )
}

fn queue_case(
    name: &str,
    chip: &'static Chip,
    [dtype, to]: [DType; 2],
    inputs: usize,
    stored: &str,
    call: &str,
) -> Case {
    let d = dtype.name();
    let mut tensors = Vec::new();
    let (mut params, mut queues, mut fill, mut free) =
        (String::new(), String::new(), String::new(), String::new());
    for i in 0..inputs {
        tensors.push(Tensor {
            name: format!("x{i}"),
            dtype,
            shape: vec![3000],
            written: false,
        });
        params += &format!("x{i}: &GlobalTensor<{d}>, ");
        queues += &format!(
            "    let mut q{i} = TQue::<VecIn, 1>::new();\n    pipe.init_buffer(&mut q{i}, 2, tile_length * size_of::<{d}>());\n"
        );
        fill += &format!(
            "        let l{i} = q{i}.alloc_tensor::<{d}>();\n        data_copy_pad(&l{i}, x{i}.slice(at, n));\n        \
             q{i}.enque(l{i});\n        let l{i} = q{i}.deque::<{d}>();\n"
        );
        free += &format!("        q{i}.free_tensor(l{i});\n");
    }
    tensors.push(Tensor {
        name: "y0".into(),
        dtype: to,
        shape: vec![3000],
        written: true,
    });
    let mut bufs = String::new();
    for (buf, ty, bytes) in [("mask", "u8", "128"), ("work", d, "2048")] {
        if call.contains(&format!("&{buf}")) {
            bufs +=
                &format!("    let mut {buf}_buf = TBuf::<VecCalc>::new();\n    pipe.init_buffer(&mut {buf}_buf, 1, {bytes});\n");
            fill += &format!("        let {buf} = {buf}_buf.get::<{ty}>();\n");
        }
    }
    // Elements that a tile does not store must have a value before.
    let inplace = if stored == "n" { "" } else { "#[inplace] " };
    let text = format!(
        "#[kernel]\n#[chips({})]\npub fn sample({params}{inplace}y0: &mut GlobalTensor<{to}>) {{\n    let share = split(x0.len()).unit(16);\n    \
         let tile_length = 512;\n    let mut pipe = TPipe::new();\n{queues}    let mut out = TQue::<VecOut, 1>::new();\n    \
         pipe.init_buffer(&mut out, 2, tile_length * size_of::<{to}>());\n{bufs}    \
         for i in 0..share.len().div_ceil(tile_length) {{\n        let n = tile_length.min(share.len() - i * tile_length);\n        \
         let at = share.start() + i * tile_length;\n{fill}        let z = out.alloc_tensor::<{to}>();\n        {call}\n        out.enque(z);\n{free}        \
         let z = out.deque::<{to}>();\n        data_copy_pad(y0.slice(at, {stored}), &z);\n        out.free_tensor(z);\n    }}\n}}\n",
        chip.name
    );
    Case {
        name: name.into(),
        chip,
        text,
        tensors,
        attrs: Vec::new(),
        exact: false,
        seed: 2,
    }
}
