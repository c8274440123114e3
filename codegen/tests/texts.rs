//! Laws of the emitted texts, whatever their wording: nothing is unused, no blank line is stray,
//! and the reader's information is true.

use crate::common;
use jumar_codegen::{emit, names, tiling_header, EmitOptions, Project, ProjectKind};
use jumar_dsl::check::{check, CheckedKernel};
use jumar_dsl::front::parse_file;
use jumar_dsl::ir::text::to_text;
use jumar_dsl::ir::Kernel;
use jumar_dsl::ir::Per;
use jumar_dsl::soc::Chip;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

fn emitted(name: &str, kernel: &CheckedKernel, kind: ProjectKind) -> Project {
    emit(
        kernel,
        &EmitOptions {
            kind,
            source_name: Some(format!("{name}.rs")),
            ..EmitOptions::default()
        },
    )
}

/// A kernel with its name and source, and its projects of every kind.
type Emitted = (
    &'static str,
    &'static str,
    CheckedKernel,
    [(ProjectKind, Project); 4],
);

/// Every kernel, emitted once for all tests.
static EMITTED: LazyLock<Vec<Emitted>> = LazyLock::new(|| {
    let all = common::KERNELS.iter().map(|(name, source)| {
        let kernel = common::checked_text(name, source);
        let projects = ProjectKind::ALL.map(|kind| (kind, emitted(name, &kernel, kind)));
        (*name, *source, kernel, projects)
    });
    all.collect()
});

/// Calls `f` with every kernel in every kind of project.
fn each_project(f: impl Fn(&str, &str, &CheckedKernel, ProjectKind, &Project)) {
    for (name, source, kernel, projects) in EMITTED.iter() {
        projects
            .iter()
            .for_each(|(kind, project)| f(name, source, kernel, *kind, project));
    }
}

/// Returns the text of all C++ files, and the namespace of the kernel.
fn cpp(project: &Project) -> (String, &str) {
    let of_cpp = |path: &str| [".cpp", ".h", ".asc"].iter().any(|end| path.ends_with(end));
    let all = project
        .files
        .iter()
        .filter(|f| of_cpp(&f.path))
        .map(|f| f.text.as_str())
        .collect::<Vec<_>>()
        .join("\n");
    let kernel = project
        .files
        .iter()
        .find(|f| f.text.contains("__global__"))
        .expect("the kernel");
    let own = kernel
        .text
        .split("} // namespace")
        .next()
        .expect("a namespace");
    (all, own)
}

/// Splits a text into words as C++ does, without comments and strings.
fn words(text: &str) -> Vec<&str> {
    let lines = text.lines().map(|l| l.split("//").next().unwrap_or(l));
    lines
        .flat_map(|l| {
            l.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                .filter(|w| !w.is_empty())
        })
        .collect()
}

/// Counts each word of a text.
fn counts(text: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    words(text)
        .into_iter()
        .for_each(|word| *counts.entry(word).or_insert(0) += 1);
    counts
}

fn times(text: &str, word: &str) -> usize {
    words(text).into_iter().filter(|w| *w == word).count()
}

#[test]
fn what_a_text_declares_it_uses() {
    each_project(|name, _, _, kind, project| {
        let (all, kernel) = cpp(project);
        let times =
            |counts: &HashMap<&str, usize>, word: &str| counts.get(word).copied().unwrap_or(0);
        let in_all = counts(&all);
        let mut idle = Vec::new();
        for class in kernel
            .split("\nclass ")
            .skip(1)
            .filter_map(|c| c.split("\n};").next())
        {
            let in_class = counts(class);
            let members = class
                .lines()
                .filter(|l| l.starts_with("    ") && !l.starts_with("     ") && l.ends_with(';'));
            for member in members.filter_map(|l| {
                l.trim_end_matches(';')
                    .split(" = ")
                    .next()?
                    .rsplit(' ')
                    .next()
            }) {
                // In `TPipe *pipe_` and `TEventID ids_[2]`, star and brackets are no part of the
                // name.
                let member = member
                    .trim_start_matches('*')
                    .split('[')
                    .next()
                    .unwrap_or_default();
                // A member is declared, set in `Init`, and read.
                idle.extend((times(&in_class, member) < 3).then(|| member.to_string()));
            }
            for body in class
                .split("\n    {\n")
                .skip(1)
                .filter_map(|b| b.split("\n    }\n").next())
            {
                let in_body = counts(body);
                idle.extend(
                    locals(body)
                        .into_iter()
                        .filter(|local| times(&in_body, local) < 2)
                        .map(str::to_string),
                );
            }
        }
        let constants = all.lines().filter_map(|l| {
            l.strip_prefix("constexpr ")?
                .split(" = ")
                .next()?
                .rsplit(' ')
                .next()
        });
        idle.extend(
            constants
                .filter(|c| times(&in_all, c.trim_end_matches("[]")) < 2)
                .map(str::to_string),
        );
        let inline = all
            .lines()
            .filter(|l| l.contains("inline ") && l.contains('('))
            .filter_map(|l| l.split('(').next()?.rsplit(' ').next());
        let inline = inline.filter(|f| !f.is_empty() && !f.starts_with(['&', '*']));
        // Functions for a main program, a host or the entries are declared in one place and called
        // in another.
        let called =
            |f: &&str| times(&in_all, f) > 1 || kind == ProjectKind::Direct && *f == "InferShapes";
        idle.extend(inline.filter(|f| !called(f)).map(str::to_string));
        assert!(idle.is_empty(), "{name}, {kind}: {idle:?} in\n{kernel}");
    });
}

