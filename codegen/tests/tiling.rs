//! The emitted tiling function must compute what `tiling::evaluate` computes: every field, key and
//! block dim, and equal refusals. It runs for many shapes and attributes, on the chip that a kernel
//! is for and on others.

use crate::common;
use jumar_codegen::{names, tiling_header, Names};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::ir::ScalarTy;
use jumar_dsl::soc::Chip;
use jumar_dsl::tiling::{evaluate, Value};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One launch: chip, instance, sizes of the axes, attributes by parameter.
#[derive(Clone)]
struct Case {
    chip: usize,
    instance: usize,
    dims: Vec<i64>,
    attrs: Vec<Option<Value>>,
}

/// A number generator with a fixed start, so that every run has equal cases.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    /// Draws small sizes, sizes around block and tile borders, large sizes.
    fn size(&mut self) -> i64 {
        let edges = [
            0, 1, 7, 8, 15, 16, 17, 31, 48, 63, 64, 127, 128, 255, 1024, 4095, 4096, 16384, 100_003,
        ];
        match self.next() % 4 {
            0 => edges[(self.next() % edges.len() as u64) as usize],
            1 => (self.next() % 64) as i64,
            2 => (self.next() % 5000) as i64,
            _ => (self.next() % 300_000) as i64,
        }
    }
}

fn cases(kernel: &CheckedKernel) -> Vec<Case> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let sig = &kernel.kernel().sig;
    (0..300)
        .map(|i| Case {
            chip: i % 2,
            instance: (random.next() % sig.instances.len() as u64) as usize,
            dims: sig.axes.iter().map(|_| random.size()).collect(),
            attrs: {
                let mut attrs = vec![None; sig.params.len()];
                for (id, ty, _) in sig.told() {
                    attrs[id.index()] = Some(match ty {
                        // Usually a variant, sometimes none.
                        ScalarTy::Index if !sig.choices(id).is_empty() => {
                            Value::Int((random.next() % (sig.choices(id).len() as u64 + 1)) as i64)
                        }
                        // An element in each instance.
                        ScalarTy::F32 if sig.element(id).is_some() => {
                            Value::F32((random.next() % 9) as f32 - 4.0)
                        }
                        ScalarTy::F32 => Value::F32(
                            [-1.0, 0.0, 1e-6, 1.11753, 3e8][(random.next() % 5) as usize],
                        ),
                        ScalarTy::Index => Value::Int((random.next() % 100) as i64),
                        ScalarTy::I32 => Value::I32((random.next() % 100) as i32 - 50),
                        ScalarTy::Bool => Value::Bool(random.next() % 2 == 1),
                    });
                }
                attrs
            },
        })
        .collect()
}

/// Makes the part of a program for a kernel: it reads launches and prints tilings, with floats as
/// their bits.
fn driver(at: usize, kernel: &CheckedKernel, n: &Names) -> String {
    let mut read = String::new();
    for axis in &n.axes {
        read.push_str(&format!("std::cin >> args.{axis};\n"));
    }
    for (id, ty, _) in kernel.kernel().sig.told() {
        let member = n.attrs[id.index()]
            .as_deref()
            .expect("what the host is told has a member");
        read.push_str(&match ty {
            ScalarTy::F32 => format!(
                "{{ uint32_t bits; std::cin >> bits; std::memcpy(&args.{member}, &bits, 4); }}\n"
            ),
            _ => format!("std::cin >> args.{member};\n"),
        });
    }
    let mut print = String::new();
    for f in &n.fields {
        let value = match f.ty {
            ScalarTy::F32 => format!("Bits(out.data.{})", f.member),
            _ => format!("out.data.{}", f.member),
        };
        print.push_str(&format!("std::cout << \" {}=\" << {value};\n", f.member));
    }
    format!(
        "{}\nvoid Run{at}()\n{{\nint32_t instance;\n{} chip;\nwhile (std::cin >> chip.vectorCores >> chip.ubBytes >> instance) {{\n\
         {} args;\n{read}{} out;\nstd::string error;\nif (!{}(args, chip, instance, out, &error)) {{ std::cout << \"error: \" << error << \"\\n\"; continue; }}\n\
         std::cout << out.tilingKey << ' ' << out.blockDim << ' ' << out.workspaceSize;\n{print}std::cout << \"\\n\";\n}}\n}}\n",
        tiling_header(kernel),
        n.chip,
        n.args,
        n.tiling,
        n.compute
    )
}

