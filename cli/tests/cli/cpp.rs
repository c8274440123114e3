//! `jumar cpp` and `jumar run --backend cpp`: kernels and programs on the CPU.

use super::*;
use jumar_kit::tier;

/// A kernel `z = x + n` for floats, one tile; with `late` it lacks the wait between copy and add.
const ADDS: &str = r#"#include "kernel_operator.h"
using namespace AscendC;

struct Tiling {
    int64_t length;
    float by;
};

extern "C" __global__ __aicore__ void adds(GM_ADDR x, GM_ADDR z, Tiling tiling, int32_t late)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
    LocalTensor<float> a = buf.Get<float>();
    GlobalTensor<float> gx, gz;
    gx.SetGlobalBuffer((__gm__ float *)x);
    gz.SetGlobalBuffer((__gm__ float *)z);
    DataCopy(a, gx, tiling.length);
    if (late == 0) {
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    }
    Adds(a, a, tiling.by, tiling.length);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gz, a, tiling.length);
    AscendC::printf("block %d is done\n", int(GetBlockIdx()));
}
"#;

fn cpp_place(name: &str) -> Place {
    let place = Place::new(name);
    place.file("adds.cpp", ADDS);
    place.file(
        "x.npy",
        npy(
            "<f4",
            "(2, 4)",
            &f32s(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]),
        ),
    );
    place
}

#[test]
fn an_ascendc_file_runs_on_the_cpu() {
    let place = cpp_place("cpp");
    let output = place
        .run("cpp adds.cpp --arg x=@x.npy --arg late=0 --struct tiling=int64_t:8,float:0.5 --out z:f32[2,4]=@z.npy --race 7");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let said = "adds: ran 1 block of ascend910b1 on the CPU\n[block 0] block 0 is done\nz: f32 [2, 4], in z.npy\n";
    assert_eq!(text(&output.stdout), said);
    assert_eq!(
        data(&place.0.join("z.npy")),
        f32s(&[0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5])
    );
    // As bytes: a structure from a file, and an output that is no array.
    place.file(
        "tiling.bin",
        [8i64.to_le_bytes().to_vec(), f32s(&[1.0, 0.0])].concat(),
    );
    let output = place.run(
        "cpp adds.cpp --arg x=@x.npy --arg late=1 --arg tiling=@tiling.bin --out z:u8[32]=@z.bin",
    );
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(
        fs::read(place.0.join("z.bin")).unwrap(),
        f32s(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])
    );
}

/// A kernel that copies bytes.
const MOVES: &str = r#"#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void moves(GM_ADDR x, GM_ADDR z)
{
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 32);
    GlobalTensor<uint8_t> from, to;
    from.SetGlobalBuffer(x);
    to.SetGlobalBuffer(z);
    LocalTensor<uint8_t> row = queue.AllocTensor<uint8_t>();
    DataCopy(row, from, 32);
    queue.EnQue(row);
    row = queue.DeQue<uint8_t>();
    DataCopy(to, row, 32);
    queue.FreeTensor(row);
}
"#;

#[test]
fn tensors_of_an_ascendc_file_have_all_element_types() {
    let place = Place::new("cpp-elements");
    place.file("moves.cpp", MOVES);
    let bytes: Vec<u8> = (0..32).collect();
    for (descr, name, written) in [
        ("<u2", "bf16", "<u2"),
        ("|V2", "bf16", "<u2"),
        ("<f2", "f16", "<f2"),
        ("<f4", "f32", "<f4"),
        ("<f8", "f64", "<f8"),
        ("|b1", "bool", "|b1"),
        ("|i1", "i8", "|i1"),
        ("|u1", "u8", "|u1"),
        ("<i2", "i16", "<i2"),
        ("<u2", "u16", "<u2"),
        ("<i4", "i32", "<i4"),
        ("<u4", "u32", "<u4"),
        ("<i8", "i64", "<i8"),
        ("<u8", "u64", "<u8"),
    ] {
        let width = descr
            .trim_start_matches(|c: char| !c.is_ascii_digit())
            .parse::<usize>()
            .unwrap();
        let count = 32 / width;
        place.file("x.npy", npy(descr, &format!("({count},)"), &bytes));
        let output = place.run(&format!(
            "cpp moves.cpp --arg x=@x.npy --out z:{name}[{count}]=@z.npy"
        ));
        assert_eq!(code(&output), 0, "{name}: {}", text(&output.stderr));
        assert!(
            text(&output.stdout).ends_with(&format!("z: {name} [{count}], in z.npy\n")),
            "{}",
            text(&output.stdout)
        );
        assert_eq!(
            fs::read(place.0.join("z.npy")).unwrap(),
            npy(written, &format!("({count},)"), &bytes),
            "{name}"
        );
    }
    place.file("complex.npy", npy("<c8", "(4,)", &bytes));
    place.file("big.npy", npy(">i8", "(4,)", &bytes));
    for (line, part) in [
        (
            "--arg x=@z.npy --out z:f8[4]=@y.npy",
            "`f8` is no element type; there are bf16, f16, f32, f64, bool, i8",
        ),
        (
            "--arg x=@complex.npy --out z:f32[8]=@y.npy",
            "it holds `<c8`; tensors hold bf16, f16",
        ),
        ("--arg x=@big.npy --out z:f32[8]=@y.npy", "it is big-endian"),
    ] {
        let output = place.run(&format!("cpp moves.cpp {line}"));
        assert_eq!(code(&output), 2, "{line}: {}", text(&output.stderr));
        assert!(
            text(&output.stderr).contains(part),
            "{line}: {}",
            text(&output.stderr)
        );
    }
}

