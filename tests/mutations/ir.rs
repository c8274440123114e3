//! An IR text through verification, checker, emitter, simulator and interpreter.

use jumar::codegen::{emit, EmitOptions, ProjectKind};
use jumar::dsl::check::{check, CheckedKernel};
use jumar::dsl::front::parse_file;
use jumar::dsl::ir::queue::Stmt;
use jumar::dsl::ir::text::{to_text, TextError};
use jumar::dsl::ir::{Dim, Kernel, Lowered, ParamKind, Role, ScalarTy, Signature, StmtKind, VarId};
use jumar::dsl::soc::Chip;
use jumar::dsl::targets;
use jumar::dsl::tiling::{bind_attrs, eval, evaluate, Env, Tiling, Value};
use jumar::runtime::tile::Tile;
use jumar::runtime::{Array, Backend, Launch};
use std::cell::Cell;

/// A right text.
pub enum Text {
    Kernel(String),
    Lowered(String),
}

/// Returns the IR of every kernel of these texts, and of its lowered form.
pub fn texts(sources: &[String]) -> Vec<Text> {
    let mut texts = Vec::new();
    for source in sources {
        let parsed = parse_file(source).unwrap_or_else(|(d, _)| panic!("{}", d.message));
        for kernel in parsed.into_iter().filter_map(|p| p.kernel) {
            let checked = check(&kernel, targets::declared(&kernel)[0])
                .unwrap_or_else(|found| panic!("{found:?}"));
            // Kernels appear twice, since more code reads them than lowered kernels.
            texts.extend((0..2).map(|_| Text::Kernel(to_text(&kernel))));
            texts.extend(
                checked
                    .instances()
                    .iter()
                    .take(1)
                    .map(|l| Text::Lowered(to_text(l))),
            );
        }
    }
    texts
}

impl Text {
    pub fn text(&self) -> &str {
        match self {
            Text::Kernel(text) | Text::Lowered(text) => text,
        }
    }

    /// Judges a mutant of this text: returns how it ends, or the mistake.
    pub fn judge(&self, text: &str) -> Result<&'static str, String> {
        match self {
            Text::Kernel(_) => {
                Kernel::parse(text).map_or_else(|e| refused(text, &e), |k| judge_kernel(&k))
            }
            Text::Lowered(_) => {
                Lowered::parse(text).map_or_else(|e| refused(text, &e), |l| judge_lowered(&l))
            }
        }
    }
}

/// Fails where an error has no line of the text or no message.
fn refused(text: &str, e: &TextError) -> Result<&'static str, String> {
    let place = (1..=text.lines().count() + 1).contains(&e.line);
    if place && !e.message.is_empty() {
        Ok("refused")
    } else {
        Err(format!("an error without a place: {e}"))
    }
}

fn judge_kernel(kernel: &Kernel) -> Result<&'static str, String> {
    let printed = to_text(kernel);
    let again =
        Kernel::parse(&printed).map_err(|e| format!("printed, it is no kernel any more: {e}"))?;
    if to_text(&again) != printed {
        return Err("printed and read it is another kernel".to_string());
    }
    let chip = targets::declared(kernel)[0];
    let checked = match check(kernel, chip) {
        Ok(checked) => checked,
        Err(found) => {
            let own = found.iter().find(|d| d.message.contains("error of jumar"));
            return own.map_or(Ok("found wrong"), |d| Err(d.message.clone()));
        }
    };
    for kind in ProjectKind::ALL {
        drop(emit(
            &checked,
            &EmitOptions {
                kind,
                ..EmitOptions::default()
            },
        ));
    }
    let mut end = "emitted";
    for (instance, dims) in [(0, [5, 7]), (checked.instances().len() - 1, [17, 64])] {
        end = run(&checked, instance, &dims).unwrap_or(end);
    }
    Ok(end)
}

fn judge_lowered(lowered: &Lowered) -> Result<&'static str, String> {
    let printed = to_text(lowered);
    let again = Lowered::parse(&printed)
        .map_err(|e| format!("printed, it is no lowered kernel any more: {e}"))?;
    if to_text(&again) != printed {
        return Err("printed and read it is another lowered kernel".to_string());
    }
    let chip = Chip::by_name(&lowered.chip).ok_or("a chip that there is not")?;
    for sizes in [[5, 7], [17, 64], [0, 1], [i64::MAX, i64::MAX]] {
        let Some(attrs) = attributes(&lowered.sig) else {
            continue;
        };
        let dims: Vec<i64> = (0..lowered.sig.axes.len()).map(|i| sizes[i % 2]).collect();
        drop(evaluate(lowered, chip, &dims, &attrs));
    }
    Ok("tiled")
}

/// Returns small values for all attributes.
fn attributes(sig: &Signature) -> Option<Vec<Option<Value>>> {
    let given: Vec<(&str, Value)> = sig
        .attrs()
        .map(|(_, param, ty, _)| {
            let value = match ty {
                ScalarTy::Index => Value::Int(2),
                ScalarTy::I32 => Value::I32(2),
                ScalarTy::F32 => Value::F32(1.5),
                ScalarTy::Bool => Value::Bool(true),
            };
            (param.name.as_str(), value)
        })
        .collect();
    bind_attrs(sig, None, &given).ok()
}

