//! A repository of operators: each is compiled and run, whatever becomes of the others.

use super::*;
use serde_json::Value;

const HOST: &str = include_str!("../../../examples/handwritten/scale_add/op_host/scale_add.cpp");
const TILING: &str =
    include_str!("../../../examples/handwritten/scale_add/op_host/scale_add_tiling.h");
const KERNEL: &str =
    include_str!("../../../examples/handwritten/scale_add/op_kernel/scale_add.cpp");

/// Replaces a part of a text that it must have.
fn with(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "`{old}` is not there");
    text.replacen(old, new, 1)
}

/// Adds an operator: the header of its tiling data lies apart, as in repositories that share some.
fn operator(place: &Place, folder: &str, host: &str, kernel: &str) {
    place.file(&format!("{folder}/op_host/scale_add.cpp"), host);
    place.file(&format!("{folder}/op_kernel/scale_add.cpp"), kernel);
}

#[test]
fn a_repository_is_a_table_and_no_operator_stops_the_others() {
    let place = Place::new("cpp-folder");
    place.file(".git/HEAD", "ref: refs/heads/main\n");
    place.file("common/inc/scale_add_tiling.h", TILING);
    operator(&place, "math/right", HOST, KERNEL);
    let faulty = with(KERNEL, "            inX.FreeTensor(xLocal);\n", "");
    operator(&place, "math/faulty", HOST, &faulty);
    let lacking = with(KERNEL, "Muls(", "MulsThatJumarLacks(");
    operator(&place, "nn/lacking", HOST, &lacking);
    let elsewhere = HOST.replace("AddConfig(\"ascend910b\")", "AddConfig(\"ascend950\")");
    operator(&place, "nn/elsewhere", &elsewhere, KERNEL);
    let crashes = with(
        HOST,
        "context->SetBlockDim",
        "*reinterpret_cast<volatile int *>(8) = 1;\n    context->SetBlockDim",
    );
    operator(&place, "nn/crashes", &crashes, KERNEL);
    place.file("nn/empty/op_kernel/readme.md", "nothing to compile");
    // A header of another operator's kernel, and a tiling function that another folder registers.
    place.file("nn/tools/op_kernel/number.h", "constexpr int NUMBER = 1;\n");
    let beside = with(
        KERNEL,
        "#include \"kernel_operator.h\"\n",
        "#include \"kernel_operator.h\"\n#include \"../tools/number.h\"\n",
    );
    let (tiling, definition) = HOST.split_once("namespace ops").expect("the definition");
    let register = "#include \"register/op_impl_registry.h\"\nIMPL_OP_OPTILING(ScaleAdd).Tiling(optiling::TilingFunc);\n";
    place.file("nn/tools/op_host/tiling.cpp", format!("{tiling}{register}"));
    let without = with(
        HOST,
        "this->AICore().SetTiling(optiling::TilingFunc);",
        "static_cast<void>(optiling::TilingFunc);",
    );
    assert!(definition.contains("OP_ADD"));
    operator(&place, "nn/beside", &without, &beside);

    let output = place.run("cpp --folder .");
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(code(&output), 1, "{stdout}{stderr}");
    for line in [
        "math/faulty   mistakes    J0803",
        "math/right    ran         x f16[32,257] z f16[32,257], 47 blocks",
        "nn/beside     ran         x f16[32,257]",
        "nn/crashes    host file   the host file of the operator ended by a signal in the tiling function",
        "nn/elsewhere  other chip",
        "nn/lacking    kernel      lacks MulsThatJumarLacks",
        "6 operators for ascend910b1: ",
        "--> math/faulty/op_kernel/scale_add.cpp:",
    ] {
        assert!(stdout.contains(line), "`{line}` is not in\n{stdout}");
    }
    assert!(
        stderr.ends_with("error: 1 of 6 operators made mistakes\n"),
        "{stderr}"
    );

    let output = place.run("cpp --folder . --format json --only right --only faulty");
    assert_eq!(code(&output), 1);
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found["counts"]["ran"], 1, "{found}");
    assert_eq!(
        found["operators"][0]["mistakes"][0]["code"], "J0803",
        "{found}"
    );
    assert_eq!(
        found["operators"][1]["launch"]["tensors"][0]["shape"][1], 257,
        "{found}"
    );

    let output = place.run("cpp --folder math/right --format markdown");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let table = text(&output.stdout);
    assert!(table.contains("| right | ran | x f16[32,257]"), "{table}");
}