/// An input that is also an output is written with the element type of its `--arg`.
#[test]
fn a_tensor_may_be_given_with_its_element_type() {
    let place = Place::new("cpp-typed");
    place.file("moves.cpp", MOVES);
    let bytes: Vec<u8> = (0..32).collect();
    place.file("x.npy", npy("<u2", "(4, 4)", &bytes));
    place.file("x.bin", &bytes);
    for (line, said) in [
        ("--arg z=@x.npy", "bf16 [4, 4]"),
        ("--arg z:u16=@x.npy", "u16 [4, 4]"),
        ("--arg z:f16[4,4]=@x.npy", "f16 [4, 4]"),
        ("--arg z=@x.bin", "u8 [32]"),
        ("--arg z:f64=@x.bin", "f64 [4]"),
        ("--arg z:f32[2,4]=@x.bin", "f32 [2, 4]"),
    ] {
        let output = place.run(&format!(
            "cpp moves.cpp --arg x=@x.npy {line} --out z=@z.npy"
        ));
        assert_eq!(code(&output), 0, "{line}: {}", text(&output.stderr));
        assert!(
            text(&output.stdout).ends_with(&format!("z: {said}, in z.npy\n")),
            "{line}: {}",
            text(&output.stdout)
        );
        assert_eq!(data(&place.0.join("z.npy")), bytes, "{line}");
    }
    for (line, part) in [
        (
            "--arg x:f32=@x.npy",
            "`x.npy` holds elements of 2 bytes, f32 has 4; leave f32 out",
        ),
        (
            "--arg x:u16[16]=@x.npy",
            "`x.npy` holds an array of shape [4, 4], not [16]; leave the shape out",
        ),
        (
            "--arg x:u16[15]=@x.bin",
            "`x.bin` has 32 bytes, which are no u16 [15]",
        ),
        (
            "--arg x:f8=@x.bin",
            "`f8` is no element type; there are bf16",
        ),
        ("--arg x:u16[a]=@x.bin", "`u16[a]` has a shape that is none"),
        ("--arg x:u16=5", "`x` is a pointer; give a file"),
        ("--arg w:u16=@x.npy", "has no parameter `w`"),
    ] {
        let output = place.run(&format!("cpp moves.cpp {line} --out z:u16[16]=@z.npy"));
        assert_eq!(code(&output), 2, "{line}: {}", text(&output.stderr));
        assert!(
            text(&output.stderr).contains(part),
            "{line}: `{part}` is not in\n{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn check_compiles_and_runs_nothing() {
    let place = cpp_place("cpp-check");
    place.file(
        "typo.cpp",
        ADDS.replace("tiling.by, tiling", "half(1), tiling"),
    );
    place.file("twice.cpp", "void helper() {}\nint main() { return 3; }\n");
    place.file("again.cpp", "void helper() {}\n");
    for (line, exit, said) in [
        ("cpp adds.cpp --check", 0, "adds: compiles for ascend910b1\n"),
        // Tensors are bound but not used: this one would be too short.
        (
            "cpp adds.cpp --check --arg x=@x.npy --arg late=0 --struct tiling=int64_t:99,float:1 --out z:f32[1]=@z.npy",
            0,
            "adds: compiles for ascend910b1\n",
        ),
        ("cpp twice.cpp --check", 0, "compiles for ascend910b1\n"),
        ("cpp typo.cpp --check", 1, "no matching function"),
        ("cpp twice.cpp again.cpp --check", 1, "again.cpp:1: multiple definition of `helper()'; "),
    ] {
        let output = place.run(line);
        assert_eq!(code(&output), exit, "{line}: {}", text(&output.stderr));
        let stream = if exit == 0 { &output.stdout } else { &output.stderr };
        assert!(text(stream).contains(said), "{line}: {}", text(stream));
    }
    assert!(!place.0.join("z.npy").exists());
}

#[test]
fn a_wrong_ascendc_file_is_refused_with_its_place() {
    let place = cpp_place("cpp-wrong");
    place.file(
        "typo.cpp",
        ADDS.replace("tiling.by, tiling", "half(1), tiling"),
    );
    let all = "--arg x=@x.npy --out z:f32[8]=@z.npy";
    for (line, exit, parts) in [
        // Wrong kernels.
        (
            format!("cpp adds.cpp {all} --arg late=1 --struct tiling=int64_t:8,float:1 --race"),
            1,
            &[
                "error[J0809]: Adds of pipe V",
                "adds.cpp:23:5",
                "in block 0",
                "adds.cpp:18:5",
                "the other access",
                "no output was written",
            ][..],
        ),
        (
            format!("cpp adds.cpp {all} --arg late=0 --struct tiling=int64_t:16,float:1"),
            1,
            &[
                "error[J0801]: DataCopy: src ends 32 bytes behind the end of `x`",
                "adds.cpp:18:5",
            ],
        ),
        (
            format!("cpp typo.cpp {all} --arg late=0 --struct tiling=int64_t:8,float:1"),
            1,
            &["error[J0806]", "typo.cpp:23:", "no matching function"],
        ),
        // Wrong calls.
        ("cpp none.cpp".into(), 2, &["`none.cpp` cannot be read"]),
        (
            "cpp scale.rs".into(),
            2,
            &["`scale.rs` has no kernel function"],
        ),
        (
            "cpp adds.cpp --kernel add".into(),
            2,
            &[
                "has no kernel function `add`",
                "choose one with --kernel: adds",
            ],
        ),
        (
            format!("cpp adds.cpp {all} --arg late=0"),
            2,
            &[
                "`tiling` is missing",
                "`adds` takes (GM_ADDR x, GM_ADDR z, Tiling tiling, int32_t late)",
            ],
        ),
        (
            format!("cpp adds.cpp {all} --arg late=x --struct tiling=int64_t:8,float:1"),
            2,
            &["`x` is no value of `int32_t`"],
        ),
        (
            format!("cpp adds.cpp {all} --arg late=0 --struct tiling=int64_t:8"),
            2,
            &["error[J0605]: parameter 3 of kernel `adds` has 16 bytes, the launch gives 8"],
        ),
        (
            format!("cpp adds.cpp {all} --arg late=0 --struct tiling=long:8"),
            2,
            &["`long` is no type of a number"],
        ),
        (
            "cpp adds.cpp --arg x=3".into(),
            2,
            &["`x` is a pointer; give a file"],
        ),
        (
            "cpp adds.cpp --arg late:i32=0".into(),
            2,
            &["is passed by value, as `int32_t`; write --arg late=0 without `i32`"],
        ),
        (
            "cpp adds.cpp --arg y=3".into(),
            2,
            &["has no parameter `y`"],
        ),
        (
            "cpp adds.cpp --out z:f32=@z.npy".into(),
            2,
            &["`f32` is no element type with a shape"],
        ),
        (
            "cpp adds.cpp --out z=@z.npy".into(),
            2,
            &["`z` needs an element type and a shape"],
        ),
        ("cpp adds.cpp --chip ascend1".into(), 2, &["ascend1"]),
        (
            "run scale.rs --arg x=@x.npy --out y=@y.npy --race".into(),
            2,
            &["add --backend cpp"],
        ),
    ] {
        let output = place.run(&line);
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), exit, "{line}: {stderr}");
        for part in parts {
            assert!(
                stderr.contains(part),
                "{line}: `{part}` is not in\n{stderr}"
            );
        }
        assert_eq!(
            place.names(),
            ["adds.cpp", "bad.rs", "scale.rs", "typo.cpp", "x.npy"],
            "{line}"
        );
    }
}

