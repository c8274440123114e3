//! Custom operators: host file and kernel of a project.

use super::*;
use jumar_kit::tier;

#[test]
fn the_kernel_of_an_operator_project_finds_its_tiling_data() {
    let place = Place::new("cpp-operator");
    place.file("op_host/scale_tiling.h", OP_TILING);
    place.file("op_host/bare.h", OP_TILING.replace(';', ""));
    place.file("op_kernel/scale.cpp", OP_KERNEL);
    let values: Vec<f32> = (0..16).map(|i| i as f32).collect();
    place.file("x.npy", npy("<f4", "(16,)", &f32s(&values)));
    let all =
        "cpp op_kernel/scale.cpp --arg x=@x.npy --out z:f32[16]=@z.npy --scratch workspace=32 \
               --struct tiling=uint32_t:16,float:2.5 --define DTYPE_X=float --tiling-key 1";
    for tiling in ["scale_tiling", "bare"] {
        let output = place.run(&format!("{all} --tiling op_host/{tiling}.h"));
        assert_eq!(code(&output), 0, "{tiling}: {}", text(&output.stderr));
        assert_eq!(
            data(&place.0.join("z.npy")),
            f32s(&values.iter().map(|v| v * 2.5).collect::<Vec<_>>()),
            "{tiling}"
        );
    }
    place.file(
        "empty.h",
        "// REGISTER_TILING_DATA_CLASS(Scale, ScaleTilingData)\n",
    );
    for (line, exit, part) in [
        (all.to_string(), 1, "error[J0806]"),
        (
            format!("{all} --tiling empty.h"),
            2,
            "`empty.h` registers no tiling data (REGISTER_TILING_DATA_CLASS)",
        ),
        (
            format!("{all} --tiling none.h"),
            2,
            "`none.h` cannot be used",
        ),
    ] {
        let output = place.run(&line);
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), exit, "{line}: {stderr}");
        assert!(
            stderr.contains(part),
            "{line}: `{part}` is not in\n{stderr}"
        );
    }
}

/// A handwritten operator: host file, its header, kernel.
const SCALE_ADD: [(&str, &str); 3] = [
    (
        "op_host/scale_add.cpp",
        include_str!("../../../examples/handwritten/scale_add/op_host/scale_add.cpp"),
    ),
    (
        "op_host/scale_add_tiling.h",
        include_str!("../../../examples/handwritten/scale_add/op_host/scale_add_tiling.h"),
    ),
    (
        "op_kernel/scale_add.cpp",
        include_str!("../../../examples/handwritten/scale_add/op_kernel/scale_add.cpp"),
    ),
];
const BY_HOST: &str = "cpp op_kernel/scale_add.cpp --host op_host/scale_add.cpp";

fn operator_place(name: &str) -> Place {
    let place = Place::new(name);
    SCALE_ADD
        .iter()
        .for_each(|(name, text)| place.file(name, text));
    let values: Vec<f32> = (0..1001).map(|i| i as f32).collect();
    place.file("x.npy", npy("<f4", "(7, 143)", &f32s(&values)));
    place.file(
        "half.npy",
        npy(
            "<f2",
            "(5,)",
            &[0, 0x3c, 0, 0x40, 0, 0x42, 0, 0x44, 0, 0x45],
        ),
    ); // 1 2 3 4 5
    place
}

#[test]
fn the_host_file_of_an_operator_decides_how_its_kernel_runs() {
    let place = operator_place("cpp-host");
    for (line, said, want) in [
        (
            "--attr alpha=0.5",
            "ran 42 blocks of ascend910b1 on the CPU, tiling key 1, 32 bytes of tiling data",
            0.5,
        ),
        (
            "--arg bias=@x.npy",
            "ran 42 blocks of ascend910b1 on the CPU, tiling key 2, 32 bytes",
            2.0,
        ),
        (
            "--arg bias=@x.npy --attr alpha=2 --chip ascend910b4 --race 2",
            "ran 32 blocks of ascend910b4",
            3.0,
        ),
    ] {
        for z in ["z=@z.npy", "z:f32[7,143]=@z.npy"] {
            let output = place.run(&format!("{BY_HOST} --arg x=@x.npy --out {z} {line}"));
            assert_eq!(code(&output), 0, "{line}: {}", text(&output.stderr));
            let stdout = text(&output.stdout);
            assert!(
                stdout.contains(said) && stdout.ends_with("z: f32 [7, 143], in z.npy\n"),
                "{line}: {stdout}"
            );
            let values: Vec<f32> = (0..1001).map(|i| i as f32 * want).collect();
            assert_eq!(data(&place.0.join("z.npy")), f32s(&values), "{line}");
        }
    }
    let output = place.run(&format!(
        "{BY_HOST} --arg x=@x.npy --out z:f32[143,7]=@z.npy"
    ));
    let said = "note: operator ScaleAdd infers the shape [7, 143] for `z`, not [143, 7]\nz: f32 [143, 7], in z.npy\n";
    assert!(
        text(&output.stdout).ends_with(said),
        "{}",
        text(&output.stdout)
    );
    // A chip may take other types.
    let special =
        "OpAICoreConfig special;\n        special.Input(\"x\").ParamType(REQUIRED).DataType({ge::DT_FLOAT16});\n        \
                   this->AICore().AddConfig(\"ascend910b\", special);";
    place.file(
        "op_host/special.cpp",
        SCALE_ADD[0]
            .1
            .replace("this->AICore().AddConfig(\"ascend910b\");", special),
    );
    let output = place.run(
        "cpp op_kernel/scale_add.cpp --host op_host/special.cpp --arg x=@x.npy --out z=@z.npy",
    );
    let said =
        "does not take (x: DT_FLOAT); it takes (x: DT_FLOAT16, bias: DT_FLOAT16, z: DT_FLOAT16)";
    assert!(
        text(&output.stderr).contains(said),
        "{}",
        text(&output.stderr)
    );
    // The element types are those of the arrays, or of the call.
    place.file("half.bin", [0, 0x3c, 0, 0x40, 0, 0x42, 0, 0x44, 0, 0x45]);
    for x in ["x=@half.npy", "x:f16=@half.bin"] {
        let output = place.run(&format!(
            "{BY_HOST} --arg {x} --out z=@z.npy --attr alpha=2"
        ));
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
        assert_eq!(
            data(&place.0.join("z.npy")),
            [0, 0x40, 0, 0x44, 0, 0x46, 0, 0x48, 0, 0x49]
        );
    }
}