#[test]
fn parts_that_operators_share_and_macros_of_the_build_are_found() {
    let place = Place::new("cpp-folder-shared");
    place.file(".git/HEAD", "ref: refs/heads/main\n");
    place.file("common/inc/scale_add_tiling.h", TILING);
    place.file("common/inc/cores.h", "int CoresOf(int cores);\n");
    place.file(
        "common/src/cores.cpp",
        "#include \"cores.h\"\nint CoresOf(int cores)\n{\n    return cores / 8;\n}\n",
    );
    let host = with(
        HOST,
        "#include <algorithm>\n",
        "#include <algorithm>\n#include <cstdio>\n#include \"cores.h\"\n",
    );
    let host = with(
        &host,
        "platform.GetCoreNumAiv()",
        "(std::printf(\"of the host\\n\"), CoresOf(platform.GetCoreNumAiv()))",
    );
    // Operators in folders below `op_kernel` and `op_host` of one project.
    let kernel = with(
        KERNEL,
        "extern \"C\"",
        "static_assert(FACTOR == 2);\nextern \"C\"",
    );
    place.file("examples/both/op_host/scale_add/scale_add.cpp", &host);
    place.file("examples/both/op_kernel/scale_add/scale_add.cpp", &kernel);
    // Without an inference of shapes, an output is as its input.
    let (before, rest) = HOST
        .split_once("this->SetInferShape(")
        .expect("the inference");
    let (_, behind) = rest.split_once(");\n").expect("its end");
    let guessed = format!("{before}static_cast<void>(ge::InferShape);\n{behind}");
    place.file("examples/both/op_host/guessed/scale_add.cpp", &guessed);
    place.file("examples/both/op_kernel/guessed/scale_add.cpp", KERNEL);
    // The kernel writes the shape of its output, and a key has no branch.
    let computes = with(
        HOST,
        "this->Output(\"z\")",
        "this->Output(\"z\").OutputShapeDependOnCompute()",
    );
    let kernel = with(
        KERNEL,
        "GM_ADDR workspace",
        "GM_ADDR shapeOut, GM_ADDR workspace",
    );
    place.file("examples/shape/op_host/scale_add.cpp", computes);
    place.file("examples/shape/op_kernel/scale_add.cpp", kernel);
    let other_key = with(
        HOST,
        "SetTilingKey(context->GetOptionalInputShape(1) == nullptr ? 1 : 2)",
        "SetTilingKey(7)",
    );
    operator(&place, "examples/key", &other_key, KERNEL);

    let output = place.run("cpp --folder examples/both --format json --define FACTOR=2");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).expect("nothing but JSON");
    assert_eq!(found["counts"]["ran"], 2, "{found}");
    for operator in found["operators"].as_array().expect("operators") {
        let is_guess = operator["operator"] == "guessed";
        let launch = &operator["launch"];
        assert_eq!(launch["output_shapes_guessed"], is_guess, "{found}");
        assert_eq!(launch["blocks"], if is_guess { 47 } else { 6 }, "{found}");
    }
    let output = place.run("cpp --folder examples/shape");
    assert_eq!(code(&output), 0, "{}", text(&output.stdout));
    let output = place.run("cpp --folder examples/key");
    let stdout = text(&output.stdout);
    assert_eq!(code(&output), 1, "{stdout}");
    assert!(
        stdout.contains("no launch   the tiling key is 7, and no TILING_KEY_IS"),
        "{stdout}"
    );
    let output = place.run("cpp --folder examples/both --only scale_add");
    assert!(text(&output.stdout).contains("lacks FACTOR"));
}

#[test]
fn a_folder_without_operators_is_a_wrong_call() {
    let place = Place::new("cpp-folder-empty");
    place.file("readme.md", "no operators");
    for (line, part) in [
        ("cpp --folder .", "`.` has no operator"),
        ("cpp --folder none", "`none` cannot be read"),
        ("cpp --folder . --only x", "has no operator of these names"),
    ] {
        let output = place.run(line);
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), 2, "{line}: {stderr}");
        assert!(
            stderr.contains(part),
            "{line}: `{part}` is not in\n{stderr}"
        );
    }
}