/// Mistakes that the chip usually forgives are reported on request, once a place.
#[test]
fn forgiven_mistakes_are_noted() {
    let place = Place::new("cpp-notes");
    let freed = "    queue.FreeTensor(row);\n";
    let late = MOVES.replace(freed, "").replace(
        "    DataCopy(to, row, 32);\n",
        &format!("{freed}    DataCopy(to, row, 32);\n"),
    );
    place.file("late.cpp", &late);
    place.file("x.npy", npy("|u1", "(32,)", &[7; 32]));
    let line = "cpp late.cpp --arg x=@x.npy --out z:u8[32]=@z.npy --block-dim 3";
    let output = place.run(line);
    assert_eq!(code(&output), 1);
    assert!(
        text(&output.stderr)
            .contains("error[J0803]: DataCopy: src lies in a buffer that was freed"),
        "{}",
        text(&output.stderr)
    );
    let output = place.run(&format!("{line} --stale report"));
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let stdout = text(&output.stdout);
    assert!(
        stdout.contains("note: DataCopy: src lies in a buffer that was freed (FreeTensor)")
            && stdout.contains("late.cpp:"),
        "{stdout}"
    );
    assert!(
        stdout.contains(", and 2 more like it\n") && stdout.matches("note:").count() == 1,
        "{stdout}"
    );
    assert_eq!(data(&place.0.join("z.npy")), [7; 32]);
}

