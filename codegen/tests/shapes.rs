//! The emitted functions on shapes must do what `tiling::bind_shapes` does. They accept shapes that
//! fit the signature, find equal sizes of the axes, and refuse other shapes. They infer the shapes
//! of outputs that were left out. Sizes that a graph does not know yet are negative, and so are
//! those that depend on them.

use crate::common;
use jumar_codegen::{names, tiling_header, Names};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::ir::{Dim, ParamKind, Role, Scalar, Signature};
use jumar_dsl::soc::Chip;
use jumar_dsl::tiling::{bind_shapes, eval, Env, Value};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// Tensors of kernels; the body of [`kernel`] stores to all outputs. `k` is 3, `dim` is given by a
/// case.
const SIGNATURES: &[&str] = &[
    "#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>",
    "#[shape(n.., d)] x: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>, #[shape(n.., d)] y: &mut GlobalTensor<f32>",
    "#[shape(n.., d)] x: &GlobalTensor<f32>, #[shape(n..)] y: &mut GlobalTensor<f32>, #[shape(n.., 2 * d)] z: &mut GlobalTensor<f32>",
    "#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d, n)] y: &mut GlobalTensor<f32>",
    "#[shape(n, 4)] x: &GlobalTensor<f32>, #[shape(4, n + k)] y: &mut GlobalTensor<f32>, k: usize",
    "#[shape(a, m.., b)] x: &GlobalTensor<f32>, #[shape(b, m.., a)] y: &mut GlobalTensor<f32>",
    "#[shape(n)] x: &GlobalTensor<f32>, #[shape(m)] y: &mut GlobalTensor<f32>",
    "#[shape(n..)] x: &GlobalTensor<f32>, #[shape(n..)] y: &mut GlobalTensor<f32>",
    "#[shape(n)] x: &GlobalTensor<f32>, #[shape(n, d)] w: &GlobalTensor<f32>, #[shape(d / 2, n)] y: &mut GlobalTensor<f32>",
    "#[shape(8)] x: &GlobalTensor<f32>, #[shape(n)] #[inplace] y: &mut GlobalTensor<f32>, #[shape(n * n)] z: &mut GlobalTensor<f32>",
    "#[shape(a.., m @ dim, b..)] x: &GlobalTensor<f32>, #[shape(a.., m, b..)] y: &mut GlobalTensor<f32>, dim: i32",
    "#[shape(a.., m @ dim, b..)] x: &GlobalTensor<f32>, #[shape(a.., o @ dim, b..)] w: &GlobalTensor<f32>, \
     #[shape(a.., m + o, b..)] y: &mut GlobalTensor<f32>, dim: i32",
    "#[shape(o)] w: &GlobalTensor<f32>, #[shape(a.., o, b..)] v: &GlobalTensor<f32>, #[shape(n, a.., c, m @ dim, e, b.., d)] x: &GlobalTensor<f32>, \
     #[shape(b.., 3, a..)] y: &mut GlobalTensor<f32>, #[shape(a.., 2 * m, b.., d)] z: &mut GlobalTensor<f32>, dim: i32",
    "#[shape(m @ dim, b..)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[shape(b.., m)] z: &mut GlobalTensor<f32>, dim: i32",
    "#[shape()] x: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<f32>",
    "#[shape(a..)] x: &GlobalTensor<f32>, #[shape(b..)] w: &GlobalTensor<f32>, #[shape(a.., b..)] y: &mut GlobalTensor<f32>",
    "#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(rows = if k == 3 { n } else { 1 }, d)] y: &mut GlobalTensor<f32>, k: usize",
    "#[shape(a.., m @ dim, b..)] y: &mut GlobalTensor<f32>, #[shape(a.., m @ dim, b..)] x: &GlobalTensor<f32>, dim: i32",
];