/// The toolkit's macros end with a semicolon themselves, or need none.
#[test]
fn macros_of_operators_need_no_semicolon() {
    let place = operator_place("cpp-host-semicolons");
    let without = |text: &str| -> String {
        let macros = [
            "TILING_DATA_FIELD_DEF",
            "END_TILING_DATA_DEF",
            "GET_TILING_DATA",
        ];
        let bare = |line: &str| match macros
            .iter()
            .any(|name| line.trim_start().starts_with(name))
        {
            true => format!("{}\n", line.replacen(';', "", 1)),
            false => format!("{line}\n"),
        };
        text.lines().map(bare).collect()
    };
    let tiling = without(SCALE_ADD[1].1);
    let kernel = without(SCALE_ADD[2].1).replace(
        "GET_TILING_DATA(",
        "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY)\n    GET_TILING_DATA(",
    );
    assert!(
        !tiling.contains("alpha);") && kernel.contains("AIV_ONLY"),
        "{kernel}"
    );
    place.file("op_host/scale_add_tiling.h", tiling);
    place.file("op_kernel/scale_add.cpp", kernel);
    let host = SCALE_ADD[0].1.replace(
        "OP_ADD(ScaleAdd);",
        "struct Known {};\nOP_ADD(ScaleAdd, Known);",
    );
    place.file("op_host/scale_add.cpp", host);
    let output = place.run(&format!(
        "{BY_HOST} --arg x=@x.npy --out z=@z.npy --attr alpha=2"
    ));
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let doubled = f32s(&(0..1001).map(|i| i as f32 * 2.0).collect::<Vec<_>>());
    assert_eq!(data(&place.0.join("z.npy")), doubled);
}

/// The definition is in one file, and the functions, registered separately and with facts of the
/// chip, in another; a second operator is beside them.
#[test]
fn host_files_may_be_several() {
    let place = operator_place("cpp-host-split");
    let (functions, definition) = SCALE_ADD[0].1.split_once("namespace ops {").unwrap();
    let definition = definition
        .replace(
            "this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);",
            "",
        )
        .replace("this->AICore().SetTiling(optiling::TilingFunc);", "");
    let other =
        "class Other : public OpDef {\npublic:\n    explicit Other(const char *name) : OpDef(name) {}\n};\nOP_ADD(Other);\n";
    place.file(
        "def.cpp",
        format!("#include \"register/op_def_registry.h\"\nnamespace ops {{\n{other}{definition}"),
    );
    let functions = functions
        .replace(
            "static ge::graphStatus TilingFunc",
            "struct Known {\n    uint32_t cores;\n};\nstatic ge::graphStatus TilingFunc",
        )
        .replace(
            "platform.GetCoreNumAiv()",
            "context->GetCompileInfo<Known>()->cores",
        );
    place.file(
        "op_host/functions.cpp",
        format!(
            "{functions}namespace optiling {{\nstatic ge::graphStatus Look(gert::TilingParseContext *context)\n{{\n    \
             auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());\n    \
             context->GetCompiledInfo<Known>()->cores = platform.GetCoreNumAiv() / 2;\n    return ge::GRAPH_SUCCESS;\n}}\n\
             IMPL_OP_OPTILING(ScaleAdd).Tiling(TilingFunc).TilingParse<Known>(Look);\n}}\n\
             IMPL_OP_INFERSHAPE(ScaleAdd).InferShape(ge::InferShape).InferDataType(ge::InferDataType);\n"
        ),
    );
    let kernel = "cpp op_kernel/scale_add.cpp --arg x=@x.npy --out z=@z.npy --host def.cpp";
    let output = place.run(&format!("{kernel} --host op_host/functions.cpp"));
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(
        text(&output.stdout).contains("ran 21 blocks"),
        "{}",
        text(&output.stdout)
    );
    let output = place.run(kernel);
    assert_eq!(code(&output), 2, "{}", text(&output.stderr));
    let said = "operator ScaleAdd does not infer `z`";
    assert!(
        text(&output.stderr).contains(said),
        "{}",
        text(&output.stderr)
    );
    let output = place.run(&kernel.replace("--out z=", "--out z:f32[7,143]="));
    let said = "operator ScaleAdd has no tiling function; AICore().SetTiling(f) or IMPL_OP_OPTILING(ScaleAdd) names it";
    assert!(
        text(&output.stderr).contains(said),
        "{}",
        text(&output.stderr)
    );
}