/// Returns the names of the variables that a method declares: `const int64_t n = ..`,
/// `LocalTensor<float> xLocal = ..`, `LocalTensor<float> xLocal(..)`.
fn locals(body: &str) -> Vec<&str> {
    let declared = |l: &&str| {
        [
            "const ",
            "int64_t ",
            "int32_t ",
            "float ",
            "bool ",
            "LocalTensor<",
        ]
        .iter()
        .any(|ty| l.starts_with(ty))
    };
    let lines = body.lines().map(str::trim).filter(declared);
    lines
        .filter_map(|l| {
            l.split(" = ")
                .next()?
                .split(['(', '['])
                .next()?
                .rsplit(' ')
                .next()
        })
        .collect()
}

#[test]
fn each_member_of_the_tiling_data_is_set_on_the_host_and_read_on_a_core() {
    each_project(|name, _, kernel, kind, project| {
        let (all, device) = cpp(project);
        let names = names(kernel);
        for field in &names.fields {
            let (set, read) = (
                format!("out.data.{} = ", field.member),
                format!("tiling.{}", field.member),
            );
            assert!(
                all.contains(&set) && device.contains(&read),
                "{name}, {kind}: {}",
                field.member
            );
        }
        // The struct has a multiple of 8 bytes on both sides.
        let head = if kind == ProjectKind::Msopgen {
            "BEGIN_TILING_DATA_DEF("
        } else {
            "struct "
        };
        let data = if kind == ProjectKind::Msopgen {
            common::registered(kernel)
        } else {
            names.data.clone()
        };
        let from = all.find(&format!("{head}{data}")).expect("the tiling data");
        let text = all[from..]
            .split("};")
            .next()
            .unwrap_or_default()
            .split("END_TILING")
            .next()
            .unwrap_or_default();
        let bytes = |ty: &str, n: usize| {
            (text.matches(&format!("    {ty} ")).count()
                + text.matches(&format!("({ty}, ")).count())
                * n
        };
        // With lists a field is an array with one element for each of 64 items.
        let long = if text.contains("_DEF_ARR(") { 64 } else { 1 };
        let size = (bytes("int64_t", 8) + bytes("int32_t", 4) + bytes("float", 4)) * long;
        assert!(
            size > 0 && size % 8 == 0,
            "{name}, {kind}: {size} bytes in {text}"
        );
    });
}

#[test]
fn files_have_no_stray_blanks() {
    each_project(|name, _, _, kind, project| {
        for file in &project.files {
            let stray = file.text.lines().position(|l| l != l.trim_end());
            assert_eq!(stray, None, "{name}, {kind}: {} ends in blanks", file.path);
            // Two blank lines separate functions of Python.
            let stray = if file.path.ends_with(".py") {
                "\n\n\n\n"
            } else {
                "\n\n\n"
            };
            let closes = |line: &str| matches!(line.trim(), "}" | "};");
            let lines: Vec<&str> = file.text.lines().collect();
            let blank = file.text.contains(stray)
                || file.text.starts_with('\n')
                || file.text.contains("{\n\n")
                || lines
                    .windows(2)
                    .any(|two| two[0].is_empty() && closes(two[1]));
            assert!(
                file.text.ends_with('\n') && !blank,
                "{name}, {kind}: {} has stray blank lines\n{}",
                file.path,
                file.text
            );
            let long = file.text.lines().find(|l| {
                l.chars().count() > 120
                    && file.text.contains("__global__")
                    && !l.contains('"')
                    && !l.starts_with('#')
            });
            assert_eq!(long, None, "{name}, {kind}: {}", file.path);
        }
    });
}

#[test]
fn definitions_stand_apart() {
    each_project(|name, _, _, kind, project| {
        for file in project
            .files
            .iter()
            .filter(|f| f.path.ends_with(".asc") || f.path.ends_with(".cpp"))
        {
            let mut before = "";
            for line in file.text.lines() {
                let begins = |l: &str| {
                    [
                        "class ",
                        "template <",
                        "extern \"C\"",
                        "inline ",
                        "__aicore__ ",
                    ]
                    .iter()
                    .any(|d| l.starts_with(d))
                };
                let led = before.is_empty()
                    || before.starts_with("//")
                    || before.starts_with("template <")
                    || before.ends_with('{');
                assert!(
                    !begins(line) || led,
                    "{name}, {kind}: `{before}` right before `{line}` in\n{}",
                    file.text
                );
                before = line;
            }
            assert!(file.text.contains("\n\n"), "{name}, {kind}: {}", file.path);
        }
    });
}