fn kernel(at: usize) -> CheckedKernel {
    let signature = SIGNATURES[at];
    let store = |name: &str| {
        format!(
            "let t = q.alloc_tensor::<f32>(); q.enque(t); let t = q.deque::<f32>(); \
             data_copy({name}.slice(share.start(), 0), &t); q.free_tensor(t);\n"
        )
    };
    let stores: String = ["y", "z"]
        .into_iter()
        .filter(|n| signature.contains(&format!("{n}: &mut")))
        .map(store)
        .collect();
    let text = format!(
        "#[kernel]\npub fn shaped{at}({signature}) {{\nlet share = split(1).unit(8);\nlet mut pipe = TPipe::new();\n\
         let mut q = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut q, 1, 32);\n{stores}}}"
    );
    common::checked_text(&format!("shaped{at}"), &text)
}

/// A number generator with a fixed start, so that every run has equal cases.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// The shape of each tensor; `None` for one that is left out.
type Shapes = Vec<Option<Vec<i64>>>;

/// Makes shapes that fit, where each axis has a list of sizes.
fn fitting(sig: &Signature, axes: &[Vec<i64>], attrs: &[Option<Value>]) -> Option<Shapes> {
    let dims: Vec<i64> = axes.iter().map(|sizes| sizes.iter().product()).collect();
    let env = Env {
        dims: &dims,
        attrs,
        chip: Chip::default_chip(),
        vars: Vec::new(),
        block: None,
    };
    let unknown = |size: &Scalar| {
        let mut found = false;
        size.walk(&mut |s| {
            found |= matches!(s, Scalar::Axis(a) if axes[a.index()].iter().any(|n| *n < 0))
        });
        found
    };
    let shape = |id| -> Option<Vec<i64>> {
        let mut shape = Vec::new();
        for dim in sig.shape(id) {
            match dim {
                Dim::Axis { axis } | Dim::At { axis, .. } => shape.extend(&axes[axis.index()]),
                Dim::Expr { size } if unknown(size) => shape.push(-1),
                // A negative size does not exist.
                Dim::Expr { size } => shape.push(
                    eval(size, &env)
                        .and_then(Value::as_int)
                        .ok()
                        .filter(|n| *n >= 0)?,
                ),
            }
        }
        Some(shape)
    };
    sig.tensors().map(|(id, ..)| shape(id).map(Some)).collect()
}

/// Returns the value of an attribute where each axis has a list of sizes: the place of the placed
/// axis, from the start or the end.
fn attribute(sig: &Signature, axes: &[Vec<i64>], from_end: bool) -> i64 {
    let Some((id, (at, _))) = sig
        .tensors()
        .find_map(|(id, ..)| Some((id, sig.placed(id)?)))
    else {
        return 3;
    };
    let count = |dims: &[Dim]| {
        dims.iter()
            .map(|d| d.axis().map_or(1, |axis| axes[axis.index()].len()))
            .sum::<usize>() as i64
    };
    let dims = sig.shape(id);
    count(&dims[..at]) - if from_end { count(dims) } else { 0 }
}

/// Makes a list with this value for each attribute.
fn attributes(sig: &Signature, value: i64) -> Vec<Option<Value>> {
    sig.params
        .iter()
        .map(|p| matches!(p.kind, ParamKind::Attr { .. }).then_some(Value::Int(value)))
        .collect()
}

/// Draws sizes for every axis, and the shapes of a launch, which may have one mistake.
fn case(sig: &Signature, attrs: &[Option<Value>], random: &mut Random) -> (Vec<Vec<i64>>, Shapes) {
    loop {
        let size = |random: &mut Random| [0, 1, 2, 3, 4, 5, 8, 16][random.below(8) as usize];
        let axes: Vec<Vec<i64>> = (sig.axes.iter())
            .map(|axis| {
                (0..if axis.many { random.below(3) } else { 1 })
                    .map(|_| size(random))
                    .collect()
            })
            .collect();
        let Some(mut shapes) = fitting(sig, &axes, attrs) else {
            continue;
        };
        for (shape, (_, _, role, _)) in shapes.iter_mut().zip(sig.tensors()) {
            if role == Role::Out && random.below(2) == 0 {
                *shape = None;
            }
        }
        let wrong = random.below(2 * shapes.len() as u64) as usize;
        if let Some(Some(shape)) = shapes.get_mut(wrong) {
            let at = random.below(shape.len().max(1) as u64) as usize;
            match random.below(3) {
                0 => shape.push(size(random)),
                1 => _ = shape.pop(),
                _ => shape
                    .iter_mut()
                    .skip(at)
                    .take(1)
                    .for_each(|n| *n = size(random)),
            }
        }
        // An empty list of sizes would mean that the tensor was left out.
        if shapes
            .iter()
            .zip(sig.tensors())
            .all(|(shape, (_, _, role, _))| {
                role != Role::Out || shape.as_ref().is_none_or(|s| !s.is_empty())
            })
        {
            return (axes, shapes);
        }
    }
}