/// A program with the tiling functions of some kernels; its argument selects the kernel.
struct Program {
    path: PathBuf,
}

impl Program {
    fn of(name: &str, kernels: &[CheckedKernel]) -> Program {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tiling");
        std::fs::create_dir_all(&dir).expect("the test folder is writable");
        let (source, path) = (dir.join(format!("{name}.cpp")), dir.join(name));
        let mut text = String::from(
            "#include <cstdint>\n#include <cstdlib>\n#include <cstring>\n#include <iostream>\n\
             [[maybe_unused]] uint32_t Bits(float v) { uint32_t b; std::memcpy(&b, &v, 4); return b; }\n",
        );
        for (at, kernel) in kernels.iter().enumerate() {
            text.push_str(&driver(at, kernel, &names(kernel)));
        }
        let cases: String = (0..kernels.len())
            .map(|at| format!("case {at}: Run{at}(); return 0;\n"))
            .collect();
        text.push_str(&format!("int main(int, char **argv)\n{{\nswitch (std::atoi(argv[1])) {{\n{cases}}}\nreturn 1;\n}}\n"));
        std::fs::write(&source, text).expect("the test folder is writable");
        let built = Command::new("g++")
            .args([
                "-std=c++17",
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-ffp-contract=off",
                "-fsanitize=undefined",
            ])
            .arg("-fno-sanitize-recover=all")
            .arg(&source)
            .arg("-o")
            .arg(&path)
            .output()
            .expect("g++ runs; install the package g++");
        assert!(
            built.status.success(),
            "{name}:\n{}",
            String::from_utf8_lossy(&built.stderr)
        );
        Program { path }
    }

    /// Runs the program on launches of one of its kernels, and returns its output.
    fn run(&self, at: usize, kernel: &CheckedKernel, cases: &[Case]) -> String {
        let mut input = String::new();
        for c in cases {
            let chip = &chips(kernel)[c.chip];
            input.push_str(&format!(
                "{} {} {}",
                chip.vector_cores,
                chip.ub_usable(),
                c.instance
            ));
            c.dims.iter().for_each(|d| input.push_str(&format!(" {d}")));
            for v in c.attrs.iter().flatten() {
                input.push_str(&match v {
                    Value::Int(v) => format!(" {v}"),
                    Value::I32(v) => format!(" {v}"),
                    Value::F32(v) => format!(" {}", v.to_bits()),
                    Value::Bool(v) => format!(" {}", u8::from(*v)),
                });
            }
            input.push('\n');
        }
        let mut program = Command::new(&self.path);
        let mut child = program
            .arg(at.to_string())
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
        assert!(out.status.success(), "{} {at} stopped", self.path.display());
        String::from_utf8(out.stdout).expect("numbers")
    }
}

/// Returns the chip that a kernel is checked for, and one with fewer cores and less UB.
fn chips(kernel: &CheckedKernel) -> [Chip; 2] {
    let chip = kernel.chip();
    [
        Chip { ..*chip },
        Chip {
            vector_cores: 5,
            ub_bytes: chip.ub_bytes / 2,
            ..*chip
        },
    ]
}

/// Formats the evaluator's result as the program does.
fn expected(kernel: &CheckedKernel, n: &Names, case: &Case) -> String {
    let lowered = &kernel.instances()[case.instance];
    match evaluate(lowered, &chips(kernel)[case.chip], &case.dims, &case.attrs) {
        Err(e) => format!("error: {e}"),
        Ok(t) => {
            let mut line = format!("{} {} {}", t.key, t.block_dim, t.workspace);
            for (var, value) in &t.fields {
                let same = |f: &&jumar_codegen::Field| f.var == *var && f.ty == value.ty();
                let member = &n
                    .fields
                    .iter()
                    .find(same)
                    .expect("a member of the tiling data")
                    .member;
                let value = match value {
                    Value::Int(v) => v.to_string(),
                    Value::I32(v) => v.to_string(),
                    Value::F32(v) => v.to_bits().to_string(),
                    Value::Bool(v) => u8::from(*v).to_string(),
                };
                line.push_str(&format!(" {member}={value}"));
            }
            line
        }
    }
}