#[test]
fn only_what_is_idle_is_called_so() {
    each_project(|name, _, _, kind, project| {
        for function in project.files.iter().flat_map(|f| f.text.split("\n}\n")) {
            // A header may have the name of a parameter: `tiling/platform`.
            let function: Vec<_> = function
                .lines()
                .filter(|l| !l.starts_with("#include"))
                .collect();
            let function = &function.join("\n");
            for idle in function
                .lines()
                .filter_map(|l| l.trim().strip_prefix("(void)")?.strip_suffix(';'))
                .filter(|l| words(l) == [*l])
            {
                // The name occurs in its declaration and in the `(void)` statement.
                assert_eq!(
                    times(function, idle),
                    2,
                    "{name}, {kind}: {idle} in\n{function}"
                );
            }
        }
    });
    let files = EMITTED
        .iter()
        .flat_map(|(_, _, _, projects)| projects)
        .flat_map(|(_, project)| &project.files);
    assert!(files.filter(|f| f.text.contains("(void)")).count() > 0);
}

#[test]
fn a_kernel_says_that_it_is_one_of_vector_cores_where_the_chip_has_others() {
    for (chip, said) in [("ascend910b", 1), ("ascend310p", 0)] {
        let chip = Chip::by_name(chip).expect("a chip");
        let text = "#[kernel]\npub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { for t in tiles(x) { y.at(t).store(x.at(t).load()); } }";
        let kernel = parse_file(text)
            .expect("Rust")
            .remove(0)
            .kernel
            .expect("a kernel");
        let kernel = check(&kernel, chip).expect("a right kernel");
        for kind in ProjectKind::ALL {
            let project = emitted("k", &kernel, kind);
            let (all, _) = cpp(&project);
            let entries = all.matches("__global__").count();
            let mark = if kind == ProjectKind::Asc {
                "__vector__"
            } else {
                "KERNEL_TASK_TYPE_DEFAULT"
            };
            assert_eq!(
                times(&all, mark),
                entries * said,
                "{} {kind}: {all}",
                chip.name
            );
        }
    }
}

#[test]
fn names_have_a_number_only_where_another_has_the_name() {
    each_project(|name, source, _, kind, project| {
        let (all, device) = cpp(project);
        let plain = |word: &str| word.replace('_', "").to_lowercase();
        let known: BTreeSet<String> = words(&all)
            .into_iter()
            .chain(words(source))
            .map(plain)
            .collect();
        let of_source: BTreeSet<&str> = words(source).into_iter().collect();
        for word in words(device)
            .into_iter()
            .filter(|w| w.starts_with(|c: char| c.is_ascii_lowercase()))
        {
            let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
            let types = ["int", "uint", "float", "bfloat"].contains(&stem);
            let numbered = stem.len() < word.len() && !types && !of_source.contains(&word);
            assert!(
                !numbered || known.contains(&plain(stem)),
                "{name}, {kind}: {word} in\n{all}"
            );
        }
    });
}

/// Returns first and last line of each comment that leads back to the source.
fn told(text: &str, file: &str) -> Vec<(usize, usize)> {
    let marks = text.lines().filter_map(|l| {
        l.trim()
            .strip_prefix("// ")?
            .strip_prefix(file)?
            .strip_prefix(':')
    });
    let number = |n: &str| n.parse().unwrap_or_else(|_| panic!("`{n}` is no line"));
    marks
        .map(|m| m.split_once('-').unwrap_or((m, m)))
        .map(|(a, b)| (number(a), number(b)))
        .collect()
}

#[test]
fn each_line_of_the_source_that_does_something_is_told() {
    each_project(|name, source, _, kind, project| {
        let (_, device) = cpp(project);
        let told = told(device, &format!("{name}.rs"));
        let lines = source.lines().count();
        assert!(
            told.iter().all(|(a, b)| 0 < *a && a <= b && *b <= lines),
            "{name}, {kind}: {told:?}"
        );
        let acts = [
            ".store",
            "data_copy",
            "vec::",
            ".set_value(",
            "sum(",
            "alloc_tensor",
        ];
        // Loops over items are outside of the classes.
        let is_loop = |l: &str| l.trim().starts_with("for ") && !l.contains(" zip(");
        for (i, line) in source
            .lines()
            .enumerate()
            .filter(|(_, l)| is_loop(l) || acts.iter().any(|act| l.contains(act)))
        {
            assert!(
                told.iter().any(|(a, b)| (*a..=*b).contains(&(i + 1))),
                "{name}, {kind}: `{line}` is not told of in {told:?}\n{device}"
            );
        }
        // A comment is not repeated directly after the code of its own line.
        for body in device.split("\n    {\n").skip(1) {
            let marks = self::told(
                body.split("\n    }\n").next().unwrap_or_default(),
                &format!("{name}.rs"),
            );
            assert!(
                marks.windows(2).all(|m| m[0] != m[1]),
                "{name}, {kind}: {marks:?}\n{device}"
            );
        }
    });
}

#[test]
fn lines_of_a_queue_level_kernel_that_follow_one_another_share_a_comment() {
    for (name, lines) in [
        ("scalars", "3 15 16 17-28 29 30 32 34-39"),
        ("add_queue", "4 13 16-20 21-26 27-29"),
        // At tile level each line becomes several.
        ("swish", "4 4 5 5 6 7 7 4 4 5 5 6 7 7"),
    ] {
        let project = emitted(name, &common::checked(name), ProjectKind::Direct);
        let found = told(cpp(&project).1, &format!("{name}.rs"));
        let found: Vec<_> = found
            .iter()
            .map(|(a, b)| {
                if a == b {
                    a.to_string()
                } else {
                    format!("{a}-{b}")
                }
            })
            .collect();
        assert_eq!(found.join(" "), lines, "{name}");
    }
}