/// Makes the part of the program for one kernel. It reads shapes and prints the sizes of the axes
/// and all shapes, or a refusal.
fn part(at: usize, kernel: &CheckedKernel, n: &Names) -> String {
    let sig = &kernel.kernel().sig;
    let tensors: Vec<&str> = sig.tensors().map(|(_, p, ..)| p.name.as_str()).collect();
    let read: String = tensors
        .iter()
        .map(|t| format!("Read(shapes.{t});\n"))
        .collect();
    let attrs: String = n
        .attrs
        .iter()
        .flatten()
        .map(|a| format!("args.{a} = value;\n"))
        .collect();
    let axes: String = n
        .axes
        .iter()
        .map(|a| format!("std::cout << args.{a} << ' ';\n"))
        .collect();
    let shapes: String = tensors
        .iter()
        .map(|t| format!("Print(shapes.{t});\n"))
        .collect();
    let outputs = sig.tensors().any(|(_, _, role, _)| role == Role::Out);
    let infer = if outputs {
        format!("{}::InferShapes(args, shapes);\n", n.launch)
    } else {
        String::new()
    };
    format!(
        "case {at}: {{\n{launch}::Shapes shapes;\n{launch}::Args args;\n{attrs}{read}std::string error;\n\
         if (!{launch}::BindShapes(shapes, args, &error)) {{ std::cout << \"refused: \" << error; break; }}\n\
         {infer}{axes}{shapes}break;\n}}\n",
        launch = n.launch
    )
}

/// The program for all kernels, which reads the number of one and the value of its attributes
/// before its shapes.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
    let kernels: Vec<_> = (0..SIGNATURES.len()).map(kernel).collect();
    let headers: String = kernels.iter().map(tiling_header).collect();
    let parts: String = kernels
        .iter()
        .enumerate()
        .map(|(at, kernel)| part(at, kernel, &names(kernel)))
        .collect();
    let text = format!(
        "{headers}\n#include <iostream>\n\
         void Read(std::vector<int64_t> &shape) {{ int64_t rank; std::cin >> rank; shape.resize(rank); for (int64_t &n : shape) {{ std::cin >> n; }} }}\n\
         void Print(const std::vector<int64_t> &shape) {{ for (int64_t n : shape) {{ std::cout << n << ','; }} std::cout << ' '; }}\n\
         int main() {{\nint64_t at, value;\nwhile (std::cin >> at >> value) {{\nswitch (at) {{\n{parts}}}\nstd::cout << \"\\n\";\n}}\n}}\n"
    );
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shapes");
    std::fs::create_dir_all(&dir).expect("the test folder is writable");
    let (source, program) = (dir.join("shapes.cpp"), dir.join("shapes"));
    std::fs::write(&source, text).expect("the test folder is writable");
    let built = Command::new("g++")
        .args([
            "-std=c++17",
            "-O0",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-D_GLIBCXX_ASSERTIONS",
        ])
        .args([&source, Path::new("-o"), &program])
        .output()
        .expect("g++ runs; install the package g++");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    program
});

