//! The emitted C++ must compile without warnings and refer to the right things, whatever names a
//! kernel has.
//!
//! The hostile names come from the texts: every identifier of the emitted texts, every macro
//! visible in them, the keywords of C++ and the words of our AscendC headers. Each occurs once in
//! each position that a name can have in a kernel. Many kernels go through one run of the compiler.
//!
//! Further cases are names of the toolkit, text in comments, and unused parts of a kernel. The gate
//! draws one name in thirty; `JUMAR_HOSTILE=all` runs all of them.

use crate::bundle::{
    device_compiles, emitted, extensions_compile, gcc, operators_compile, programs_compile,
    single_sources_compile, write, Bundle,
};
use crate::common;
use jumar_codegen::{emit, names, EmitOptions, ProjectKind};
use jumar_dsl::check::{check, CheckedKernel};
use jumar_dsl::front::parse_file;
use jumar_dsl::soc::Chip;
use jumar_kit::tier;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::LazyLock;

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|w| !w.starts_with(|c: char| c.is_ascii_digit()))
}

/// Converts `xGm_` to the Rust name that becomes it: `x_gm`.
fn snake(word: &str) -> String {
    let (mut out, mut small) = (String::new(), false);
    for c in word.trim_matches('_').chars() {
        let word = small && c.is_ascii_uppercase();
        small = c.is_ascii_lowercase() || c.is_ascii_digit();
        out.extend(
            word.then_some('_')
                .into_iter()
                .chain([c.to_ascii_lowercase()]),
        );
    }
    out
}