/// Compares two results. Reasons must be equal to the letter. The struct is the union over
/// variants: the program also prints members that this variant does not set.
fn agree(want: &str, got: &str) -> bool {
    match want.starts_with("error") {
        true => want == got,
        false => want
            .split(' ')
            .all(|word| got.split(' ').any(|g| g == word)),
    }
}

#[test]
fn the_tiling_function_agrees_with_the_evaluator() {
    let kernels: Vec<_> = common::KERNELS
        .iter()
        .map(|(name, _)| common::checked(name))
        .collect();
    let program = Program::of("kernels", &kernels);
    let mut others = 0;
    for (at, (kernel, (name, _))) in kernels.iter().zip(common::KERNELS).enumerate() {
        let n = names(kernel);
        let cases = cases(kernel);
        let output = program.run(at, kernel, &cases);
        let lines: Vec<_> = output.lines().collect();
        assert_eq!(lines.len(), cases.len(), "{name}");
        let (mut launched, mut smaller) = (0, 0);
        for (case, got) in cases.iter().zip(lines) {
            let want = expected(kernel, &n, case);
            assert!(
                agree(&want, got),
                "{name} {:?}: expected {want}, got {got}",
                case.dims
            );
            launched += usize::from(!want.starts_with("error"));
            smaller += usize::from(
                want != expected(
                    kernel,
                    &n,
                    &Case {
                        chip: 1 - case.chip,
                        ..case.clone()
                    },
                ),
            );
        }
        assert!(
            launched > 30,
            "{name}: only {launched} of the cases are launches"
        );
        others += usize::from(smaller > 30);
    }
    assert!(
        others > 8,
        "only {others} kernels are launched otherwise on another chip"
    );
}

/// Sizes and attributes for which host arithmetic has no value, or only just one.
const EXTREMES: &str = "#[kernel]
pub fn extremes(
    #[shape(r, c)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, k: i32, m: i32, n: usize, p: usize, flag: bool, s: f32,
) {
    let square = k * k / 1000;
    let quotient = k / m;
    let rest = (k + 1) % m;
    let product = n * p + 1;
    let contrary = p == 0 && n / p > 2;
    let unused = n.div_ceil(p);
    let volume = r * r * c;
    let chosen = if flag { n / p } else { n - p * 3 };
    let guarded = if p != 0 && n / p > 2 { n % p } else { 7 };
    let either = p == 0 || n / p > 2;
    let up = n.next_multiple_of(p);
    let cut = n as i32 + (s as i32);
    for t in tiles(x) {
        let v = x.at(t).load() + (square + quotient + rest + cut) as f32;
        if either || contrary { y.at(t).store(v + product as f32 + volume as f32); } else { y.at(t).store(v + (chosen + guarded + up) as f32); }
    }
}";