fn run(at: usize, cases: &[(i64, Shapes)]) -> Vec<String> {
    let mut input = String::new();
    for (value, shapes) in cases {
        input += &format!("{at} {value}");
        for shape in shapes {
            let shape = shape.as_deref().unwrap_or_default();
            input += &format!(" {}", shape.len());
            shape.iter().for_each(|n| input += &format!(" {n}"));
        }
        input += "\n";
    }
    let mut child = Command::new(&*PROGRAM)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let feeder = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let out = child.wait_with_output().expect("the program ends");
    feeder
        .join()
        .expect("the feeder ends")
        .expect("the program reads all");
    assert!(out.status.success(), "{} stopped", SIGNATURES[at]);
    String::from_utf8(out.stdout)
        .expect("numbers")
        .lines()
        .map(str::to_string)
        .collect()
}

/// Formats sizes of the axes and shapes as the program does.
fn line(axes: &[i64], shapes: &Shapes) -> String {
    let list = |shape: &Option<Vec<i64>>| {
        shape
            .iter()
            .flatten()
            .map(|n| format!("{n},"))
            .collect::<String>()
            + " "
    };
    axes.iter()
        .map(|n| format!("{n} "))
        .chain(shapes.iter().map(list))
        .collect()
}

#[test]
fn shapes_are_bound_and_inferred_as_the_signature_says() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for (at, signature) in SIGNATURES.iter().enumerate() {
        let checked = kernel(at);
        let sig = &checked.kernel().sig;
        let mut cases: Vec<(i64, Shapes)> = Vec::new();
        let mut wanted: Vec<Option<String>> = Vec::new();
        for _ in 0..400 {
            let (axes, shapes) = case(sig, &attributes(sig, 3), &mut random);
            let right = attribute(sig, &axes, random.below(2) == 0);
            let value = if right == 3 || random.below(8) > 0 {
                right
            } else {
                random.below(12) as i64 - 6
            };
            let attrs = attributes(sig, value);
            let natural: Vec<Option<Vec<usize>>> = shapes
                .iter()
                .map(|s| s.as_ref().map(|s| s.iter().map(|n| *n as usize).collect()))
                .collect();
            let given: Vec<Option<&[usize]>> = natural.iter().map(Option::as_deref).collect();
            let mut by_param = vec![None; sig.params.len()];
            sig.tensors()
                .zip(given)
                .for_each(|((id, ..), shape)| by_param[id.index()] = shape);
            let dims = bind_shapes(sig, &by_param, &attrs).ok();
            let whole = fitting(sig, &axes, &attrs).expect("sizes that fit");
            let untouched = value == right
                && shapes
                    .iter()
                    .zip(&whole)
                    .all(|(shape, whole)| shape.is_none() || shape == whole);
            wanted.push(match dims {
                Some(dims) if untouched => Some(line(&dims, &whole)),
                // A tensor that is left out gets its shape from axes that a mistake may have
                // changed.
                Some(_) if shapes.iter().any(Option::is_none) => continue,
                Some(dims) => Some(line(&dims, &shapes)),
                None => None,
            });
            cases.push((value, shapes));
        }
        let found = run(at, &cases);
        for ((shapes, found), wanted) in cases.iter().zip(&found).zip(&wanted) {
            let right = wanted
                .as_ref()
                .map_or_else(|| found.starts_with("refused: "), |wanted| wanted == found);
            assert!(
                right,
                "{}: {shapes:?} gave {found}, not {wanted:?}",
                signature
            );
        }
        assert!(
            wanted.iter().any(Option::is_none) && wanted.iter().flatten().count() > 50,
            "{}",
            signature
        );
    }
}