/// Returns the code of a text, without comments and strings.
fn code(text: &str) -> String {
    let lines = text.lines().map(|l| {
        l.split("//")
            .next()
            .unwrap_or_default()
            .split('"')
            .step_by(2)
            .collect::<Vec<_>>()
            .join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

const KINDS: [ProjectKind; 4] = ProjectKind::ALL;

/// Keywords and macros of C++ that no text of ours contains.
const CPP: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class \
    co_await compl concept const consteval constexpr continue decltype default delete do double dynamic_cast else enum explicit \
    export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or \
    private protected public register requires return short signed sizeof static struct switch template this thread_local throw \
    true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq override final NULL EOF \
    min max assert errno stdin stdout stderr std INT64_MAX UINT32_C offsetof alloca putc va_arg restrict complex u8 L R \
    e_ __ _1 __x x__y a_b_ lambda src result options attr arg os global op_type impl_mode";

/// Returns every name that could have a meaning in an emitted text; macros with arguments only for
/// `functions`.
fn hostile(functions: bool) -> &'static [String] {
    static NAMES: LazyLock<[Vec<String>; 2]> = LazyLock::new(|| {
        let bundle = Bundle::new("macros", &["kernel_operator.h", "acl/acl.h"]);
        write(&bundle.dir.join("all.cpp"), &bundle.text);
        let macros = gcc(&["-dM", "-E"], &bundle.dir, "all.cpp");
        [false, true].map(|functions| hostile_names(functions, &macros))
    });
    &NAMES[usize::from(functions)]
}

/// Draws one name in thirty, at night each.
fn drawn(functions: bool) -> Vec<String> {
    let drawn: Vec<String> = hostile(functions)
        .iter()
        .filter(|word| tier::is_drawn("JUMAR_HOSTILE", 30, word))
        .cloned()
        .collect();
    assert!(
        drawn.len() > 10,
        "of {} names only {drawn:?} are drawn",
        hostile(functions).len()
    );
    drawn
}

fn hostile_names(functions: bool, macros: &str) -> Vec<String> {
    let mut all: BTreeSet<String> = BTreeSet::new();
    let mut add = |word: &str| {
        all.insert(snake(word));
        // Emitted names have suffixes: a member an underscore, a tensor `Gm`, `Local` and so on.
        if let Some(stem) = word.strip_suffix('_') {
            all.insert(snake(stem));
        }
    };
    for (kernel, _) in common::KERNELS {
        for kind in KINDS {
            let project = emit(
                &common::checked(kernel),
                &EmitOptions {
                    kind,
                    ..EmitOptions::default()
                },
            );
            let sources = project.files.iter().filter(|f| {
                [".cpp", ".h", ".asc"]
                    .iter()
                    .any(|end| f.path.ends_with(end))
            });
            sources.for_each(|f| identifiers(&code(&f.text)).for_each(&mut add));
        }
    }
    for line in macros.lines() {
        let name = identifiers(line.trim_start_matches("#define "))
            .next()
            .unwrap_or_default();
        // A macro with arguments matters only before a bracket, where a function is called.
        let plain = !line.contains(&format!(" {name}("));
        if name.starts_with(|c: char| c.is_ascii_lowercase()) && (plain || functions) {
            add(name);
        }
    }
    CPP.split(' ').for_each(|w| {
        all.insert(w.to_string());
    });
    let own = ["", "self", "super", "crate", "r", "_"];
    all.into_iter()
        .filter(|w| !own.contains(&w.as_str()) && !w.starts_with("zz"))
        .collect()
}

/// Returns a name as Rust writes it.
fn rust(word: &str) -> String {
    const KEYWORDS: &str =
        "as break const continue else enum extern false fn for if impl in let loop match mod move mut pub ref \
        return static struct trait true type unsafe use where while async await dyn abstract become box do final macro override \
        priv typeof unsized virtual yield try";
    if KEYWORDS.split_whitespace().any(|k| k == word) {
        format!("r#{word}")
    } else {
        word.to_string()
    }
}

/// Checks the kernel, or returns the codes with which the language refuses its names.
fn checked(text: &str) -> Result<CheckedKernel, String> {
    let parsed = parse_file(text).map_err(|(d, _)| format!("{} {}", d.code, d.message))?;
    let first = parsed.into_iter().next().ok_or("no kernel")?;
    let said = |list: &[jumar_dsl::diag::Diagnostic]| {
        list.iter()
            .map(|d| format!("{} {}", d.code, d.message))
            .collect::<Vec<_>>()
            .join("; ")
    };
    let kernel = first.kernel.ok_or_else(|| said(&first.diagnostics))?;
    check(&kernel, Chip::default_chip()).map_err(|d| said(&d))
}

/// Makes an element-wise kernel with attributes, tensors and tiles of these names.
fn tile_kernel(name: &str, at: usize, words: &[String]) -> String {
    let role = |i: usize| (i + at) % 4;
    let (mut params, mut body) = (
        String::new(),
        String::from("        let zz = zz_in.at(zz_t).load().cast::<f32>();\n"),
    );
    let mut last = "zz".to_string();
    for (i, word) in words.iter().enumerate() {
        let word = rust(word);
        match role(i) {
            0 => {
                let _ = write!(params, "{word}: &GlobalTensor<T>, ");
                let _ = writeln!(
                    body,
                    "        let {last} = {last} + {word}.at(zz_t).load().cast::<f32>();"
                );
            }
            1 => {
                let _ = write!(params, "{word}: f32, ");
                let _ = writeln!(body, "        let {last} = {last} * {word};");
            }
            2 => {
                let _ = writeln!(body, "        let {word} = {last} + 1.0;");
                last = word;
            }
            _ => {
                let _ = write!(params, "{word}: i32, ");
                let _ = writeln!(body, "        let {last} = {last} * ({word} as f32);");
            }
        }
    }
    format!(
        "#[kernel]\n#[instances(f16, f32)]\npub fn {name}<T: Float>(zz_in: &GlobalTensor<T>, {params}zz_out: &mut GlobalTensor<T>) {{\n    \
         for zz_t in tiles(zz_in) {{\n{body}        zz_out.at(zz_t).store({last}.cast::<T>());\n    }}\n}}\n"
    )
}

/// Makes a kernel with axes, queues, buffers, local tensors, scalars, loop variables and element
/// type parameters of these names.
fn queue_kernel(name: &str, words: &[String; 8]) -> String {
    let [axis, q, b, local, scalar, index, attr, ty] = words.each_ref().map(|w| rust(w));
    format!(
        "#[kernel]\n#[instances(f16, f32)]\npub fn {name}<{ty}: Float>(#[shape({axis})] zz_x: &GlobalTensor<{ty}>, #[shape({axis})] zz_y: &mut \
         GlobalTensor<{ty}>, {attr}: i32) {{
    let zz_share = split({axis}).unit(64);
    let mut zz_pipe = TPipe::new();
    let mut {q} = TQue::<VecIn, 1>::new();
    let mut zz_o = TQue::<VecOut, 1>::new();
    let mut {b} = TBuf::<VecCalc>::new();
    zz_pipe.init_buffer(&mut {q}, 2, 256);
    zz_pipe.init_buffer(&mut zz_o, 2, 256);
    zz_pipe.init_buffer(&mut {b}, 1, 256);
    let zz_work = {b}.get::<{ty}>();
    let {scalar} = zz_share.len().div_ceil(64);
    for {index} in 0..{scalar} {{
        let zz_n = (64).min(zz_share.len() - {index} * 64);
        let zz_at = zz_share.start() + {index} * 64;
        let {local} = {q}.alloc_tensor::<{ty}>();
        data_copy_pad(&{local}, zz_x.slice(zz_at, zz_n));
        {q}.enque({local});
        let {local} = {q}.deque::<{ty}>();
        let zz_l = zz_o.alloc_tensor::<{ty}>();
        vec::adds(&zz_work, &{local}, {attr}, zz_n);
        vec::add(&zz_l, &zz_work, &{local}, zz_n);
        {q}.free_tensor({local});
        zz_o.enque(zz_l);
        let zz_l = zz_o.deque::<{ty}>();
        data_copy_pad(zz_y.slice(zz_at, zz_n), &zz_l);
        zz_o.free_tensor(zz_l);
    }}
}}\n"
    )
}