#[test]
fn a_class_says_what_it_serves() {
    each_project(|name, source, kernel, kind, project| {
        let (all, device) = cpp(project);
        let heads: Vec<&str> = device
            .lines()
            .filter(|l| l.starts_with(&format!("// `{name}`")))
            .collect();
        assert_eq!(
            heads.len(),
            device.matches("\nclass ").count(),
            "{name}, {kind}"
        );
        let ends = |head: &&&str| {
            head.ends_with(" for")
                || head.contains(" for,")
                || head.contains("``")
                || head.contains("for ,")
        };
        assert_eq!(heads.iter().find(ends), None, "{name}, {kind}");
        assert!(
            !kernel.kernel().sig.dtypes.is_empty() || heads.iter().all(|h| !h.contains(" for ")),
            "{name}, {kind}: {heads:?}"
        );
        for lowered in kernel.instances() {
            let dtypes: Vec<&str> = lowered.binding().iter().map(|d| d.name()).collect();
            let variants = &lowered.variants;
            for variant in variants {
                let serves = heads.iter().filter(|h| {
                    dtypes.iter().all(|d| h.contains(d))
                        && (lowered.is_alone(variant)
                            || h.contains(&format!("variant `{}`", variant.name)))
                        && (lowered.cases.len() == 1
                            || h.contains(&format!("`{}`", lowered.case(variant).said())))
                });
                assert!(
                    serves.count() > 0,
                    "{name}, {kind}: {dtypes:?} {} in {heads:?}",
                    variant.name
                );
                let several = heads.iter().any(|h| h.contains("variant"));
                assert_eq!(
                    several,
                    variants.iter().any(|v| !lowered.is_alone(v)),
                    "{name}, {kind}: {heads:?}"
                );
            }
        }
        let documented = source
            .lines()
            .filter_map(|l| l.trim_start().strip_prefix("/// "));
        documented.for_each(|doc| {
            assert!(
                all.contains(&format!("// {doc}\n")),
                "{name}, {kind}: {doc}"
            )
        });
    });
}

#[test]
fn the_readme_names_each_parameter_and_each_tiling_key() {
    each_project(|name, source, kernel, kind, project| {
        let readme = project.text("README.md").expect("a README");
        assert!(
            readme.starts_with(&format!("# {name}\n\n")),
            "{name}, {kind}"
        );
        assert!(
            readme.contains(kernel.chip().name) && readme.contains(kernel.chip().soc_version),
            "{name}, {kind}\n{readme}"
        );
        let sig = &kernel.kernel().sig;
        // A kernel with lists does not take the number of an item.
        let takes_lists = matches!(kind, ProjectKind::Msopgen | ProjectKind::Torch);
        let told = sig
            .params
            .iter()
            .filter(|p| p.per != Per::Place || !takes_lists);
        for param in told {
            assert_eq!(
                readme.matches(&format!("\n| `{}` | ", param.name)).count(),
                1,
                "{name}, {kind}: {}",
                param.name
            );
        }
        for doc in source
            .lines()
            .filter_map(|l| l.trim_start().strip_prefix("/// "))
        {
            assert!(readme.contains(doc), "{name}, {kind}: {doc}");
        }
        assert_eq!(
            readme.contains("Combinations of"),
            !sig.dtypes.is_empty(),
            "{name}, {kind}\n{readme}"
        );
        if !sig.dtypes.is_empty() {
            assert_eq!(
                readme.matches("(tiling key ").count(),
                kernel.instances().len(),
                "{name}, {kind}\n{readme}"
            );
        }
    });
}

#[test]
fn a_plain_tile_loop_has_three_stages() {
    for (body, staged) in [
        ("y.at(t).store(x.at(t).load());", true),
        ("y.at(t).store(x.at(t).load() + w.at(t).load());", true),
        ("let v = x.at(t).load(); if k.at(0).load().scalar() > 0 { y.at(t).store(v); } else { y.at(t).store(v.exp()); }", false),
        ("let v = x.at(t).load(); for i in 0..n { y.at(t).store(v); }", false),
        ("let mut v = x.at(t).load(); for i in 0..n { v = v * 2.0; } y.at(t).store(v);", false),
        ("y.at(t).store(x.at(t).load()); y.at(t).store(y.at(t).load() * 2.0);", false),
        ("let v = x.at(t).load(); y.at(t).store(v * 2.0); y.at(t).store(v);", false),
    ] {
        let text = format!(
            "#[kernel]\npub fn k(x: &GlobalTensor<f32>, w: &GlobalTensor<f32>, #[shape(1)] k: &GlobalTensor<i32>, #[inplace] y: &mut GlobalTensor<f32>, n: usize) {{\n\
             for t in tiles(x) {{ {body} }}\n}}"
        );
        let project = emitted("k", &common::checked_text("k", &text), ProjectKind::Direct);
        let (_, device) = cpp(&project);
        let found = ["CopyIn", "Compute", "CopyOut"].map(|method| times(device, method));
        assert_eq!(found, if staged { [2; 3] } else { [0; 3] }, "{body}\n{device}");
    }
}