/// A kernel that writes one number of a data block, and copies the whole block.
const ONE_OF_EIGHT: &str = r#"#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void one(GM_ADDR z)
{
    TPipe pipe;
    TBuf<> buf;
    pipe.InitBuffer(buf, 32);
    LocalTensor<float> a = buf.Get<float>();
    a.SetValue(0, 2.0f);
    GlobalTensor<float> gz;
    gz.SetGlobalBuffer((__gm__ float *)z);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, a, 8);
}
"#;

#[test]
fn values_that_nobody_wrote_are_noted_where_the_call_asks_for_that() {
    let place = Place::new("cpp-poison");
    place.file("one.cpp", ONE_OF_EIGHT);
    let line = "cpp one.cpp --out z:f32[8]=@z.npy";
    let output = place.run(line);
    assert_eq!(code(&output), 1);
    assert!(
        text(&output.stderr).starts_with("error[J0802]: DataCopy: src has no value at element 1"),
        "{}",
        text(&output.stderr)
    );
    let output = place.run(&format!("{line} --poison report"));
    let stdout = text(&output.stdout);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(
        stdout.contains("note: DataCopy: src has no value at element 1")
            && stdout.contains("one.cpp:13"),
        "{stdout}"
    );
    assert_eq!(data(&place.0.join("z.npy"))[..4], f32s(&[2.0]));
}

/// A kernel that doubles every tensor of a list.
const FOREACH: &str = r#"#include "kernel_operator.h"
#include "kernel_operator_list_tensor_intf.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void foreach_double(GM_ADDR x, GM_ADDR z)
{
    ListTensorDesc in(reinterpret_cast<__gm__ void *>(x)), out(reinterpret_cast<__gm__ void *>(z));
    LocalTensor<float> a(TPosition::VECCALC, 0, 64);
    for (uint32_t i = 0; i < in.GetSize(); ++i) {
        TensorDesc<float> desc;
        in.GetDesc(desc, i);
        uint32_t count = 1;
        for (uint32_t axis = 0; axis < desc.GetDim(); ++axis) {
            count *= desc.GetShape(axis);
        }
        GlobalTensor<float> to;
        to.SetGlobalBuffer(out.GetDataPtr<float>(i));
        DataCopy(a, desc.GetDataObj(), count);
        PipeBarrier<PIPE_ALL>();
        Add(a, a, a, count);
        PipeBarrier<PIPE_ALL>();
        DataCopy(to, a, count);
        PipeBarrier<PIPE_ALL>();
    }
}
"#;

#[test]
fn tensors_of_a_list_are_given_one_by_one() {
    let place = Place::new("cpp-list");
    place.file("foreach.cpp", FOREACH);
    let values: Vec<f32> = (0..16).map(|i| i as f32).collect();
    place.file("a.npy", npy("<f4", "(2, 4)", &f32s(&values[..8])));
    place.file("b.npy", npy("<f4", "(16,)", &f32s(&values)));
    let line = "cpp foreach.cpp --arg x.0=@a.npy --arg x.1=@b.npy --out z.0:f32[2,4]=@c.npy --out z.1:f32[16]=@d.npy";
    let output = place.run(line);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let said = "foreach_double: ran 1 block of ascend910b1 on the CPU\nz.0: f32 [2, 4], in c.npy\nz.1: f32 [16], in d.npy\n";
    assert_eq!(text(&output.stdout), said);
    let doubled: Vec<f32> = values.iter().map(|v| v + v).collect();
    assert_eq!(data(&place.0.join("c.npy")), f32s(&doubled[..8]));
    assert_eq!(data(&place.0.join("d.npy")), f32s(&doubled));
    for (line, exit, part) in [
        (
            "cpp foreach.cpp --arg x.1=@b.npy --out z.0:f32[16]=@c.npy",
            2,
            "`x` is missing",
        ),
        (
            "cpp foreach.cpp --arg x.0=@a.npy --arg x.0=@b.npy --out z.0:f32[16]=@c.npy",
            2,
            "`x.0` is given twice",
        ),
        (
            "cpp foreach.cpp --arg x.a=@a.npy",
            2,
            "has no parameter `x.a`",
        ),
        (
            "cpp foreach.cpp --arg x.0=@b.npy --out z.0:f32[8]=@e.npy",
            1,
            "error[J0801]: DataCopy: dst ends 32 bytes behind the end of `z.0`",
        ),
    ] {
        let output = place.run(line);
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), exit, "{line}: {stderr}");
        assert!(
            stderr.contains(part),
            "{line}: `{part}` is not in\n{stderr}"
        );
    }
}

/// A program in one source: kernel, launch by brackets, and host code around it.
const ADD_ASC: &str = include_str!("../../../examples/handwritten/add.asc");