/// The framework binds by position, so a kernel may name tensors unlike the definition.
#[test]
fn tensors_have_the_names_of_kernel_and_definition() {
    let place = operator_place("cpp-host-names");
    let kernel = SCALE_ADD[2].1;
    let call = |file: &str| format!("cpp op_kernel/{file}.cpp --host op_host/scale_add.cpp");
    let signature = "scale_add(GM_ADDR x, GM_ADDR bias, GM_ADDR z,";
    assert!(kernel.contains(signature));
    let renamed = kernel
        .replace(signature, "scale_add(GM_ADDR a, GM_ADDR b, GM_ADDR c,")
        .replace("(x, bias, z,", "(a, b, c,");
    place.file("op_kernel/renamed.cpp", &renamed);
    // Its second tensor has the name of the definition's first.
    place.file(
        "op_kernel/crossed.cpp",
        renamed
            .replace("GM_ADDR b,", "GM_ADDR x,")
            .replace("(a, b, c,", "(a, x, c,"),
    );
    let three = f32s(&(0..1001).map(|i| i as f32 * 3.0).collect::<Vec<_>>());
    for (file, line) in [
        (
            "renamed",
            "--arg x=@x.npy --arg bias=@x.npy --out z=@out.npy",
        ),
        (
            "renamed",
            "--arg a=@x.npy --arg bias=@x.npy --out z:f32[7,143]=@out.npy",
        ),
        (
            "renamed",
            "--arg a=@x.npy --arg b=@x.npy --arg c=@x.npy --out z=@out.npy",
        ),
        ("crossed", "--arg a=@x.npy --arg x=@x.npy --out c=@out.npy"),
    ] {
        let output = place.run(&format!("{} {line} --attr alpha=2", call(file)));
        assert_eq!(code(&output), 0, "{file} {line}: {}", text(&output.stderr));
        assert_eq!(data(&place.0.join("out.npy")), three, "{file} {line}");
    }
    for (file, line, parts) in [
        (
            "renamed",
            "--arg y=@x.npy --out z=@z.npy",
            [
                "no parameter `y`",
                "`scale_add` takes (GM_ADDR a, GM_ADDR b, GM_ADDR c); operator ScaleAdd calls them (x, bias, z)",
            ],
        ),
        ("renamed", "--arg a=@x.npy --arg x=@x.npy --out z=@z.npy", ["`x` is given twice", "calls them (x, bias, z)"]),
        ("crossed", "--arg x=@x.npy --out z=@z.npy", ["`a` is missing; add --arg a=@FILE.npy", "jumar explain"]),
        ("scale_add", "--arg y=@x.npy --out z=@z.npy", ["no parameter `y`", "takes (GM_ADDR x, GM_ADDR bias, GM_ADDR z)\n"]),
    ] {
        let output = place.run(&format!("{} {line}", call(file)));
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), 2, "{file} {line}: {stderr}");
        parts.iter().for_each(|part| assert!(stderr.contains(part), "{file} {line}: `{part}` is not in\n{stderr}"));
    }
}

/// The second input has alpha and the shape of the output, and only host functions read it.
#[test]
fn host_functions_read_the_elements_of_inputs_that_they_depend_on() {
    let place = operator_place("cpp-host-elements");
    let numbers: Vec<u8> = [3i64, 143, 7]
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    place.file("numbers.npy", npy("<i8", "(3,)", &numbers));
    let bias = ".ParamType(OPTIONAL)\n            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})";
    let host = SCALE_ADD[0].1.replace(
        "tiling.set_alpha(*context->GetAttrs()->GetFloat(0));",
        "const int64_t *numbers = context->GetInputTensor(1)->GetData<int64_t>();\n    \
         if (numbers == nullptr) {\n        return ge::GRAPH_FAILED;\n    }\n    tiling.set_alpha(numbers[0]);",
    );
    let host = host.replace("context->GetOptionalInputShape(1) == nullptr ? 1 : 2", "1");
    assert!(host.contains("numbers") && host.contains(bias));
    let inferring = host.replace(
        "*context->GetInputShape(0);",
        "gert::Shape({context->GetRequiredInputTensor(1)->GetData<int64_t>()[1], 7});",
    );
    let declared = |host: &str, how: &str| {
        host.replace(
            bias,
            &format!(
                ".ParamType(REQUIRED)\n            .DataType({{ge::DT_INT64, ge::DT_INT64}}){how}"
            ),
        )
    };
    let three = f32s(&(0..1001).map(|i| i as f32 * 3.0).collect::<Vec<_>>());
    let line = "cpp op_kernel/scale_add.cpp --host op_host/depends.cpp --arg x=@x.npy --arg bias=@numbers.npy --out z=@z.npy";
    for (host, shape) in [
        (declared(&inferring, ".ValueDepend(OPTIONAL)"), "[143, 7]"),
        (declared(&inferring, "") + "IMPL_OP_INFERSHAPE(ScaleAdd).InputsDataDependency({1});\n", "[143, 7]"),
        (declared(&host, ".ValueDepend(REQUIRED, DependScope::TILING)"), "[7, 143]"),
        (
            declared(&host, "")
                + "IMPL_OP_OPTILING(ScaleAdd).TilingInputsDataDependency({1}, {gert::TilingPlacement::TILING_ON_HOST});\n",
            "[7, 143]",
        ),
    ] {
        place.file("op_host/depends.cpp", &host);
        let output = place.run(line);
        assert_eq!(code(&output), 0, "{host}: {}", text(&output.stderr));
        let stdout = text(&output.stdout);
        assert!(stdout.ends_with(&format!("z: f32 {shape}, in z.npy\n")), "{host}: {stdout}");
        assert_eq!(data(&place.0.join("z.npy")), three, "{host}");
    }
    let asked =
        "it asked for the elements of `bias`, which a host function has where the definition says so: ValueDepend(OPTIONAL)";
    for (host, exit, part) in [
        (
            declared(&host, ""),
            2,
            "error[J0605]: the tiling function of operator ScaleAdd fails",
        ),
        (
            declared(&inferring, ".ValueDepend(OPTIONAL, DependScope::TILING)"),
            1,
            "error[J0812]: the host file",
        ),
    ] {
        place.file("op_host/depends.cpp", &host);
        let output = place.run(line);
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), exit, "{host}: {stderr}");
        assert!(
            stderr.contains(part) && stderr.contains(asked),
            "{host}: `{part}` is not in\n{stderr}"
        );
    }
}