#[test]
fn the_description_of_an_operator_gives_attributes_as_json_has_them() {
    let project = emitted(
        "defaults",
        &common::checked("defaults"),
        ProjectKind::Msopgen,
    );
    let json = project
        .files
        .iter()
        .find(|f| f.path.ends_with("defaults_custom.json"))
        .expect("a description");
    let found: BTreeMap<&str, Vec<&str>> = json
        .text
        .split("\"attr\": [")
        .nth(1)
        .unwrap_or_default()
        .split('{')
        .skip(1)
        .map(entry)
        .collect();
    let wanted = [
        ("given", &["required", "int"][..]),
        ("whole", &["optional", "float", "2.0"]),
        ("least", &["optional", "float", "-0.5"]),
        ("small", &["optional", "int", "-7"]),
        ("large", &["optional", "int", "9"]),
        ("flag", &["optional", "bool", "true"]),
    ];
    assert_eq!(
        found,
        wanted
            .into_iter()
            .map(|(name, values)| (name, values.to_vec()))
            .collect(),
        "{}",
        json.text
    );
}

/// Parses name and other values of one entry of a description; strings of the format lose their
/// quotes.
fn entry(text: &str) -> (&str, Vec<&str>) {
    let lines = text
        .split('}')
        .next()
        .unwrap_or_default()
        .lines()
        .filter_map(|l| l.split_once(": "));
    let mut values = lines.map(|(key, value)| {
        let value = value.trim_end_matches(',');
        if key.contains("default_value") {
            value
        } else {
            value.trim_matches('"')
        }
    });
    (values.next().expect("a name"), values.collect())
}

#[test]
fn a_view_of_another_type_is_one_of_a_template_where_its_base_is() {
    for (instances, cast) in [
        ("f16, bf16", ".template ReinterpretCast<float>()"),
        ("f16", ".ReinterpretCast<float>()"),
    ] {
        let text = common::source("mixed").replace("f16, bf16", instances);
        let project = emitted(
            "mixed",
            &common::checked_text("mixed", &text),
            ProjectKind::Direct,
        );
        let (_, device) = cpp(&project);
        assert_eq!(
            device.matches("ReinterpretCast<float>()").count(),
            device.matches(cast).count(),
            "{device}"
        );
        assert!(device.contains(cast), "{device}");
    }
}

#[test]
fn the_host_computes_with_the_functions_of_the_standard_library() {
    let header = tiling_header(&common::checked("mixed"));
    assert!(
        header.contains("std::sqrt(") && header.contains("#include <cmath>"),
        "{header}"
    );
    assert_eq!(
        header.matches("sqrt(").count(),
        header.matches("std::sqrt(").count(),
        "{header}"
    );
}

#[test]
fn what_is_included_is_used() {
    each_project(|name, _, _, kind, project| {
        for file in &project.files {
            let list = file.text.contains("#include <initializer_list>");
            assert_eq!(
                list,
                file.text.contains("initializer_list<"),
                "{name}, {kind}: {}",
                file.path
            );
        }
        let (_, device) = cpp(project);
        let tiling = format!("#include \"{name}_tiling.h\"");
        assert_eq!(
            device.contains(&tiling),
            kind != ProjectKind::Msopgen,
            "{name}, {kind}\n{device}"
        );
    });
}

#[test]
fn kernel_functions_are_named_after_what_tells_them_apart() {
    for (name, wanted) in [
        ("constant", &["constant"][..]),
        ("swish", &["swish_f16", "swish_bf16", "swish_f32"]),
        ("weigh", &["weigh_resident", "weigh_streamed"]),
        (
            "softmax",
            &[
                "softmax_f16_resident",
                "softmax_f16_streamed",
                "softmax_bf16_resident",
                "softmax_bf16_streamed",
                "softmax_f32_resident",
                "softmax_f32_streamed",
            ],
        ),
    ] {
        let project = emitted(name, &common::checked(name), ProjectKind::Direct);
        let (all, _) = cpp(&project);
        let found = all.lines().filter_map(|l| {
            l.strip_prefix("extern \"C\" __global__ __aicore__ void ")?
                .split('(')
                .next()
        });
        assert_eq!(found.collect::<Vec<_>>(), wanted, "{name}");
    }
}

#[test]
fn a_kernel_on_the_first_line_is_told() {
    let text =
        "#[kernel] pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { for t in tiles(x) { y.at(t).store(x.at(t).load()); } }";
    let project = emitted("k", &common::checked_text("k", text), ProjectKind::Direct);
    let found = told(cpp(&project).1, "k.rs");
    assert!(
        !found.is_empty() && found.iter().all(|lines| *lines == (1, 1)),
        "{found:?}"
    );
}

#[test]
fn scalars_that_only_one_another_read_are_left_out_and_those_of_a_later_turn_are_not() {
    let text = "#[kernel]\npub fn k(#[shape(4096)] y: &mut GlobalTensor<f32>, turns: usize) {\nlet mut pipe = TPipe::new();\n\
                let mut q = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut q, 1, 32);\n\
                let idle = get_block_idx() * 3; let idler = idle + 1; let idlest = idler * idle; let step = get_block_idx() * 8 + 8; let mut place = 0;\n\
                for i in 0..turns.min(4) {\n\
                let t = q.alloc_tensor::<f32>(); vec::duplicate(&t, 0.0, 8); q.enque(t);\n\
                let t = q.deque::<f32>(); data_copy_pad(y.slice((place * 48 + get_block_idx()) % 512 * 8, 8), &t); q.free_tensor(t);\n\
                place = place + step;\n}\n}";
    let project = emitted("k", &common::checked_text("k", text), ProjectKind::Direct);
    let (_, device) = cpp(&project);
    assert!(!device.contains("idle"), "{device}");
    assert!(
        times(device, "step_") >= 2 || times(device, "step") >= 2,
        "{device}"
    );
}