#[test]
fn a_program_with_launches_runs_as_it_is() {
    let place = Place::new("cpp-program");
    place.file("add.asc", ADD_ASC);
    for line in [
        "cpp add.asc",
        "cpp add.asc --race 3",
        "cpp add.asc --chip ascend310p",
    ] {
        let output = place.run(line);
        assert_eq!(
            (code(&output), text(&output.stdout)),
            (0, "37888 elements are right\n".into()),
            "{}",
            text(&output.stderr)
        );
    }
    // Its kernel alone, with arrays from outside; the program's `main` does not run.
    let values: Vec<f32> = (0..1024).map(|i| i as f32).collect();
    place.file("x.npy", npy("<f4", "(1024,)", &f32s(&values)));
    let output = place.run(
        "cpp add.asc --kernel vector_add<128> --block-dim 3 --arg x=@x.npy --arg y=@x.npy --out z:f32[1024]=@z.npy --arg length=1024",
    );
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(
        data(&place.0.join("z.npy")),
        f32s(&values.iter().map(|v| v + v).collect::<Vec<_>>())
    );
    // In two files with arguments, the output and the exit code are the program's own. A mask
    // without lanes is an error on the inference chips only.
    let kernel = r#"#include "kernel_operator.h"
extern "C" __global__ __aicore__ void none(GM_ADDR x, int n)
{
    assert(n > 0);
    AscendC::LocalTensor<float> a(AscendC::TPosition::VECCALC, 0, 64);
    uint64_t mask[2] = {0, 0};
    AscendC::Adds(a, a, 1.0f, mask, 1, {1, 1, 8, 8});
}
"#;
    place.file("kernel.cpp", kernel);
    // Names of the API are free in host code.
    place.file(
        "host.cpp",
        "extern \"C\" void none(int);\nint main() { int block_num = 1, DT_FLOAT = 2; none(block_num + DT_FLOAT); }\n",
    );
    place.file(
        "abort.cpp",
        "#include <cstdio>\n#include <cstdlib>\nint main(int argc, char **)\n{\n    if (argc > 1) {\n        \
         return static_cast<volatile char *>(std::malloc(1))[argc];\n    }\n    std::fprintf(stderr, \"last words\\n\");\n    \
         std::abort();\n}\n",
    );
    place.file(
        "free.cpp",
        "int main() { int block_num = 1, DT_FLOAT = -1; return block_num + DT_FLOAT; }\n",
    );
    assert_eq!(code(&place.run("cpp free.cpp")), 0);
    place.file(
        "chip.cpp",
        "#include \"tiling/platform/platform_ascendc.h\"\n#include <cstdio>\nint main()\n{\n    using namespace platform_ascendc;\n    \
         auto *chip = PlatformAscendCManager::GetInstance();\n    uint64_t ub = 0;\n    \
         chip->GetCoreMemSize(CoreMemType::UB, ub);\n    std::printf(\"%d %u %u %u %u %u %u\\n\", static_cast<int>(chip->GetSocVersion()), \
         chip->GetCoreNum(), chip->GetCoreNumAic(), chip->GetCoreNumAiv(), static_cast<unsigned>(ub), chip->GetLibApiWorkSpaceSize(), \
         chip->CalcTschBlockDim(30, chip->GetCoreNumAic(), chip->GetCoreNumAiv()));\n}\n",
    );
    for (chip, said) in [
        ("ascend910b3", "1 40 20 40 196352 16777216 15\n"),
        ("ascend310p", "2 8 8 8 262144 2097152 30\n"),
    ] {
        assert_eq!(
            text(&place.run(&format!("cpp chip.cpp --chip {chip}")).stdout),
            said
        );
    }
    place.file(
        "main.cpp",
        "#include \"aclrtlaunch_none.h\"\n#include <cstdio>\n#include <cstdlib>\nint main(int argc, char **argv)\n{\n    \
         std::printf(\"%d of %s\\n\", argc, argv[1]);\n    \
         return ACLRT_LAUNCH_KERNEL(none)(1, nullptr, nullptr, std::atoi(argv[1])) + std::atoi(argv[1]) / 8;\n}\n",
    );
    let output = place.run("cpp main.cpp kernel.cpp -- 7 b");
    assert_eq!(
        (code(&output), text(&output.stdout)),
        (0, "3 of 7\n".into()),
        "{}",
        text(&output.stderr)
    );
    for (line, exit, part) in [
        (
            "cpp main.cpp kernel.cpp -- 24",
            1,
            "the program ended with 3; its kernels met no fault",
        ),
        (
            "cpp main.cpp kernel.cpp -- 0",
            1,
            "error[J0808]: assertion `n > 0` failed",
        ),
        (
            "cpp main.cpp kernel.cpp --chip ascend310p -- 7",
            1,
            "error[J0807]: Adds: the mask is 0",
        ),
        (
            "cpp main.cpp -- 1",
            1,
            "error[J0806]: the C++ compiler refuses `main.cpp`",
        ),
        (
            "cpp abort.cpp",
            1,
            "last words\nerror[J0812]: the program ended by a signal",
        ),
        (
            "cpp abort.cpp --sanitize -- 1",
            1,
            "with insufficient space for an object of type",
        ),
        ("cpp host.cpp", 1, "undefined reference to `none'"),
        (
            "cpp kernel.cpp -- 1",
            2,
            "there is no program that takes arguments",
        ),
        (
            "cpp kernel.cpp kernel.cpp",
            2,
            "2 files, and none has a `main`",
        ),
    ] {
        if line.contains("--sanitize") && !tier::sanitizes() {
            continue;
        }
        let output = place.run(line);
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), exit, "{line}: {stderr}");
        assert!(
            stderr.contains(part),
            "{line}: `{part}` is not in\n{stderr}"
        );
    }
}