/// The headers have the short names of the toolkit's build.
#[test]
fn errors_that_an_operator_logs_are_told() {
    let place = operator_place("cpp-host-log");
    let host = |after: &str| {
        SCALE_ADD[0]
            .1
            .replace(
                "#include \"tiling/platform/platform_ascendc.h\"",
                "#include \"log/log.h\"\n#include \"util/math_util.h\"\n#include \"platform/platform_ascendc.h\"",
            )
            .replace(
                "context->SetBlockDim(",
                &format!(
                    "OP_CHECK_IF(total > Ops::Base::CeilAlign(3u, 4u), OP_LOGE(context, \"%u elements\", total), {after});\n    \
                     context->SetBlockDim("
                ),
            )
    };
    let line = format!("{BY_HOST} --arg x=@half.npy --out z=@z.npy --attr alpha=2");
    let said = "ScaleAdd:ScaleAdd: 5 elements (scale_add.cpp:";
    for (after, exit, part) in [
        (
            "return ge::GRAPH_FAILED",
            2,
            "error[J0605]: the tiling function of operator ScaleAdd fails for these tensors and attributes: ",
        ),
        ("", 0, "the operator logs an error: "),
    ] {
        place.file("op_host/scale_add.cpp", host(after));
        let output = place.run(&line);
        let all = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(code(&output), exit, "{after}: {all}");
        assert!(all.contains(&format!("{part}{said}")), "{after}: {all}");
    }
}

/// The toolkit's repositories keep what they have for other chips in other files.
#[test]
fn functions_of_other_chips_need_not_be_there() {
    let place = operator_place("cpp-host-other-chip");
    let host = SCALE_ADD[0]
        .1
        .replace(
            "static ge::graphStatus TilingFunc",
            "ge::graphStatus TileOther(gert::TilingContext *context, uint32_t total);\nstatic ge::graphStatus TilingFunc",
        )
        .replace(
            "ScaleAddTilingData tiling;",
            "if (total > 5) {\n        return TileOther(context, total);\n    }\n    ScaleAddTilingData tiling;",
        );
    place.file("op_host/scale_add.cpp", host);
    let line = |x: &str| format!("{BY_HOST} --arg x=@{x}.npy --out z=@z.npy --attr alpha=2");
    let output = place.run(&line("half"));
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let output = place.run(&line("x"));
    let stderr = text(&output.stderr);
    assert_eq!(code(&output), 1, "{stderr}");
    for part in [
        "error[J0812]: the host file",
        "none of the host files defines `optiling::TileOther`: --host takes several files",
    ] {
        assert!(stderr.contains(part), "`{part}` is not in\n{stderr}");
    }
}

/// Among combinations with equal element types the first with public formats counts.
#[test]
fn tensors_have_the_formats_of_the_definition() {
    let place = operator_place("cpp-host-formats");
    let host = SCALE_ADD[0].1.replace(
        "ScaleAddTilingData tiling;",
        "if (context->GetInputDesc(0)->GetOriginFormat() != ge::FORMAT_NCHW ||\n        \
         context->GetInputTensor(0)->GetStorageFormat() != ge::FORMAT_NCHW) {\n        return ge::GRAPH_FAILED;\n    }\n    \
         ScaleAddTilingData tiling;",
    );
    let listed = |formats: &str| {
        host.replace(
            "{ge::DT_FLOAT16, ge::DT_FLOAT}",
            "{ge::DT_FLOAT, ge::DT_FLOAT}",
        )
        .replacen("{ge::FORMAT_ND, ge::FORMAT_ND}", formats, 1)
    };
    for (formats, exit) in [
        ("{ge::FORMAT_NCHW, ge::FORMAT_ND}", 0),
        ("{ge::FORMAT_NC1HWC0, ge::FORMAT_NCHW}", 0),
        ("{ge::FORMAT_ND, ge::FORMAT_NCHW}", 2),
    ] {
        place.file("op_host/scale_add.cpp", listed(formats));
        let output = place.run(&format!("{BY_HOST} --arg x=@x.npy --out z=@z.npy"));
        assert_eq!(code(&output), exit, "{formats}: {}", text(&output.stderr));
    }
}

/// Host files query sizes of types and memories outside of their context.
#[test]
fn host_files_find_sizes_of_types_and_memories() {
    let place = operator_place("cpp-host-facts");
    let asked = "#include \"platform/platform_info.h\"\n\
                 static bool Asked(gert::TilingContext *context)\n{\n    \
                 const int64_t many = std::numeric_limits<int64_t>::max();\n    \
                 uint64_t ub = 0;\n    \
                 context->GetPlatformInfo()->GetLocalMemSize(fe::LocalMemType::UB, ub);\n    \
                 return ub == 196608 && ge::GetSizeInBytes(3, ge::DT_FLOAT16) == 6 && ge::GetSizeInBytes(0, ge::DT_INT64) == 0 &&\n        \
                 ge::GetSizeInBytes(4, ge::DT_INT4) == 2 && ge::GetSizeInBytes(5, ge::DT_INT4) == 3 &&\n        \
                 ge::GetSizeInBytes(0, ge::DT_INT4) == 0 && ge::GetSizeInBytes(-1, ge::DT_INT8) == -1 &&\n        \
                 ge::GetSizeInBytes(1, ge::DT_UNDEFINED) == -1 && ge::GetSizeInBytes(many, ge::DT_INT8) == many &&\n        \
                 ge::GetSizeInBytes(many / 2, ge::DT_FLOAT) == -1 && ge::GetSizeInBytes(many / 2, ge::DT_INT4) == -1;\n}\n";
    let host = SCALE_ADD[0].1.replace(
        "namespace optiling {",
        &format!("{asked}namespace optiling {{"),
    );
    let host = host.replacen(
        "return ge::GRAPH_SUCCESS;",
        "return Asked(context) ? ge::GRAPH_SUCCESS : ge::GRAPH_FAILED;",
        1,
    );
    place.file("op_host/facts.cpp", host);
    let output = place
        .run("cpp op_kernel/scale_add.cpp --host op_host/facts.cpp --arg x=@x.npy --out z=@z.npy");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
}