#[test]
fn infinite_defaults_keep_their_sign() {
    // No Rust literal is infinite, but the text of a kernel may come from elsewhere.
    let text = to_text(common::checked("defaults").kernel())
        .replace("(attr f32 -0.5f ", "(attr f32 -inff ");
    let text = text.replace("(attr f32 2.0f ", "(attr f32 inff ");
    let kernel = check(
        &Kernel::parse(&text).expect("a kernel"),
        Chip::default_chip(),
    )
    .expect("a right kernel");
    let project = emitted("defaults", &kernel, ProjectKind::Msopgen);
    let host = project
        .text("op_host/defaults_custom.cpp")
        .expect("the host part");
    for wanted in [
        "\"whole\").AttrType(OPTIONAL).Float(__builtin_inff());",
        "\"least\").AttrType(OPTIONAL).Float(-__builtin_inff());",
    ] {
        assert!(host.contains(wanted), "{host}");
    }
}

#[test]
fn a_program_tells_how_it_is_called() {
    for (name, usage, files) in [
        ("constant", "[y=8] [--device N]", "writes `output_y.bin`"),
        ("idle", "x=1024 [y=1024] k=1 [--device N]", "reads `input_x.bin` and writes `output_y.bin`"),
        (
            "defaults",
            "x=32x4 [y=32x4] given=1 [whole=2.0] [least=-0.5] [small=-7] [large=9] [flag=true] [--device N]",
            "reads `input_x.bin` and writes `output_y.bin`",
        ),
        (
            "swish",
            "--dtype f16|bf16|f32 x=32x1024 [y=32x1024] [scale=1.0] [--device N]",
            "reads `input_x.bin` and writes `output_y.bin`",
        ),
        (
            "axpy",
            "--dtype f16|f32 x=32x1024 y=32x1024 alpha=0.0 [--device N]",
            "reads `input_x.bin`, `input_y.bin` and writes `output_y.bin`",
        ),
    ] {
        let project = emitted(name, &common::checked(name), ProjectKind::Direct);
        let main = project.text("main.cpp").expect("the program");
        assert!(main.contains(&format!("\"usage: %s {usage}\\n\"")), "{name}: {main}");
        let readme = project.text("README.md").expect("a README");
        assert!(readme.contains(&format!("{name}_main {usage}\n")) && readme.contains(files), "{name}: {readme}");
    }
}

#[test]
fn classes_are_named_after_what_tells_them_apart() {
    for (name, classes) in [
        ("constant", &["ConstantKernel"][..]),
        ("swish", &["SwishKernel", "SwishKernelF32"]),
        (
            "softmax",
            &[
                "SoftmaxKernelResident",
                "SoftmaxKernelStreamed",
                "SoftmaxKernelF32Resident",
                "SoftmaxKernelF32Streamed",
            ],
        ),
        ("weigh", &["WeighKernelResident", "WeighKernelStreamed"]),
    ] {
        let project = emitted(name, &common::checked(name), ProjectKind::Direct);
        let (_, device) = cpp(&project);
        let mut found: Vec<&str> = device
            .lines()
            .filter_map(|l| l.strip_prefix("class ")?.split(' ').next())
            .collect();
        let mut classes = classes.to_vec();
        found.sort_unstable();
        classes.sort_unstable();
        assert_eq!(found, classes, "{name}");
    }
}