/// Runs one instance on tiny arrays. `None` where there is nothing to run or it would take long.
fn run(kernel: &CheckedKernel, instance: usize, sizes: &[i64; 2]) -> Option<&'static str> {
    let lowered = &kernel.instances()[instance];
    let sig = &lowered.sig;
    let attrs = attributes(sig)?;
    let dims: Vec<i64> = (0..sig.axes.len()).map(|i| sizes[i % 2]).collect();
    let tiling = evaluate(lowered, kernel.chip(), &dims, &attrs).ok()?;
    if !(1..=64).contains(&tiling.block_dim)
        || !Work::of(lowered, kernel.chip(), &tiling).is_small()
    {
        return None;
    }
    launch(kernel, instance, &dims, &attrs, None)?;
    if kernel.kernel().tiles().is_some() {
        launch(kernel, instance, &dims, &attrs, Some(&Tile::default()))?;
    }
    Some("run")
}

fn launch(
    kernel: &CheckedKernel,
    instance: usize,
    dims: &[i64],
    attrs: &[Option<Value>],
    backend: Option<&dyn Backend>,
) -> Option<bool> {
    let lowered = &kernel.instances()[instance];
    let (sig, binding) = (&lowered.sig, lowered.binding());
    let env = Env {
        dims,
        attrs,
        chip: kernel.chip(),
        vars: Vec::new(),
        block: None,
    };
    let shape = |dims: &[Dim]| -> Option<Vec<usize>> {
        let size = |dim: &Dim| {
            eval(&jumar::dsl::ir::dim_size(dim), &env)
                .and_then(Value::as_int)
                .ok()
        };
        dims.iter()
            .map(|d| {
                size(d)
                    .and_then(|n| usize::try_from(n).ok())
                    .filter(|n| *n <= 1 << 16)
            })
            .collect()
    };
    let tensors: Option<Vec<_>> = sig
        .tensors()
        .map(|(id, param, role, ty)| {
            let shape = shape(sig.shape(id))?;
            let elements = shape
                .iter()
                .try_fold(1usize, |a, b| a.checked_mul(*b))
                .filter(|n| *n <= 1 << 20);
            elements.and_then(|_| {
                Some((
                    param.name.as_str(),
                    role,
                    Array::zeros(ty.resolve(binding), &shape)?,
                ))
            })
        })
        .collect();
    let mut tensors = tensors?;
    let mut launch = Launch::new(kernel);
    for (name, role, array) in &mut tensors {
        launch = match role {
            Role::In => launch.input(name, array),
            Role::InOut => launch.inout(name, array),
            Role::Out => launch.output(name, array),
        };
    }
    for (param, value) in sig.params.iter().zip(attrs) {
        if let (ParamKind::Attr { .. }, Some(value)) = (&param.kind, value) {
            launch = launch.attr(&param.name, *value);
        }
    }
    let launch = match backend {
        Some(backend) => launch.backend(backend),
        None => launch,
    };
    Some(launch.run().is_ok())
}

/// An estimate of a run's work, since mutated loops may have 2^63 iterations.
struct Work<'a> {
    env: Env<'a>,
    left: Cell<i64>,
}

impl<'a> Work<'a> {
    fn of(lowered: &'a Lowered, chip: &'a Chip, tiling: &Tiling) -> Work<'a> {
        let env = Env {
            dims: &[],
            attrs: &[],
            chip,
            vars: tiling.vars.clone(),
            block: Some((0, tiling.block_dim)),
        };
        let mut work = Work {
            env,
            left: Cell::new(20_000 / tiling.block_dim),
        };
        work.list(&lowered.variants[tiling.variant].body.stmts);
        work
    }

    fn is_small(&self) -> bool {
        self.left.get() > 0
    }

    fn set(&mut self, var: VarId, value: Option<Value>) {
        match value {
            Some(value) => self.env.set(var, value),
            None if var.index() < self.env.vars.len() => self.env.vars[var.index()] = None,
            None => {}
        }
    }

    fn list(&mut self, stmts: &[Stmt]) {
        for s in stmts {
            self.left.set(self.left.get() - 1);
            match &s.kind {
                StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value } => {
                    let value = eval(value, &self.env).ok();
                    self.set(*var, value);
                }
                StmtKind::For {
                    var,
                    from,
                    to,
                    body,
                } => {
                    let end = |s| eval(s, &self.env).and_then(Value::as_int).ok();
                    // Bounds that depend on data count as too large.
                    let (from, to) = (end(from).unwrap_or(0), end(to).unwrap_or(i64::MAX));
                    let mut turn = from;
                    while turn < to && self.left.get() > 0 {
                        self.set(*var, Some(Value::Int(turn)));
                        self.list(body);
                        self.left.set(self.left.get() - 1);
                        turn += 1;
                    }
                }
                StmtKind::If { then, other, .. } => {
                    self.list(then);
                    self.list(other);
                }
                _ => {}
            }
        }
    }
}