/// The operator writes its input, so its InferShape has no output to set.
#[test]
fn nothing_is_inferred_for_an_operator_without_outputs() {
    let place = operator_place("cpp-host-no-output");
    place.file(
        "op_host/update.cpp",
        SCALE_ADD[0]
            .1
            .replace("this->Output(\"z\")", "this->Input(\"z\")"),
    );
    let output = place
        .run("cpp op_kernel/scale_add.cpp --host op_host/update.cpp --arg x=@x.npy --arg z=@x.npy --out z=@z.npy --attr alpha=2");
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert_eq!(
        data(&place.0.join("z.npy")),
        f32s(&(0..1001).map(|i| i as f32 * 2.0).collect::<Vec<_>>())
    );
}

/// A kernel that updates `y`, which the operator has as input and output.
const AXPY: &str = include_str!("../../../codegen/tests/kernels/axpy.rs");

#[test]
fn an_emitted_operator_computes_what_its_kernel_means() {
    let place = Place::new("cpp-host-emitted");
    place.file("axpy.rs", AXPY);
    place.file(
        "x.npy",
        npy(
            "<f4",
            "(5, 16)",
            &f32s(&(0..80).map(|i| (i % 11) as f32).collect::<Vec<_>>()),
        ),
    );
    place.file(
        "y.npy",
        npy(
            "<f4",
            "(5, 16)",
            &f32s(&(0..80).map(|i| (i % 7) as f32 * 0.5).collect::<Vec<_>>()),
        ),
    );
    for line in [
        "emit axpy.rs --project msopgen --out axpy",
        "cpp axpy/op_kernel/axpy_custom.cpp --host axpy/op_host/axpy_custom.cpp --chip ascend310p --arg x=@x.npy --arg y=@y.npy --attr alpha=2 \
         --out y=@cpp.npy",
        "run axpy.rs --arg x=@x.npy --arg y=@y.npy --arg alpha=2 --out y=@simulated.npy",
    ] {
        let output = place.run(line);
        assert_eq!(code(&output), 0, "{line}: {}", text(&output.stderr));
    }
    assert_eq!(
        data(&place.0.join("cpp.npy")),
        data(&place.0.join("simulated.npy"))
    );
}

#[test]
fn an_operator_has_the_type_that_the_author_gives() {
    let place = Place::new("emit-op-type");
    place.file("axpy.rs", AXPY);
    assert_eq!(
        code(&place.run("emit axpy.rs --project msopgen --out own --op-type MyAxpy")),
        0
    );
    assert!(place.0.join("own/op_kernel/my_axpy.cpp").is_file());
    let refused = place.run("emit axpy.rs --project msopgen --out other --op-type my_axpy");
    assert_eq!(
        (
            code(&refused),
            text(&refused.stderr).contains("an operator type is PascalCase")
        ),
        (2, true)
    );
}