#[test]
fn names_of_tensors_attributes_and_tiles_never_meet_those_of_the_texts() {
    let words = drawn(false);
    let mut kernels = Vec::new();
    let mut refused = Vec::new();
    for at in 0..4 {
        for (i, part) in words.chunks(32).enumerate() {
            let text = tile_kernel(&format!("zz_tile_{at}_{i}"), at, part);
            match checked(&text) {
                Ok(kernel) => kernels.push(kernel),
                Err(said) => refused.push(format!("{part:?}: {said}\n{text}")),
            }
        }
    }
    assert!(
        refused.is_empty(),
        "{} of {}: {}",
        refused.len(),
        kernels.len(),
        refused.join("\n\n")
    );
    device_compiles("tile", &kernels, "");
    programs_compile("tile", &kernels);
    extensions_compile("tile", &kernels);
    operators_compile("tile", &kernels);
}

#[test]
fn names_of_axes_queues_scalars_and_loops_never_meet_those_of_the_texts() {
    let words = drawn(false);
    let mut kernels = Vec::new();
    let mut refused = Vec::new();
    for i in 0..words.len() {
        let mut pick: [String; 8] = std::array::from_fn(|p| words[(i + p) % words.len()].clone());
        // The language's words for element types cannot be parameters.
        if ["bool", "u8", "i32", "f32"].contains(&pick[7].as_str()) {
            pick[7] = "zz_ty".into();
        }
        let text = queue_kernel(&format!("zz_queue_{i}"), &pick);
        match checked(&text) {
            Ok(kernel) => kernels.push(kernel),
            Err(said) => refused.push(format!("{pick:?}: {said}\n{text}")),
        }
    }
    assert!(
        refused.is_empty(),
        "{} of {}: {}",
        refused.len(),
        kernels.len(),
        refused.join("\n\n")
    );
    device_compiles("queue", &kernels, "");
}

/// Makes a kernel of this name that doubles a tensor.
fn twice(name: &str) -> CheckedKernel {
    let text = format!(
        "#[kernel]\npub fn {name}(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {{\n    for t in tiles(x) {{\n        y.at(t).store(\
         x.at(t).load() * 2.0);\n    }}\n}}\n"
    );
    checked(&text).unwrap_or_else(|said| panic!("{name}: {said}"))
}

#[test]
fn operators_that_the_toolkit_has_types_for_compile_beside_them() {
    // Types that kernel_tiling.h of CANN 9 defines in the global namespace, so that every `.asc`
    // source sees them.
    let types = "LogSoftMaxTiling SoftMaxTiling TConv3DApiTiling Conv3DBackpropFilterTilingData Conv3DBackpropInputTilingData \
                 TCubeTiling BatchNormTiling DeepNormTiling GroupNormTiling LayerNormGradTiling LayerNormTiling \
                 LayerNormSeparateTiling RmsNormTiling UnPadTiling PadTiling TopkTiling ConfusionTransposeTiling";
    let mut prelude = String::new();
    let mut kernels = Vec::new();
    for ty in types.split_whitespace() {
        // The headers for the CPU have these.
        let known = ["SoftMaxTiling", "RmsNormTiling", "LayerNormSeparateTiling"];
        if !known.contains(&ty) {
            let _ = writeln!(
                prelude,
                "namespace AscendC {{ namespace tiling {{ struct {ty} {{}}; }} }}"
            );
        }
        let _ = writeln!(prelude, "using AscendC::tiling::{ty};");
        let op = ty.trim_end_matches("Data").trim_end_matches("Tiling");
        kernels.push(twice(&snake(op).replace("3d_", "3_d_")));
    }
    device_compiles("toolkit", &kernels, &prelude);
}

