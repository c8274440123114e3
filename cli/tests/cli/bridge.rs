//! Tests of `jumar bridge` from outside.

use super::{code, text, Place};

/// A kernel whose lists have a tensor and a number for each item.
const LISTS: &str = "use jumar::prelude::*;

#[kernel]
pub fn scaled(xs: &[GlobalTensor<f32>], ys: &mut [GlobalTensor<f32>], alphas: &[f32]) {
    for (x, y, alpha) in zip((xs, ys, alphas)) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load() * alpha);
        }
    }
}
";

#[test]
fn a_kernel_is_printed_between_the_markers_of_npukernelbench() {
    let place = Place::new("bridge");
    place.file("scaled.rs", LISTS);
    let line = "bridge npukernelbench scale.rs --op-type ScaleAll --dtype T=f16 --shape x=48,1024 --arg alpha=1.5";
    let output = place.run(line);
    assert_eq!((code(&output), text(&output.stderr).as_str()), (0, ""));
    let reply = text(&output.stdout);
    assert!(
        reply.starts_with("<kernel_impl>\n```cpp\n") && reply.ends_with("\n```\n</kernel_impl>\n"),
        "{reply}"
    );
    assert!(
        reply.contains("void scale_all(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)\n"),
        "{reply}"
    );
    assert!(
        reply.contains("T=f16, x 48x1024, alpha 1.5.") && reply.contains("LocalTensor<float16_t>"),
        "{reply}"
    );
    let bare = place.run(&format!("{line} --bare --out answer.cpp"));
    assert_eq!((code(&bare), text(&bare.stdout).as_str()), (0, ""));
    assert_eq!(
        format!(
            "<kernel_impl>\n```cpp\n{}```\n</kernel_impl>\n",
            place.read("answer.cpp")
        ),
        reply
    );
    let params = place.run(&format!("{line} --bare --params alpha,x,shape,y"));
    let head =
        "void scale_all(GM_ADDR alpha, GM_ADDR x, GM_ADDR shape, GM_ADDR y, GM_ADDR workspace)\n";
    assert!(
        text(&params.stdout).contains(head),
        "{}",
        text(&params.stdout)
    );
    let listed = place.run(
        "bridge npukernelbench scaled.rs --shape xs=7,13 --shape xs=3,4099 --arg alphas=0.5,2",
    );
    let listed = (code(&listed), text(&listed.stdout));
    assert!(
        listed.0 == 0 && listed.1.contains("xs 7x13 and 3x4099, alphas 0.5 and 2.0."),
        "{}",
        listed.1
    );
    assert!(
        listed.1.contains("xsDesc.GetDataPtr<uint8_t>(1)"),
        "{}",
        listed.1
    );
}

#[test]
fn six_texts_are_printed_for_multikernelbench() {
    let place = Place::new("bridge-six");
    let output = place.run("bridge multikernelbench scale.rs --task scaling");
    let file = text(&output.stdout);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    for part in [
        "project_json_src = r'''[",
        "model_src = r'''import torch\n",
        "\"op\": \"ScalingCustom\"",
        "m.def(\"scaling_custom\"",
    ] {
        assert!(file.contains(part), "{part}\n{file}");
    }
    assert!(
        file.contains("def __init__(self, alpha: float = 2.0) -> None:"),
        "{file}"
    );
}

#[test]
fn a_form_that_a_kernel_does_not_have_is_refused_and_leaves_nothing() {
    let place = Place::new("bridge-refused");
    place.file("scaled.rs", LISTS);
    place.file(
        "two.rs",
        format!(
            "{}{}",
            super::KERNELS,
            super::KERNELS
                .replace("scale<", "other<")
                .replace("use jumar::prelude::*;", "")
        ),
    );
    let before = place.names();
    for (line, exit, what) in [
        (
            "npukernelbench scale.rs --shape x=4 --out a.cpp",
            2,
            "is one of several instances: T=f16",
        ),
        (
            "npukernelbench scale.rs --dtype T --shape x=4 --out a.cpp",
            2,
            "`--dtype T` has no PARAMETER=TYPE",
        ),
        (
            "npukernelbench scale.rs --dtype T=f8 --shape x=4 --out a.cpp",
            2,
            "`f8` is no element type",
        ),
        (
            "npukernelbench scale.rs --dtype T=i32 --shape x=4 --out a.cpp",
            2,
            "has no such instance",
        ),
        (
            "npukernelbench scale.rs --dtype T=f16 --out a.cpp",
            2,
            "J0603",
        ),
        (
            "npukernelbench scale.rs --dtype T=f16 --shape y=4 --shape z=4 --out a.cpp",
            2,
            "no parameter `z`",
        ),
        (
            "npukernelbench scaled.rs --shape xs=4 --shape xs=5 --arg alphas=1 --out a.cpp",
            2,
            "lists are equally long",
        ),
        (
            "npukernelbench scaled.rs --arg alphas=1 --out a.cpp",
            2,
            "the list `xs` of kernel `scaled` was not given",
        ),
        ("npukernelbench bad.rs --shape x=4 --out a.cpp", 1, "J02"),
        (
            "npukernelbench two.rs --shape x=4 --out a.cpp",
            2,
            "an answer is one kernel",
        ),
        (
            "npukernelbench scale.rs --op-type scale --out a.cpp",
            2,
            "PascalCase",
        ),
        (
            "npukernelbench scale.rs --dtype T=f16 --shape x=4 --params x --out a.cpp",
            2,
            "the parameters name `y` 0 times",
        ),
        (
            "npukernelbench scale.rs --dtype T=f16 --shape x=4 --params x,y,y --out a.cpp",
            2,
            "the parameters name `y` 2 times",
        ),
        (
            "npukernelbench scale.rs --dtype T=f16 --shape x=4 --params x,y,0 --out a.cpp",
            2,
            "`0` is no name of a parameter",
        ),
        (
            "multikernelbench scaled.rs --out a.py",
            2,
            "`xs` of kernel `scaled` is a list",
        ),
        (
            "multikernelbench scale.rs --task Elu --out a.py",
            2,
            "a task is named in snake_case",
        ),
        (
            "multikernelbench scale.rs --out no/such/a.py",
            2,
            "cannot be written",
        ),
        ("multikernelbench gone.rs", 2, "cannot be read"),
    ] {
        let output = place.run(&format!("bridge {line}"));
        assert_eq!(
            (code(&output), text(&output.stdout).as_str()),
            (exit, ""),
            "{line}"
        );
        assert!(
            text(&output.stderr).contains(what),
            "{line}: {}",
            text(&output.stderr)
        );
        assert_eq!(place.names(), before, "{line}");
    }
}