#[test]
fn a_definition_gives_each_attribute_its_type_and_default() {
    let project = emitted(
        "defaults",
        &common::checked("defaults"),
        ProjectKind::Msopgen,
    );
    let host = project
        .text("op_host/defaults_custom.cpp")
        .expect("the host part");
    let found: Vec<&str> = host
        .lines()
        .filter_map(|l| l.trim().strip_prefix("this->Attr("))
        .collect();
    let wanted = [
        "\"given\").AttrType(REQUIRED).Int();",
        "\"whole\").AttrType(OPTIONAL).Float(2.0f);",
        "\"least\").AttrType(OPTIONAL).Float(-0.5f);",
        "\"small\").AttrType(OPTIONAL).Int(-7);",
        "\"large\").AttrType(OPTIONAL).Int(9);",
        "\"flag\").AttrType(OPTIONAL).Bool(true);",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn a_loop_counts_to_where_it_began_to() {
    let text = "#[kernel]\npub fn k(#[shape(n)] y: &mut GlobalTensor<f32>, turns: usize) {\nlet share = split(n).unit(8);\n\
                let mut pipe = TPipe::new(); let mut q = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut q, 1, 32);\n\
                let mut left = turns;\nfor i in 0..left {\nleft = left / 2;\n\
                let t = q.alloc_tensor::<f32>(); vec::duplicate(&t, 0.0, 8); q.enque(t);\n\
                let t = q.deque::<f32>(); data_copy_pad(y.slice(share.start(), share.len().min(8).min(left)), &t); q.free_tensor(t);\n}\n}";
    let project = emitted("k", &common::checked_text("k", text), ProjectKind::Direct);
    let (_, device) = cpp(&project);
    let head = device
        .lines()
        .find(|l| l.trim().starts_with("for ("))
        .expect("a loop");
    assert!(!head.contains("left"), "the bound changes inside: {head}");
}

#[test]
fn only_what_is_read_once_is_kept_out_of_l2() {
    const ROWS: &str =
        "#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] w: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>";
    for (chip, params, body, hints) in [
        (
            "ascend910b",
            "x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>",
            "y.at(t).store(x.at(t).load());",
            1,
        ),
        (
            "ascend910_93",
            "x: &GlobalTensor<f32>, w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>",
            "y.at(t).store(x.at(t).load() + w.at(t).load());",
            2,
        ),
        // Written twice but loaded once; loaded in a loop; and updated in place.
        (
            "ascend910b",
            "x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>",
            "y.at(t).store(x.at(t).load() + x.at(t).load().exp());",
            1,
        ),
        (
            "ascend910b",
            "x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, n: usize",
            "let mut v = full(t, 0.0); for i in 0..n { v = v + x.at(t).load(); } y.at(t).store(v);",
            0,
        ),
        (
            "ascend910b",
            "#[inplace] x: &mut GlobalTensor<f32>",
            "x.at(t).store(x.at(t).load().exp());",
            0,
        ),
        (
            "ascend310p",
            "x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>",
            "y.at(t).store(x.at(t).load());",
            0,
        ),
        // Whole rows are read once. A row for all is read by every block, or in every iteration
        // where it changes.
        (
            "ascend910b",
            ROWS,
            "y.at(t, ..).store(x.at(t, ..).load() * w.at(..).load());",
            1,
        ),
        (
            "ascend910b",
            ROWS,
            "let mut v = w.at(..).load(); v = v + 1.0; y.at(t, ..).store(x.at(t, ..).load() * v);",
            1,
        ),
        // Rows that do not fit are read in several passes.
        (
            "ascend910b",
            ROWS,
            "y.at(t, ..).store(x.at(t, ..).load() - x.at(t, ..).load().amax(d));",
            1,
        ),
        (
            "ascend910b",
            ROWS,
            "let v = x.at(t, ..).load(); y.at(t, ..).store(v - v.amax(d) + w.at(..).load());",
            1,
        ),
    ] {
        let over = if params == ROWS {
            "tiles(n)"
        } else {
            "tiles(x)"
        };
        let text = format!("#[kernel]\npub fn k({params}) {{ for t in {over} {{ {body} }} }}");
        let kernel = parse_file(&text)
            .expect("Rust")
            .remove(0)
            .kernel
            .expect("a kernel");
        let kernel = check(&kernel, Chip::by_name(chip).expect("a chip")).expect("a right kernel");
        let project = emitted("k", &kernel, ProjectKind::Direct);
        let device = project.text("k.cpp").expect("the kernel");
        assert_eq!(
            device
                .matches("SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE)")
                .count(),
            hints,
            "{body} on {chip}"
        );
    }
}

#[test]
fn no_text_says_more_than_it_must() {
    let mut longer = Vec::new();
    for (name, _, kernel, projects) in EMITTED.iter() {
        let (_, project) = &projects[0];
        let (_, device) = cpp(project);
        let tiling = tiling_header(kernel);
        let count = |text: &str, of: &str| text.matches(of).count();
        let found = [
            device.lines().count(),
            words(device).len(),
            count(device, "static_cast<"),
            tiling.lines().count(),
            words(&tiling).len(),
            count(&tiling, "return false;"),
        ];
        let most = MOST
            .iter()
            .find(|(n, _)| n == name)
            .map_or([0; 6], |(_, most)| *most);
        longer.extend(
            found
                .iter()
                .zip(most)
                .any(|(found, most)| *found > most)
                .then(|| format!("(\"{name}\", {found:?}), not {most:?}")),
        );
    }
    assert!(longer.is_empty(), "{}", longer.join("\n"));
}

/// Limits for each kernel, launched directly: lines, words and conversions of the device code, and
/// lines, words and refusals of the host tiling. A better text is shorter; the commit of a change
/// that makes one longer states why.
const MOST: &[(&str, [usize; 6])] = &[
    ("activated", [1048, 3773, 53, 657, 2745, 21]),
    ("add_queue", [102, 339, 3, 229, 655, 7]),
    ("crossed", [117, 378, 7, 174, 449, 6]),
    ("placed", [90, 335, 14, 198, 555, 7]),
    ("cropped", [109, 368, 8, 171, 474, 11]),
    ("flagged", [104, 325, 2, 160, 410, 7]),
    ("affine", [3159, 12969, 186, 1384, 7147, 52]),
    ("amsgrad", [458, 1607, 16, 294, 978, 11]),
    ("asked", [2752, 11397, 200, 1093, 5738, 38]),
    ("axpy", [770, 3284, 69, 361, 1473, 14]),
    ("blended", [268, 861, 6, 361, 1159, 13]),
    ("choose", [298, 1078, 10, 274, 893, 15]),
    ("layer_norm", [1458, 6529, 107, 446, 1937, 19]),
    ("normed", [661, 2898, 49, 271, 973, 9]),
    ("listed", [313, 1217, 16, 268, 838, 9]),
    ("mixed", [157, 621, 6, 254, 814, 20]),
    ("norms", [1315, 5686, 82, 455, 1986, 21]),
    ("padded", [141, 489, 7, 274, 843, 16]),
    ("marked", [220, 654, 23, 227, 694, 16]),
    ("parked", [139, 519, 12, 211, 632, 12]),
    ("scatter", [543, 2197, 40, 344, 1231, 19]),
    ("segments", [191, 632, 8, 247, 728, 16]),
    ("shared", [1327, 5976, 98, 451, 1912, 27]),
    ("shown", [413, 1662, 27, 229, 761, 8]),
    ("scalars", [126, 383, 4, 167, 446, 8]),
    ("scaled_gamma", [1691, 7211, 109, 642, 3100, 23]),
    ("softmax", [1062, 4637, 70, 379, 1560, 11]),
    ("strided", [162, 656, 15, 172, 490, 7]),
    ("swish", [205, 640, 4, 235, 704, 6]),
    ("told", [1419, 5052, 49, 689, 2779, 30]),
    ("total", [127, 431, 8, 205, 552, 7]),
    ("totals", [348, 1520, 27, 256, 867, 9]),
    ("windowed", [134, 464, 8, 310, 1040, 16]),
    ("weigh", [301, 1184, 21, 291, 979, 12]),
    ("chosen", [327, 1282, 22, 519, 1803, 48]),
    ("merged", [227, 762, 7, 204, 593, 13]),
    ("ranked", [444, 1936, 36, 925, 3068, 104]),
    ("constant", [37, 75, 1, 107, 242, 4]),
    ("defaults", [194, 605, 4, 260, 815, 11]),
    ("idle", [62, 178, 1, 193, 522, 8]),
];

#[test]
fn a_variable_that_a_call_sets_besides_its_tensor_is_declared_though_nobody_reads_it() {
    let kernel = common::checked_text(
        "kept",
        "#[kernel] pub fn kept(#[shape(64)] x: &GlobalTensor<f32>, #[shape(64)] y: &mut GlobalTensor<f32>) {
             let (a, b) = (LocalTensor::<f32>::new(VecIn, 0, 64), LocalTensor::<f32>::new(VecOut, 256, 64));
             let bits = LocalTensor::<u8>::new(VecCalc, 512, 32);
             data_copy(&a, x.slice(0, 64)); pipe_barrier::<PIPE_ALL>();
             vec::gts(&bits, &a, 0.0, 64); vec::duplicate(&b, 0.0, 64);
             let kept = vec::gather_bits(&b, &a, &bits, 64);
             pipe_barrier::<PIPE_ALL>(); data_copy(y.slice(0, 64), &b);
         }",
    );
    let project = emitted("kept", &kernel, ProjectKind::Direct);
    let (_, device) = cpp(&project);
    assert!(
        device.contains("int64_t kept = 0;\n") && device.contains("bitsLocal, 64, kept);"),
        "{device}"
    );
}

#[test]
fn stores_that_join_stand_between_a_pair_of_switches() {
    let kernel = |stores: &[&str]| {
        let body: String = stores
            .iter()
            .zip(["y", "s", "t"])
            .map(|(store, to)| format!("{store}({to}.slice(0, 64), &b);\n"))
            .collect();
        let outs = ["y", "s", "t"]
            .map(|t| format!("#[inplace] #[shape(64)] {t}: &mut GlobalTensor<f32>"))
            .join(", ");
        let text = format!(
            "#[kernel] pub fn joined(#[shape(64)] x: &GlobalTensor<f32>, {outs}) {{
                 let (a, b) = (LocalTensor::<f32>::new(VecIn, 0, 64), LocalTensor::<f32>::new(VecOut, 256, 64));
                 data_copy(&a, x.slice(0, 64)); pipe_barrier::<PIPE_ALL>();
                 vec::adds(&b, &a, 1.0, 64); pipe_barrier::<PIPE_ALL>();
                 {body}
             }}"
        );
        common::checked_text("joined", &text)
    };
    let (plain, add, max) = ("data_copy", "atomic_add", "atomic_max");
    for (stores, calls) in [
        ([plain, add, add], "DataCopy SetAtomicAdd DataCopy DataCopy SetAtomicNone"),
        ([add, plain, add], "SetAtomicAdd DataCopy SetAtomicNone DataCopy SetAtomicAdd DataCopy SetAtomicNone"),
        ([add, add, plain], "SetAtomicAdd DataCopy DataCopy SetAtomicNone DataCopy"),
        ([add, max, max], "SetAtomicAdd DataCopy SetAtomicNone SetAtomicMax DataCopy DataCopy SetAtomicNone"),
        (
            [max, add, max],
            "SetAtomicMax DataCopy SetAtomicNone SetAtomicAdd DataCopy SetAtomicNone SetAtomicMax DataCopy SetAtomicNone",
        ),
    ] {
        let project = emitted("joined", &kernel(&stores), ProjectKind::Direct);
        let (_, device) = cpp(&project);
        let stores = device.split("PIPE_ALL").nth(2).expect("two barriers before the stores");
        let found: Vec<_> = words(stores).into_iter().filter(|w| w.starts_with("SetAtomic") || *w == "DataCopy").collect();
        assert_eq!(found.join(" "), calls, "{device}");
    }
}
