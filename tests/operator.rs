//! An emitted operator project on the CPU: its registered tiling function decides what the evaluator decides, and its kernel,
//! given that tiling data through GM, computes what the simulator computes.

use jumar::codegen::{emit, names, EmitOptions, Project, ProjectKind};
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::soc::Chip;
use jumar::load::check_text;
use jumar::runtime::ascendc::{Argument, LaunchOptions, Source, Unit};
use jumar::runtime::Launch;
use ndarray::Array2;
use std::path::Path;
use std::process::Command;

const SWISH: &str = include_str!("../examples/swish.rs");
const SOFTMAX: &str = include_str!("../examples/softmax.rs");

fn kernel(text: &str) -> CheckedKernel {
    let file = check_text("kernel.rs", text, Some(Chip::default_chip()));
    assert!(!file.has_errors(), "{}", file.render(false));
    file.kernels()[0].checked[0].clone()
}

fn write(dir: &Path, project: &Project) {
    for file in &project.files {
        let path = dir.join(&file.path);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the test folder is writable");
        std::fs::write(path, &file.text).expect("the test folder is writable");
    }
}

/// A program that calls the registered tiling function: one f32 input and output of `rows` x `cols`, float attributes.
fn tile(dir: &Path, kernel: &str, shape: (usize, usize), attrs: &[f32]) -> (u64, u32, Vec<u8>) {
    let attrs: String = attrs
        .iter()
        .map(|a| {
            format!(
                "launch.attrs.floats.push_back({a:?}f);\nlaunch.attrs.ints.push_back(0);\nlaunch.attrs.bools.push_back(false);\n"
            )
        })
        .collect();
    let main = format!(
        "#include \"op_host/{kernel}.cpp\"\n#include <cstdio>\nint main()\n{{\ngert::Launch launch;\n\
         const gert::StorageShape shape(gert::Shape({{{}, {}}}));\nlaunch.inputs.push_back(shape);\nlaunch.outputs.push_back(shape);\n\
         launch.input_descs.emplace_back(ge::DT_FLOAT);\nlaunch.output_descs.emplace_back(ge::DT_FLOAT);\n{attrs}\
         gert::TilingContext context(launch);\nif (ascendc_cpu::Operators().at(0).core.tiling(&context) != ge::GRAPH_SUCCESS) {{\nreturn 1;\n}}\n\
         std::printf(\"%llu %u \", (unsigned long long)context.GetTilingKey(), context.GetBlockDim());\n\
         auto *data = static_cast<uint8_t *>(context.GetRawTilingData()->GetData());\n\
         for (size_t i = 0; i < context.GetRawTilingData()->GetDataSize(); ++i) {{\nstd::printf(\"%02x\", data[i]);\n}}\n}}\n",
        shape.0, shape.1
    );
    let (source, program) = (dir.join("tile.cpp"), dir.join("tile"));
    std::fs::write(&source, main).expect("the test folder is writable");
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/ascendc/include");
    let mut compiler = Command::new("g++");
    compiler
        .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsanitize=undefined"])
        .arg("-I")
        .arg(headers)
        .arg("-I")
        .arg(dir);
    let built = compiler.arg(&source).arg("-o").arg(&program).output().expect("g++ runs; install the package g++");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let out = Command::new(&program).output().expect("the program runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).expect("text");
    let words: Vec<&str> = text.split(' ').collect();
    let data = (0..words[2].len() / 2).map(|i| u8::from_str_radix(&words[2][2 * i..2 * i + 2], 16).expect("hex")).collect();
    (words[0].parse().expect("a key"), words[1].parse().expect("a block dim"), data)
}

/// The kernel function of the project on that tiling data.
fn run(dir: &Path, checked: &CheckedKernel, x: &Array2<f32>, decided: &(u64, u32, Vec<u8>)) -> Array2<f32> {
    let n = names(checked);
    let kernel = dir.join(format!("op_kernel/{}.cpp", n.kernel));
    let unit = Unit {
        tiling: Some(dir.join(format!("op_host/{}_tiling.h", n.kernel))),
        strict: true,
        ..Unit::kernel(Source::File(kernel), &n.kernel, checked.chip().arch)
    };
    let mut options = LaunchOptions::new(checked.chip());
    options.tiling_key = decided.0;
    options.block_dim = decided.1;
    options.race = Some(3);
    let bytes: Vec<u8> = x.iter().flat_map(|v| v.to_le_bytes()).collect();
    let mut out = vec![0u8; bytes.len()];
    let mut arguments = [
        Argument::Input("x".into(), &bytes),
        Argument::Output("y".into(), &mut out),
        Argument::Scratch("workspace".into(), 64),
        Argument::Input("tiling".into(), &decided.2),
    ];
    unit.compile().and_then(|p| p.run(&options, &mut arguments)).expect("a run");
    let values = out.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    Array2::from_shape_vec(x.raw_dim(), values).expect("the shape of x")
}

#[test]
fn an_operator_project_tiles_and_computes_like_the_simulator() {
    for (text, attrs) in [(SWISH, &[1.0f32][..]), (SOFTMAX, &[])] {
        let checked = kernel(text);
        let name = names(&checked).kernel;
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("operator").join(&name);
        write(&dir, &emit(&checked, &EmitOptions { kind: ProjectKind::Msopgen, source_name: None }));
        for shape in [(1, 1), (33, 77), (200, 64)] {
            let decided = tile(&dir, &name, shape, attrs);
            let x = Array2::from_shape_fn(shape, |(i, j)| ((i * 31 + j * 7) % 41) as f32 * 0.25 - 5.0);
            let mut want = Array2::<f32>::zeros(shape);
            let report = Launch::new(&checked).input("x", &x).output("y", &mut want).run().expect("a run");
            assert_eq!(
                (decided.0 as i64, i64::from(decided.1)),
                (report.tiling.key, report.tiling.block_dim),
                "{name} {shape:?}"
            );
            assert_eq!(run(&dir, &checked, &x, &decided), want, "{name} {shape:?}");
        }
    }
}