#[test]
fn attributes_of_operators_have_names_that_the_operator_build_takes() {
    // Names of variables and keywords in the Python function that the build writes for an operator.
    let words = "lambda src result options attr arg os global op_type impl_mode is not src_attr";
    let attrs: String = words
        .split(' ')
        .map(|w| format!("{}: f32, ", rust(w)))
        .collect();
    let sum: String = words
        .split(' ')
        .map(|w| format!(" * {}", rust(w)))
        .collect();
    let head = format!("x: &GlobalTensor<f32>, {attrs}y: &mut GlobalTensor<f32>");
    let text =
        format!("#[kernel]\npub fn zz_attrs({head}) {{\n    for t in tiles(x) {{ y.at(t).store(x.at(t).load(){sum}); }}\n}}\n");
    let project = emitted(
        &checked(&text).unwrap_or_else(|said| panic!("{said}")),
        ProjectKind::Msopgen,
    );
    let host = project
        .text("op_host/zz_attrs_custom.cpp")
        .expect("the host file");
    let names: Vec<&str> = host
        .split("this->Attr(\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    let taken =
        "lambdaAttr srcAttr1 resultAttr optionsAttr attrAttr argAttr osAttr globalAttr opType implMode isAttr not1 srcAttr";
    assert_eq!(names.join(" "), taken);
    let json = project
        .text("zz_attrs_custom.json")
        .expect("the description");
    assert!(
        names
            .iter()
            .all(|name| json.contains(&format!("\"name\": \"{name}\""))),
        "{json}"
    );
    let readme = project.text("README.md").expect("the page");
    assert!(
        readme.contains(
            "keeps for itself have others: `lambda` is `lambdaAttr`, `src` is `srcAttr1`, "
        ),
        "{readme}"
    );
}

#[test]
fn kernels_may_have_any_name() {
    let mut kernels = Vec::new();
    let mut stems = BTreeSet::new();
    for word in drawn(true) {
        let kernel = twice(&rust(&word));
        // Names that differ only in case or underscores are one operator, and a bundle has room for
        // one of them.
        if stems.insert(names(&kernel).op) {
            kernels.push(kernel);
        }
    }
    device_compiles("kernel", &kernels, "");
    operators_compile("kernel", &kernels);
}

#[test]
fn what_a_kernel_does_not_use_leaves_no_trace_that_warns() {
    let bodies = [
        "for c in tiles(d) { let v = x.at(r, c).load(); } y.at(r, ..).store(x.at(r, ..).load());",
        "for c in tiles(d) { let at = c.start(); } for c in tiles(d) { y.at(r, c).store(x.at(r, c).load()); }",
        "for i in 0..4 { let twice = i * 2; } y.at(r, ..).store(x.at(r, ..).load());",
        "if alpha > 1.0 { let v = x.at(r, ..).load(); } y.at(r, ..).store(x.at(r, ..).load());",
        "let v = x.at(r, ..).load() + 1.0; let w = v.amax(d); y.at(r, ..).store(x.at(r, ..).load());",
        "let rows = r.len(); let n = alpha + 1.0; let z = full((r, d), n); y.at(r, ..).store(x.at(r, ..).load());",
    ];
    let kernels: Vec<CheckedKernel> = bodies
        .iter()
        .enumerate()
        .map(|(i, body)| {
            let head = "#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, alpha: f32";
            let doc = "/// C:\\\n/// why ??/\n/// */ /* \u{202e} größe\n";
            let text = format!("{doc}#[kernel]\npub fn zz_unused_{i}({head}) {{\n    for r in tiles(n) {{ {body} }}\n}}\n");
            checked(&text).unwrap_or_else(|said| panic!("{body}: {said}"))
        })
        .collect();
    device_compiles("unused", &kernels, "");
    programs_compile("unused", &kernels);
    single_sources_compile("unused", &kernels);
    operators_compile("unused", &kernels);
}