#[test]
fn what_has_no_value_is_refused_by_both_with_the_same_words() {
    let kernel = common::checked_text("extremes", EXTREMES);
    let n = names(&kernel);
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut pick = |of: &[i64]| of[(random.next() % of.len() as u64) as usize];
    let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
    let cases: Vec<Case> = (0..4000)
        .map(|_| {
            let dims = vec![
                pick(&[0, 1, 7, 1 << 20, 1 << 31, 1 << 40, (1 << 40) + 1, i64::MAX]),
                pick(&[0, 1, 64, 1 << 20, 1 << 40]),
            ];
            let small = |v: i64| Some(Value::I32(v as i32));
            let (k, m) = (
                small(pick(&[least, -100_000, -7, 0, 100_000, most])),
                small(pick(&[least, -1, -1, 2, 3, 0])),
            );
            let size = [
                0,
                1,
                2,
                3,
                1000,
                1 << 31,
                1 << 32,
                i64::MAX / 2,
                i64::MAX - 1,
                i64::MAX,
            ];
            let (size, divisor) = (
                Some(Value::Int(pick(&size))),
                Some(Value::Int(pick(&[0, 1, 2, 3, 5, 1000, 1 << 40, i64::MAX]))),
            );
            let float = [f32::NAN, 3e9, -1e30, 0.5, -7.9][pick(&[0, 1, 2, 3, 4]) as usize];
            let attrs = vec![
                None,
                None,
                k,
                m,
                size,
                divisor,
                Some(Value::Bool(pick(&[0, 1]) == 1)),
                Some(Value::F32(float)),
            ];
            Case {
                chip: 0,
                instance: 0,
                dims,
                attrs,
            }
        })
        .collect();
    let output = Program::of("extremes", std::slice::from_ref(&kernel)).run(0, &kernel, &cases);
    let mut seen = std::collections::BTreeMap::new();
    for (case, got) in cases.iter().zip(output.lines()) {
        let want = expected(&kernel, &n, case);
        assert!(
            agree(&want, got),
            "{:?} {:?}: expected {want}, got {got}",
            case.dims,
            case.attrs
        );
        *seen
            .entry(if want.starts_with("error") {
                want
            } else {
                "launched".into()
            })
            .or_insert(0) += 1;
    }
    for what in [
        "launched",
        "error: an integer overflows 64 bits",
        "error: a division by zero",
        "error: `x` has more than 1099511627776 elements",
    ] {
        assert!(seen.get(what).is_some_and(|n| *n > 20), "{what}: {seen:?}");
    }
}

/// An attribute of the kernel's own type, in instances of each kind, and one of integers alone.
const ELEMENTS: [&str; 2] = [
    "#[kernel]
pub fn elements<T: Element>(x: &GlobalTensor<T>, alpha: T, y: &mut GlobalTensor<T>) {
    for t in tiles(x) { y.at(t).store(x.at(t).load().wide().max(alpha).cast::<T>()); }
}",
    "#[kernel]
#[instances(i16, i32)]
pub fn elements_whole<T: Element>(x: &GlobalTensor<T>, alpha: T, y: &mut GlobalTensor<T>) {
    for t in tiles(x) { y.at(t).store(x.at(t).load().max(alpha)); }
}",
];

#[test]
fn a_number_of_the_kernels_own_type_is_the_element_that_it_is_for_the_evaluator() {
    let of_floats = ELEMENTS[0].replace(
        "#[kernel]",
        "#[kernel]\n#[instances(f16, bf16, f32, i32, i16)]",
    );
    let named = [
        ("elements", of_floats.as_str()),
        ("elements_whole", ELEMENTS[1]),
    ];
    let kernels = named.map(|(name, text)| common::checked_text(name, text));
    let program = Program::of("elements", &kernels);
    for (at, ((name, _), kernel)) in named.into_iter().zip(&kernels).enumerate() {
        let (n, sig) = (names(kernel), &kernel.kernel().sig);
        let of_floats = name == "elements";
        let mut random = Random(0x0ddb_a11d);
        let mut number = |i: usize| match (of_floats, i % 4) {
            (true, 0) => Value::F32((random.next() % 80_000) as f32 - 40_000.0),
            // Ties, subnormal numbers and the ends of f16 and bf16 are among all bits.
            (true, 1) => Value::F32(f32::from_bits(
                ((random.next() as u32) & 0xbfff_ffff) & !0xfff,
            )),
            (true, 2) => Value::F32(
                (random.next() % 4096) as f32
                    * 2f32.powi(-25)
                    * (if random.next().is_multiple_of(2) {
                        1.0
                    } else {
                        -1.0
                    }),
            ),
            (true, _) => Value::F32(f32::from_bits(random.next() as u32)),
            (false, _) => Value::I32(random.next() as i32 >> (i % 32)),
        };
        let cases: Vec<Case> = (0..4000)
            .map(|i| {
                let attrs = vec![None, Some(number(i)), None];
                Case {
                    chip: 0,
                    instance: i % sig.instances.len(),
                    dims: vec![100],
                    attrs,
                }
            })
            .collect();
        let output = program.run(at, kernel, &cases);
        let (mut held, mut refused) = (0, 0);
        for (case, got) in cases.iter().zip(output.lines()) {
            let (given, dtype) = (
                case.attrs[1].expect("a number"),
                sig.instances[case.instance][0],
            );
            let Ok(element) = dtype.number(given) else {
                assert!(
                    got.starts_with(&format!("error: attribute alpha: {dtype} holds ")),
                    "{given} of {dtype}: {got}"
                );
                refused += 1;
                continue;
            };
            // The bits of a nan are not compared.
            if matches!(element, Value::F32(v) if v.is_nan()) {
                let bits = got
                    .split("alpha=")
                    .nth(1)
                    .and_then(|rest| rest.split(' ').next()?.parse().ok());
                assert!(
                    bits.is_some_and(|bits| f32::from_bits(bits).is_nan()),
                    "{given} of {dtype}: {got}"
                );
                held += 1;
                continue;
            }
            let element = match (of_floats, element) {
                (true, Value::Int(v)) => Value::F32(v as f32),
                (false, Value::Int(v)) => Value::I32(v as i32),
                (_, other) => other,
            };
            let case = Case {
                attrs: vec![None, Some(element), None],
                ..case.clone()
            };
            let want = expected(kernel, &n, &case);
            assert!(
                agree(&want, got),
                "{given} of {dtype}: expected {want}, got {got}"
            );
            held += 1;
        }
        assert!(
            held > 1000 && refused > 500,
            "{name}: {held} are elements, {refused} are not"
        );
    }
}