#[test]
fn what_an_operator_does_not_take_is_refused() {
    let place = operator_place("cpp-host-wrong");
    place.file("i4.npy", npy("<i4", "(2,)", &[0; 8]));
    let host = SCALE_ADD[0].1;
    let variants = [
        (
            "fails",
            host.replacen("return ge::GRAPH_SUCCESS;", "return ge::GRAPH_FAILED;", 1),
        ),
        (
            "null",
            host.replace("GetInputShape(0)->GetOrigin", "GetInputShape(7)->GetOrigin"),
        ),
        (
            "shapeless",
            host.replace("*context->GetInputShape(0);", "*context->GetInputShape(7);"),
        ),
        (
            "typeless",
            host.replace("GetInputDataType(0)", "GetInputDesc(7)->GetDataType()"),
        ),
        (
            "hasty",
            host.replace("this->Attr", "std::abort();\nthis->Attr"),
        ),
        ("typo", host.replace("set_alpha", "set_alfa")),
        (
            "constant",
            host.replace("uint16_t axes[AXES]", "const uint16_t axes[AXES]"),
        ),
        (
            "private",
            host.replace("tiling.set_total(total)", "tiling.total = total"),
        ),
        ("silent", host.replace("context->SetBlockDim", "(void)")),
        ("bare", host.replace("OP_ADD(ScaleAdd);", "")),
        ("guess", host.replace("SetInferShape(ge::InferShape).", "")),
        (
            "single",
            host.replace("ParamType(OPTIONAL)", "ParamType(REQUIRED)"),
        ),
        (
            "short",
            host.replace(
                "this->Attr",
                "this->Input(\"more\").ParamType(OPTIONAL);\nthis->Attr",
            ),
        ),
        (
            "loop",
            host.replace(".AttrType(OPTIONAL)", ".AttrType(REQUIRED)"),
        ),
    ];
    variants
        .iter()
        .for_each(|(name, text)| place.file(&format!("op_host/{name}.cpp"), text));
    let before = place.names();
    let x = "--arg x=@x.npy --out z=@z.npy";
    for (host, line, exit, part) in [
        ("scale_add", "--arg x=@x.npy", 2, "`z` is missing; add --out z=@FILE.npy"),
        ("scale_add", "--out z=@z.npy", 2, "`x` is missing; add --arg x=@FILE.npy"),
        ("scale_add", "--arg x=@x.npy --out bias=@y.npy --out z=@z.npy", 2, "`bias` is an input of operator ScaleAdd"),
        (
            "scale_add",
            "--arg x=@i4.npy --out z=@z.npy",
            2,
            "does not take (x: DT_INT32); it takes (x: DT_FLOAT16, bias: DT_FLOAT16",
        ),
        ("scale_add", "--arg x:u16=@half.npy --out z=@z.npy", 2, "does not take (x: DT_UINT16); it takes (x: DT_FLOAT16"),
        ("scale_add", "--arg x=@x.npy --out z:f16[7,143]=@z.npy", 2, "does not take (x: DT_FLOAT, z: DT_FLOAT16)"),
        ("scale_add", &format!("{x} --attr beta=1"), 2, "operator ScaleAdd has no attribute `beta`; it has alpha"),
        ("scale_add", &format!("{x} --attr alpha=fast"), 2, "`fast` is no value of attribute `alpha`"),
        ("scale_add", &format!("{x} --attr alpha"), 2, "`--attr alpha` has no NAME=VALUE"),
        ("scale_add", &format!("{x} --arg tiling=@x.npy"), 2, "kernel `scale_add` has no parameter `tiling`"),
        ("scale_add", &format!("{x} --block-dim 2"), 2, "cannot be used with '--block-dim <N>'"),
        ("scale_add", &format!("{x} --chip ascend310p"), 2, "has no AddConfig for ascend310p; it has ascend910b"),
        ("fails", x, 2, "the tiling function of operator ScaleAdd fails"),
        ("null", x, 1, "error[J0812]: the host file of the operator ended by a signal in the tiling function; what a"),
        ("shapeless", x, 1, "error[J0812]: the host file of the operator ended by a signal in InferShape"),
        ("typeless", x, 1, "error[J0812]: the host file of the operator ended by a signal in InferDataType"),
        ("hasty", x, 1, "error[J0812]: the host file of the operator ended by a signal in the definition of operators"),
        ("null", &format!("{x} --sanitize"), 1, "member call on null pointer"),
        ("typo", x, 1, "error[J0806]: the C++ compiler refuses `op_host/typo.cpp`"),
        ("constant", x, 1, "error[J0806]: the C++ compiler refuses `op_host/constant.cpp`"),
        ("private", x, 1, "error[J0806]: the C++ compiler refuses `op_host/private.cpp`"),
        ("silent", x, 2, "sets a block dim of 0; allowed are 1 to 65535"),
        ("bare", x, 2, "the host file registers no operator; it ends with OP_ADD(Type)"),
        ("guess", x, 2, "operator ScaleAdd does not infer `z`; write --out z:f32[8,16]=@FILE.npy"),
        ("single", x, 2, "`bias` is missing; add --arg bias=@FILE.npy"),
        ("short", x, 2, "has 3 inputs and 1 outputs; kernel scale_add takes 3 tensors before workspace and tiling"),
        ("loop", x, 2, "attribute `alpha` is missing; add --attr alpha=VALUE"),
        ("none", x, 2, "`op_host/none.cpp` cannot be used"),
    ] {
        if line.contains("--sanitize") && !tier::sanitizes() {
            continue;
        }
        let output = place.run(&format!("cpp op_kernel/scale_add.cpp --host op_host/{host}.cpp {line}"));
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), exit, "{host} {line}: {stderr}");
        assert!(stderr.contains(part), "{host} {line}: `{part}` is not in\n{stderr}");
        assert_eq!(place.names(), before, "{host} {line}");
    }
    let output =
        place.run("cpp op_kernel/scale_add.cpp --arg x=@x.npy --out z=@z.npy --attr alpha=1");
    assert_eq!(code(&output), 2);
    assert!(
        text(&output.stderr).contains("--host"),
        "{}",
        text(&output.stderr)
    );
}