#[test]
fn what_depends_on_an_unknown_size_is_unknown() {
    for (at, signature) in SIGNATURES.iter().enumerate() {
        let checked = kernel(at);
        let sig = &checked.kernel().sig;
        let (mut cases, mut wanted) = (Vec::new(), Vec::new());
        for unknown in 0..sig.axes.len() {
            let axes: Vec<Vec<i64>> = (0..sig.axes.len())
                .map(|i| {
                    if i == unknown {
                        vec![-1]
                    } else {
                        vec![4; 1 + usize::from(sig.axes[i].many)]
                    }
                })
                .collect();
            let value = attribute(sig, &axes, false);
            let Some(whole) = fitting(sig, &axes, &attributes(sig, value)) else {
                continue;
            };
            let dims: Vec<i64> = axes.iter().map(|sizes| sizes.iter().product()).collect();
            let own_axis = |id| {
                sig.shape(id).iter().filter_map(Dim::axis).any(|axis| {
                    !sig.tensors().any(|(t, _, role, _)| {
                        role != Role::Out && sig.shape(t).iter().any(|o| o.axis() == Some(axis))
                    })
                })
            };
            let left_out = |(shape, (id, _, role, _)): (&Option<Vec<i64>>, (_, _, Role, _))| {
                shape.clone().filter(|_| role != Role::Out || own_axis(id))
            };
            cases.push((
                value,
                whole
                    .iter()
                    .zip(sig.tensors())
                    .map(left_out)
                    .collect::<Shapes>(),
            ));
            wanted.push(line(&dims, &whole));
            // Given outputs agree with unknown sizes.
            cases.push((value, whole.clone()));
            wanted.push(line(&dims, &whole));
        }
        let found = run(at, &cases);
        assert_eq!(found, wanted, "{}: {cases:?}", signature);
    }
}

#[test]
fn what_is_refused_is_said() {
    let some = |shape: &[i64]| Some(shape.to_vec());
    let placed = [
        (
            10,
            3,
            vec![some(&[2, 3, 4]), None],
            "attribute `dim` is beyond the axes of `x`",
        ),
        (
            10,
            -4,
            vec![some(&[2, 3, 4]), None],
            "attribute `dim` is beyond the axes of `x`",
        ),
        (
            10,
            0,
            vec![some(&[]), None],
            "`x` must have at least 1 axis",
        ),
        (
            10,
            1,
            vec![some(&[2, 3, 4]), some(&[2, 3])],
            "`y` has another number of axes than the signature gives it",
        ),
        (
            10,
            1,
            vec![some(&[2, 3, 4]), some(&[2, 4, 4])],
            "axis `m` of `y` has another size than elsewhere",
        ),
        (
            11,
            1,
            vec![some(&[2, 3, 4]), some(&[2, 3, 5]), None],
            "axis `b` of `w` has another size than elsewhere",
        ),
        (
            13,
            1,
            vec![some(&[2, 3]), None, None],
            "attribute `dim` is beyond the axes of `x`",
        ),
        (14, 3, vec![some(&[1]), None], "`x` must have no axes"),
        (14, 3, vec![some(&[]), some(&[1])], "`y` must have no axes"),
    ];
    let plain = [
        (0, vec![some(&[3, 4]), None], "`x` must have 1 axis"),
        (
            0,
            vec![some(&[3]), some(&[4])],
            "axis `n` of `y` has another size than elsewhere",
        ),
        (
            1,
            vec![some(&[]), some(&[4]), None],
            "`x` must have at least 1 axis",
        ),
        (
            1,
            vec![some(&[2, 4]), some(&[5]), None],
            "axis `d` of `g` has another size than elsewhere",
        ),
        (
            2,
            vec![some(&[2, 4]), None, some(&[2, 9])],
            "axis 1 of `z` has another size than the signature gives it",
        ),
        (3, vec![some(&[2]), None], "`x` must have 2 axes"),
        (5, vec![some(&[2]), None], "`x` must have at least 2 axes"),
        (
            6,
            vec![some(&[2]), None],
            "the shape of `y` must be given: it has an axis that no input has",
        ),
    ];
    for (at, value, shapes, said) in plain
        .map(|(at, shapes, said)| (at, 3, shapes, said))
        .into_iter()
        .chain(placed)
    {
        let case = (value, shapes);
        assert_eq!(
            run(at, std::slice::from_ref(&case)),
            [format!("refused: {said}")],
            "{}: {case:?}",
            SIGNATURES[at]
        );
    }
}