/// Kernels that need more UB than there is, with their messages.
const TOO_LARGE: [(&str, &str, &[&str]); 3] = [
    (
        "given",
        "for r in tiles(n).size(12) { y.at(r, ..).store(x.at(r, ..).load().exp()); }",
        &[
            "this `size` needs more UB than there is: 196608 bytes are needed, 188160 usable; `size` is 12, 11 fits",
            "; not even `size` 1 fits",
        ],
    ),
    (
        "whole",
        "for r in tiles(n) {
            let mut m = full(r, 0.0);
            for i in 0..d { m = m.max(x.at(r, ..).load().amax(d)); }
            y.at(r, ..).store(x.at(r, ..).load() - m);
        }",
        &["not even the smallest tile of this shape fits in UB (`d` is whole in it: at most 14912 here): 302048 bytes are needed, 188160 usable"],
    ),
    (
        "single",
        "for i in each(n) { let v = x.at(i, ..).load(); let mut u = v; for _ in 0..2 { u = u * 0.5; } y.at(i, ..).store(u - u.amax(d)); }",
        &["not even the smallest tile of this shape fits in UB (`d` is whole in it: at most ", " bytes are needed, 188160 usable"],
    ),
];

#[test]
fn what_does_not_fit_is_said_by_both_in_the_same_numbers() {
    let kernels = TOO_LARGE.map(|(name, body, _)| {
        let text =
            format!("#[kernel]\npub fn {name}(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {{\n{body}\n}}");
        common::checked_text(name, &text)
    });
    let program = Program::of("too_large", &kernels);
    for (at, ((name, _, says), kernel)) in TOO_LARGE.into_iter().zip(&kernels).enumerate() {
        let n = names(kernel);
        let cols = [
            0,
            1,
            64,
            1000,
            1024,
            1037,
            12_000,
            24_000,
            40_000,
            300_000,
            1 << 30,
        ];
        let cases: Vec<_> = cols
            .iter()
            .flat_map(|d| {
                [0, 1].map(|chip| Case {
                    chip,
                    instance: 0,
                    dims: vec![3, *d],
                    attrs: vec![None; 2],
                })
            })
            .collect();
        let output = program.run(at, kernel, &cases);
        for (case, got) in cases.iter().zip(output.lines()) {
            let want = expected(kernel, &n, case);
            assert!(
                agree(&want, got),
                "{name} {:?}: expected {want}, got {got}",
                case.dims
            );
        }
        for says in says {
            assert!(output.contains(says), "{name}: {says}\n{output}");
        }
    }
}