#[test]
fn a_fault_below_a_launch_has_the_line_of_the_source() {
    let place = Place::new("cpp-program-wrong");
    place.file(
        "add.asc",
        ADD_ASC.replace("LENGTH * sizeof(float);", "LENGTH * sizeof(float) - 64;"),
    );
    place.file(
        "twice.asc",
        ADD_ASC.replace("CHECK(aclrtFree(yDevice));", "CHECK(aclrtFree(xDevice));"),
    );
    place.file(
        "over.asc",
        ADD_ASC
            .replace("x.data(), bytes,", "x.data(), bytes + 4,")
            .replace("(xDevice, bytes,", "(xDevice, bytes + 4,"),
    );
    let line = 1 + ADD_ASC
        .lines()
        .position(|l| l.contains("DataCopy(x, xGm_[at]"))
        .expect("the copy");
    for (file, said, parts) in [
        (
            "add.asc",
            "",
            &[
                format!("add.asc:{line}:13"),
                "DataCopy: src ends 64 bytes behind the end of `aclrtMalloc 1`".into(),
            ][..],
        ),
        (
            "twice.asc",
            "aclrtFree(xDevice): 107000 aclrtFree: the pointer is none that aclrtMalloc gave",
            &[],
        ),
        (
            "over.asc",
            "107000 aclrtMemcpy: dst is to have 151556 bytes of device memory",
            &[],
        ),
    ] {
        let output = place.run(&format!("cpp {file}"));
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), 1, "{stderr}");
        assert!(
            text(&output.stdout).contains(said),
            "{}",
            text(&output.stdout)
        );
        for part in parts {
            assert!(stderr.contains(part), "`{part}` is not in\n{stderr}");
        }
    }
}