/// An operator whose key chooses the template arguments of its kernel.
const STRETCH_KEYS: &str = r#"#pragma once
#include "ascendc/host_api/tiling/template_argument.h"
#define STRETCH_FIVE 5
struct StretchData {
    uint32_t length;
    float shift;
};
ASCENDC_TPL_ARGS_DECL(Stretch,
    ASCENDC_TPL_DATATYPE_DECL(T, C_DT_FLOAT, C_DT_FLOAT16, ASCENDC_TPL_INPUT(0)),
    ASCENDC_TPL_UINT_DECL(FACTOR, ASCENDC_TPL_4_BW, ASCENDC_TPL_UI_MIX, 1, 2, 3, 7, STRETCH_FIVE),
    ASCENDC_TPL_BOOL_DECL(SHIFTS, 0, 1),
);
ASCENDC_TPL_SEL(
    ASCENDC_TPL_ARGS_SEL(
        ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_AIV_ONLY),
        ASCENDC_TPL_DATATYPE_SEL(T, C_DT_FLOAT),
        ASCENDC_TPL_UINT_SEL(FACTOR, ASCENDC_TPL_UI_LIST, 7, 2),
        ASCENDC_TPL_BOOL_SEL(SHIFTS, 0, 1),
        ASCENDC_TPL_TILING_STRUCT_SEL(StretchData),
    ),
    ASCENDC_TPL_ARGS_SEL(
        ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_AIV_ONLY),
        ASCENDC_TPL_DATATYPE_SEL(T, C_DT_FLOAT16),
        ASCENDC_TPL_UINT_SEL(FACTOR, ASCENDC_TPL_UI_RANGE, 1, 2, 3),
        ASCENDC_TPL_BOOL_SEL(SHIFTS, 0),
    ),
    ASCENDC_TPL_ARGS_SEL(
        ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_MIX_AIC_1_2),
        ASCENDC_TPL_DATATYPE_SEL(T, C_DT_FLOAT16),
        ASCENDC_TPL_UINT_SEL(FACTOR, ASCENDC_TPL_UI_LIST, STRETCH_FIVE),
        ASCENDC_TPL_BOOL_SEL(SHIFTS, 1),
    ),
);
"#;
const STRETCH_HOST: &str = r#"#include "register/op_def_registry.h"
#include "../op_kernel/stretch_keys.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext *context)
{
    auto *data = context->GetTilingData<StretchData>();
    data->length = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    data->shift = 0.5f;
    context->SetBlockDim(1);
    const auto type = static_cast<uint32_t>(context->GetInputDesc(0)->GetDataType());
    const uint64_t factor = *context->GetAttrs()->GetInt(0);
    const bool shifts = *context->GetAttrs()->GetBool(1);
    ASCENDC_TPL_SEL_PARAM(context, type, factor, shifts);
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ops {
class Stretch : public OpDef {
public:
    explicit Stretch(const char *name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("z").ParamType(REQUIRED).DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Attr("factor").AttrType(OPTIONAL).Int(7);
        this->Attr("shifts").AttrType(OPTIONAL).Bool(true);
        this->AICore().SetTiling(optiling::TilingFunc).AddConfig("ascend910b");
    }
};
OP_ADD(Stretch);
} // namespace ops
"#;
const STRETCH_KERNEL: &str = r#"#include "kernel_operator.h"
#include "stretch_keys.h"
using namespace AscendC;

template <typename T, int FACTOR, bool SHIFTS>
__global__ __aicore__ void stretch(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    REGISTER_TILING_DEFAULT(StretchData);
    REGISTER_TILING_FOR_TILINGKEY("FACTOR == 7", StretchData);
    GET_TILING_DATA_WITH_STRUCT(StretchData, data, tiling);
    GlobalTensor<T> gx, gz;
    gx.SetGlobalBuffer((__gm__ T *)x, data.length);
    gz.SetGlobalBuffer((__gm__ T *)z, data.length);
    LocalTensor<T> a(TPosition::VECCALC, 0, data.length);
    DataCopy(a, gx, data.length);
    PipeBarrier<PIPE_ALL>();
    Muls(a, a, static_cast<T>(FACTOR), data.length);
    if constexpr (SHIFTS) {
        PipeBarrier<PIPE_V>();
        Adds(a, a, static_cast<T>(data.shift), data.length);
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, a, data.length);
}
"#;

fn stretch_place(name: &str) -> Place {
    let place = Place::new(name);
    place.file("op_kernel/stretch_keys.h", STRETCH_KEYS);
    place.file("op_host/stretch.cpp", STRETCH_HOST);
    place.file("op_kernel/stretch.cpp", STRETCH_KERNEL);
    let values: Vec<f32> = (0..16).map(|i| i as f32).collect();
    place.file("x.npy", npy("<f4", "(16,)", &f32s(&values)));
    place.file("h.npy", npy("<f2", "(16,)", &[0, 0x3c].repeat(16)));
    place
}

#[test]
fn a_tiling_key_chooses_the_template_arguments_of_a_kernel() {
    let place = stretch_place("cpp-host-template");
    let call = "cpp op_kernel/stretch.cpp";
    let by_host = format!("{call} --host op_host/stretch.cpp");
    let f32_out = "--arg x=@x.npy --out z:f32[16]=@z.npy";
    let f16_out = "--arg x=@h.npy --out z:f16[16]=@z.npy";
    // Tiling data of a launch without host files.
    let by_hand = "--scratch workspace=32 --struct tiling=uint32_t:16,float:0.5";
    let stretched =
        |by: f32, and: f32| f32s(&(0..16).map(|i| i as f32 * by + and).collect::<Vec<_>>());
    for (line, said, want) in [
        (
            format!("{by_host} {f32_out}"),
            "tiling key 4608 (T = C_DT_FLOAT, FACTOR = 7, SHIFTS = 1), 8 bytes of tiling data",
            stretched(7.0, 0.5),
        ),
        (
            format!("{by_host} {f32_out} --attr factor=2 --attr shifts=false"),
            "tiling key 0 (T = C_DT_FLOAT, FACTOR = 2, SHIFTS = 0)",
            stretched(2.0, 0.0),
        ),
        (
            format!("{by_host} {f16_out} --attr factor=3 --attr shifts=false"),
            "tiling key 257 (T = C_DT_FLOAT16, FACTOR = 3, SHIFTS = 0)",
            [0, 0x42].repeat(16),
        ),
        (
            format!("{by_host} --kernel stretch<float,3,false> {f32_out}"),
            "tiling key 4608, 8 bytes",
            stretched(3.0, 0.0),
        ),
        (
            format!("{call} {f32_out} {by_hand} --tiling-key 512"),
            "tiling key 512 (T = C_DT_FLOAT, FACTOR = 7, SHIFTS = 0)",
            stretched(7.0, 0.0),
        ),
        (
            format!("{call} {f32_out} {by_hand} --kernel stretch<float,5,1>"),
            "ran 1 block of ascend910b1 on the CPU\n",
            stretched(5.0, 0.5),
        ),
    ] {
        let output = place.run(&line);
        assert_eq!(code(&output), 0, "{line}: {}", text(&output.stderr));
        let stdout = text(&output.stdout);
        assert!(stdout.contains(said), "{line}: {stdout}");
        assert_eq!(data(&place.0.join("z.npy")), want, "{line}");
    }
    for (line, said) in [
        (
            format!("{call} --check"),
            "stretch: 6 combinations of ASCENDC_TPL_SEL compile for ascend910b1; 1 more are of cube cores or deterministic computation\n",
        ),
        (
            format!("{call} --check --kernel stretch<half,4,0>"),
            "stretch<half,4,0>: compiles for ascend910b1\n",
        ),
        (
            format!("{by_host} --check {f32_out}"),
            "stretch: compiles for ascend910b1\n",
        ),
    ] {
        let output = place.run(&line);
        assert_eq!(code(&output), 0, "{line}: {}", text(&output.stderr));
        assert_eq!(text(&output.stdout), said, "{line}");
    }
}

#[test]
fn a_tiling_key_of_no_instance_is_refused() {
    let place = stretch_place("cpp-host-template-wrong");
    for (name, from, to) in [
        (
            "few",
            "ASCENDC_TPL_SEL_PARAM(context, type, factor, shifts)",
            "ASCENDC_TPL_SEL_PARAM(context, type, factor)",
        ),
        (
            "byhand",
            "ASCENDC_TPL_SEL_PARAM(context, type, factor, shifts)",
            "context->SetTilingKey(9000)",
        ),
    ] {
        assert!(STRETCH_HOST.contains(from), "{name}");
        place.file(
            &format!("op_host/{name}.cpp"),
            STRETCH_HOST.replace(from, to),
        );
    }
    place.file(
        "op_kernel/untold.cpp",
        STRETCH_KERNEL.replace(
            "#include \"stretch_keys.h\"",
            "struct StretchData {\n    uint32_t length;\n    float shift;\n};",
        ),
    );
    place.file(
        "op_kernel/short.cpp",
        STRETCH_KERNEL
            .replace(", bool SHIFTS>", ">\n")
            .replace("SHIFTS", "true"),
    );
    let f32_out = "--arg x=@x.npy --out z:f32[16]=@z.npy";
    let f16_out = "--arg x=@h.npy --out z:f16[16]=@z.npy";
    for (kernel, host, line, part) in [
        (
            "stretch",
            "stretch",
            format!("{f32_out} --attr factor=9"),
            "error[J0605]: the tiling function of operator Stretch has no tiling key: GET_TPL_TILING_KEY: FACTOR is 9; its declaration \
             allows 2, 3, 7, 5",
        ),
        (
            "stretch",
            "few",
            f32_out.into(),
            "GET_TPL_TILING_KEY: 2 values are given, and ASCENDC_TPL_ARGS_DECL declares 3; give one for each, in its order",
        ),
        (
            "stretch",
            "stretch",
            format!("{f32_out} --attr factor=3"),
            "error[J0605]: tiling key 4352 of kernel `stretch` is no combination of ASCENDC_TPL_SEL: it says (T = C_DT_FLOAT, FACTOR = 3, \
             SHIFTS = 1); there is (T: C_DT_FLOAT; FACTOR: 7, 2; SHIFTS: 0, 1) or (T: C_DT_FLOAT16; FACTOR: 2, 3; SHIFTS: 0) or \
             (T: C_DT_FLOAT16; FACTOR: 5; SHIFTS: 1)",
        ),
        (
            "stretch",
            "byhand",
            f32_out.into(),
            "it says (T has no value 40, FACTOR = 5, SHIFTS = 0, 1 above all parameters)",
        ),
        (
            "stretch",
            "stretch",
            format!("{f16_out} --attr factor=5"),
            "tiling key 4865 of kernel `stretch` runs on cube cores (its kernel type is 7), and this build has vector cores only",
        ),
        (
            "untold",
            "stretch",
            f32_out.into(),
            "kernel `stretch` is a template of (typename T, int FACTOR, bool SHIFTS), and `op_kernel/untold.cpp` declares no tiling keys",
        ),
        ("untold", "stretch", f32_out.into(), "give its arguments: --kernel 'stretch<.., .., ..>'"),
        (
            "short",
            "stretch",
            f32_out.into(),
            "kernel `stretch` has 2 template parameters (typename T, int FACTOR), ASCENDC_TPL_ARGS_DECL declares 3 (T, FACTOR, SHIFTS)",
        ),
    ] {
        let output = place.run(&format!("cpp op_kernel/{kernel}.cpp --host op_host/{host}.cpp {line}"));
        let stderr = text(&output.stderr);
        assert_eq!(code(&output), 2, "{kernel} {host} {line}: {stderr}");
        assert!(stderr.contains(part), "{kernel} {host} {line}: `{part}` is not in\n{stderr}");
    }
}

const OP_TILING: &str = r#"#ifndef SCALE_TILING_H
#define SCALE_TILING_H
#include "register/tilingdata_base.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(ScaleTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF(float, factor);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Scale, ScaleTilingData)
}
#endif
"#;
const OP_KERNEL: &str = r#"#include "kernel_operator.h"
using namespace AscendC;

__aicore__ inline void Scale(GM_ADDR x, GM_ADDR z, const ScaleTilingData *data)
{
    GlobalTensor<DTYPE_X> gx, gz;
    gx.SetGlobalBuffer((__gm__ DTYPE_X *)x, data->length);
    gz.SetGlobalBuffer((__gm__ DTYPE_X *)z, data->length);
    LocalTensor<DTYPE_X> a(TPosition::VECCALC, 0, data->length);
    DataCopy(a, gx, data->length);
    PipeBarrier<PIPE_ALL>();
    Muls(a, a, data->factor, data->length);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, a, data->length);
}

extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(tilingData, tiling);
    if (TILING_KEY_IS(1)) {
        Scale(x, z, &tilingData);
    }
}
"#;