/// A program that times a launch, queries the device, copies rows and makes mistakes, each with its
/// code.
const EVENTS: &str = "#include \"acl/acl.h\"
#include \"kernel_operator.h\"
#include <cstdio>
extern \"C\" __global__ __aicore__ void none(GM_ADDR, int) {}
int main()
{
    aclrtEvent start, stop, plain;
    aclrtCreateEvent(&start);
    aclrtCreateEventWithFlag(&stop, ACL_EVENT_TIME_LINE);
    aclrtCreateEventWithFlag(&plain, ACL_EVENT_SYNC);
    float ms = -1.0f;
    std::printf(\"%d \", aclrtEventElapsedTime(&ms, start, stop));
    aclrtRecordEvent(start, nullptr);
    none<<<2, nullptr, nullptr>>>(0, 0);
    aclrtRecordEvent(stop, nullptr);
    aclrtRecordEvent(plain, nullptr);
    aclrtEventStatus old;
    aclrtEventRecordedStatus now;
    aclrtQueryEvent(stop, &old);
    aclrtQueryEventStatus(stop, &now);
    std::printf(\"%d %d \", old, now);
    std::printf(\"%d \", aclrtEventElapsedTime(&ms, start, stop));
    std::printf(\"%d \", ms > 0.0f);
    std::printf(\"%d \", aclrtEventElapsedTime(&ms, stop, start));
    std::printf(\"%d\\n\", aclrtEventElapsedTime(&ms, start, plain));
    std::printf(\"%d \", aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL));
    std::printf(\"%d \", aclrtGetLastError(ACL_RT_THREAD_LEVEL));
    std::printf(\"%d \", aclrtGetLastError(ACL_RT_THREAD_LEVEL));
    aclrtDestroyEvent(plain);
    std::printf(\"%d\\n\", aclrtDestroyEvent(plain));
    std::printf(\"%s\\n\", aclGetRecentErrMsg());
    int64_t cores = 0;
    aclGetDeviceCapability(0, ACL_DEVICE_INFO_VECTOR_CORE_NUM, &cores);
    std::printf(\"%s %d\\n\", aclrtGetSocName(), static_cast<int>(cores));
    const char rows[] = \"ab..cd..\";
    char back[5] = {};
    void *device = nullptr;
    aclrtMalloc(&device, 4, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy2d(device, 2, rows, 4, 2, 2, ACL_MEMCPY_HOST_TO_DEVICE);
    aclrtMemcpy(back, 4, device, 4, ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf(\"%s \", back);
    std::printf(\"%d\\n\", aclrtMemcpy2d(device, 1, rows, 4, 2, 2, ACL_MEMCPY_HOST_TO_DEVICE));
    return 0;
}
";

#[test]
fn a_program_measures_its_launches_and_hears_what_it_forgot() {
    let place = Place::new("cpp-events");
    place.file("events.asc", EVENTS);
    let output = place.run("cpp events.asc --chip ascend910b3");
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(code(&output), 0, "{stderr}");
    let line = 1 + EVENTS
        .lines()
        .position(|l| l.contains("aclrtMalloc"))
        .expect("the call");
    let note = format!("events.asc:{line}\n");
    let (said, notes) = stdout.split_once("note: ").expect("a note");
    assert_eq!(
        said,
        "107006 0 1 0 1 107007 107006\n107006 107006 0 107000\naclrtDestroyEvent: the event is none that aclrtCreateEvent gave, \
         or was destroyed before\nAscend910B3 40\nabcd 107000\n"
    );
    assert!(
        notes.starts_with("aclrtMalloc: these 4 bytes are never freed (aclrtFree) at ")
            && notes.ends_with(&note),
        "{notes}"
    );
}

/// Kernels and launches that macros declare, and device memory that is a `void *`.
const MACROS: &str = "#include \"acl/acl.h\"
#include \"kernel_operator.h\"
#include <cstdio>
#define DECLARE(TYPE) \\
    extern \"C\" __global__ __aicore__ void fill_##TYPE(__gm__ uint8_t *out) \\
    { \\
        AscendC::GlobalTensor<TYPE> gm; \\
        gm.SetGlobalBuffer((__gm__ TYPE *)out, 16); \\
        ASSERT(out != nullptr) \\
        gm.SetValue(1, TYPE(2.0f)); \\
        AscendC::DataCacheCleanAndInvalid<TYPE, AscendC::CacheLine::SINGLE_CACHE_LINE, AscendC::DcciDst::CACHELINE_OUT>(gm); \\
    }
DECLARE(half)
DECLARE(float)
#define FILL(TYPE, out) fill_##TYPE<<<1, nullptr, nullptr>>>(out)
#ifdef PROGRAM
int main()
{
    void *device = nullptr;
    float host[16] = {};
    aclrtMalloc(&device, sizeof host, ACL_MEM_MALLOC_HUGE_FIRST);
    FILL(float, device);
    aclrtMemcpy(host, sizeof host, device, sizeof host, ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtFree(device);
    std::printf(\"%g\\n\", host[1]);
}
#endif
";

#[test]
fn kernels_and_launches_of_macros_are_found() {
    let place = Place::new("cpp-macros");
    place.file("kernels.cpp", MACROS);
    place.file("program.cpp", format!("#define PROGRAM\n{MACROS}"));
    let output = place.run("cpp program.cpp");
    assert_eq!(
        (code(&output), text(&output.stdout)),
        (0, "2\n".into()),
        "{}",
        text(&output.stderr)
    );
    let output = place.run("cpp kernels.cpp --kernel fill_half --out out:f16[16]=@z.npy");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    // The other elements have no value, and only a note says so.
    assert_eq!(data(&place.0.join("z.npy"))[2..4], [0, 0x40]);
    for (line, part) in [
        (
            "cpp kernels.cpp --out out:f16[16]=@z.npy",
            "`kernels.cpp` has 2 kernel functions",
        ),
        (
            "cpp kernels.cpp --kernel none --out out:f16[16]=@z.npy",
            "choose one with --kernel: fill_half, fill_float",
        ),
    ] {
        let output = place.run(line);
        assert_eq!(code(&output), 2);
        assert!(
            text(&output.stderr).contains(part),
            "{line}: {}",
            text(&output.stderr)
        );
    }
}

/// Kernels of a header: one of them a template in a namespace.
const FILLS: &str = "\
namespace space {
template <typename T, int N>
__global__ __aicore__ void fill(GM_ADDR out)
{
    GlobalTensor<T> to;
    to.SetGlobalBuffer((__gm__ T *)out, 16);
    LocalTensor<T> a(TPosition::VECCALC, 0, 16);
    Duplicate(a, static_cast<T>(N), 16);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, a, 16);
}
} // namespace space
extern \"C\" __global__ __aicore__ void exp(GM_ADDR out)
{
    space::fill<float, 2>(out);
}
";

#[test]
fn kernels_of_headers_and_templates_are_found() {
    let place = Place::new("cpp-templates");
    let begin = "#include \"kernel_operator.h\"\nusing namespace AscendC;\n";
    place.file("parts/fills.h", FILLS);
    place.file("fills.cpp", format!("{begin}#include \"parts/fills.h\"\n"));
    place.file("lost.cpp", format!("{begin}#include \"parts/none.h\"\n"));
    place.file(
        "two.cpp",
        format!(
            "{begin}{}extern \"C\" __global__ __aicore__ void none(GM_ADDR out) {{}}\n",
            "extern \"C\" __global__ __aicore__ void fill(GM_ADDR out) {}\n"
        ),
    );
    place.file(
        "chosen.cpp",
        format!(
            "{begin}#if __NPU_ARCH__ == 3510\ntemplate <int N>\n__global__ __aicore__ void k(GM_ADDR out) {{}}\n#else\n\
             extern \"C\" __global__ __aicore__ void k(GM_ADDR out) {{}}\n#endif\n"
        ),
    );
    for (kernel, out, want) in [
        ("exp", "f32", [0, 0, 0, 0x40]),
        ("space::fill<half,2>", "f16", [0, 0x40, 0, 0x40]),
    ] {
        let line = format!("cpp fills.cpp --kernel {kernel} --out out:{out}[16]=@z.npy");
        let output = place.run(&line);
        assert_eq!(code(&output), 0, "{line}: {}", text(&output.stderr));
        assert_eq!(data(&place.0.join("z.npy"))[..4], want, "{line}");
    }
    for (line, exit, said) in [
        (
            "cpp two.cpp --check",
            0,
            "fill: compiles for ascend910b1\nnone: compiles for ascend910b1\n",
        ),
        ("cpp chosen.cpp --check", 0, "k: compiles for ascend910b1\n"),
        ("cpp fills.cpp --kernel exp --check", 0, "exp: compiles for ascend910b1\n"),
        (
            "cpp fills.cpp --kernel space::fill<int32_t,1> --check",
            0,
            "space::fill<int32_t,1>: compiles for ascend910b1\n",
        ),
        ("cpp fills.cpp --kernel space::fill<int32_t> --check", 1, "error[J0806]"),
        (
            "cpp fills.cpp --check",
            2,
            "kernel `fill` is a template of (typename T, int N), and `fills.cpp` declares no tiling keys for it (ASCENDC_TPL_ARGS_DECL)",
        ),
        ("cpp fills.cpp --kernel fill --out out:f16[16]=@z.npy", 2, "give its arguments: --kernel 'fill<.., ..>'"),
        ("cpp lost.cpp --check", 1, "the header parts/none.h"),
    ] {
        let output = place.run(line);
        assert_eq!(code(&output), exit, "{line}: {}", text(&output.stderr));
        let stream = if exit == 0 { &output.stdout } else { &output.stderr };
        assert!(text(stream).contains(said), "{line}: {}", text(stream));
    }
}

#[test]
fn a_kernel_runs_as_emitted_cpp() {
    let place = cpp_place("run-cpp");
    for checks in ["", " --race 3"] {
        let output = place.run(&format!(
            "run scale.rs --arg x=@x.npy --out y=@y.npy --backend cpp{checks}"
        ));
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert!(
            text(&output.stdout)
                .starts_with("scale <f32>: ran as emitted C++ 1 block of ascend910b1\n"),
            "{}",
            text(&output.stdout)
        );
        assert_eq!(
            data(&place.0.join("y.npy")),
            f32s(&[0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0])
        );
    }
    // The emitted text stops at the access that is J0801 in the simulator, too, at its own line.
    place.file("shift.rs", SHIFT);
    let output = place.run("run shift.rs --arg x=@x.npy --arg by=5 --out y=@z.npy --backend cpp");
    let stderr = text(&output.stderr);
    assert_eq!(code(&output), 1, "{stderr}");
    assert!(
        stderr.contains("error[J0801]: DataCopyPad: src ends") && stderr.contains("--> shift.cpp:"),
        "{stderr}"
    );
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let place = cpp_place("no-cache");
    let mut jumar = Command::new(env!("CARGO_BIN_EXE_jumar"));
    jumar
        .args("run scale.rs --arg x=@x.npy --out y=@y.npy --backend cpp".split(' '))
        .current_dir(&place.0);
    let output = jumar.env("JUMAR_CACHE", "x.npy").output().unwrap();
    let stderr = text(&output.stderr);
    assert_eq!(code(&output), 2, "{stderr}");
    let said = stderr.contains("error[J0805]")
        && stderr.contains("set JUMAR_CACHE to a folder that can be written");
    assert!(
        said && !stderr.contains("os error") && !stderr.contains("takes x"),
        "{stderr}"
    );
}

#[test]
fn without_a_compiler_the_message_says_what_to_install() {
    let place = cpp_place("no-compiler");
    let run = |line: &str| {
        let mut jumar = Command::new(env!("CARGO_BIN_EXE_jumar"));
        jumar
            .args(line.split_whitespace())
            .current_dir(&place.0)
            .env("CXX", "no-such-compiler")
            .output()
            .unwrap()
    };
    let output = run("cpp adds.cpp --arg x=@x.npy --arg late=0 --struct tiling=int64_t:8,float:0.5 --out z:f32[2,4]=@z.npy");
    assert_eq!(code(&output), 2);
    assert!(
        text(&output.stderr).contains("error[J0805]")
            && text(&output.stderr).contains("install the package g++")
    );
    // Everything else works without a compiler.
    assert_eq!(code(&run("run scale.rs --arg x=@x.npy --out y=@y.npy")), 0);
}
