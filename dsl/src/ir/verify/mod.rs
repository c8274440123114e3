//! The verifier: checks the invariants of the IR that every reader relies on.
//!
//! Readers of the IR index by its ids, take operands as the op's row lists them, and expect a
//! variable to be set before it is read. The verifier checks this once: after every text that is
//! parsed ([`Kernel::parse`], [`Lowered::parse`]) and after every pass of the lowering.
//!
//! A fault in a text is a mistake with its line. A fault after a pass is a bug of jumar with the
//! name of the pass. Mistakes that an author can make in a well-formed kernel (alignment, bounds,
//! queue protocol, memory) belong to the checker.
//!
//! | file | checks |
//! |---|---|
//! | `signature` | names, element types and instances, axes, shapes, attributes, facts |
//! | `tables` | the declarations of a body, and that ids belong to it |
//! | `scalars` | types of expressions, their depth, and the leaves that are allowed |
//! | `scope` | variables, values and tensors are set before they are read, in the same block of statements or around it |
//! | `body` | statements of both dialects, each at its level |
//! | `queues` | statements of the queue dialect |
//! | `tiles` | tile loops, accesses, axes and element types of values |
//! | `instr` | an instruction against its op's row |
//! | `given` | optional tensors are accessed only where they were given |
//! | `func` | device functions, and calls of them |
//! | `host` | host steps, variants and the fields of the tiling data |
//!
//! Under a binding (a tuple of element types) two types are equal where they resolve to one type,
//! since the simplifier drops casts that do nothing there.

mod body;
mod func;
mod given;
mod host;
mod instr;
mod queues;
mod scalars;
mod scope;
mod signature;
mod tables;
#[cfg(test)]
mod tests;
mod tiles;

use super::text::{whole, TextError};
use super::{tile, Body, Func, Kernel, Lowered, Scalar, Signature, Source, SpanId, Ty};
use crate::dtype::DType;
use body::{Mode, Own};
use std::fmt;
use std::sync::Arc;

/// The place of a fault: the n-th node of its type, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    pub of: &'static str,
    /// Number of the node, from 1 on.
    pub nth: usize,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.of {
            "Stmt" => "statement",
            "HostStep" => "host step",
            "Known" => "known share",
            "ReadOnce" => "input read once",
            "Func" => "function",
            "FuncTensor" => "parameter of a function",
            "Variant" => "variant",
            "Param" => "parameter",
            "Fact" => "requirement",
            "VarDecl" => "variable",
            "AxDecl" => "axis of tiles",
            "ValueDecl" => "value",
            "TensorDecl" => "local tensor",
            "QueueDecl" => "queue",
            "BufDecl" => "buffer",
            "WorkDecl" => "workspace",
            "DTypeParam" => "element type",
            "Axis" => "axis",
            whole => return f.write_str(&whole.to_lowercase()),
        };
        write!(f, "{word} {}", self.nth)
    }
}

/// The reason that a tree is no kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The mistake, and what is allowed.
    pub what: String,
    pub spot: Spot,
    /// Place in the source, where the tree has it.
    pub span: Option<SpanId>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.spot, self.what)
    }
}

impl std::error::Error for Fault {}

type Checked<T = ()> = Result<T, Fault>;

/// Checks the invariants of a kernel.
///
/// # Errors
/// The first fault, mostly in the order of the text.
pub fn verify_kernel(kernel: &Kernel) -> Result<(), Fault> {
    let mut cx = Cx::new(&kernel.sig, None, kernel.spans.len());
    cx.signature()?;
    cx.chips(kernel)?;
    let flags = given::Flags::new();
    let facts: Vec<Scalar> = kernel
        .sig
        .facts
        .iter()
        .map(|fact| fact.cond.clone())
        .collect();
    // [`verify_pass`] omits this check: the body of a pass may be a phase, whose conditions stand
    // around it. The lowered kernel is checked again.
    match &kernel.body {
        Source::Tile(body) => {
            cx.body(body, Mode::Tile)?;
            cx.is_given(&body.stmts, &facts, &flags)
        }
        Source::Queue(body) => {
            cx.body(body, Mode::Queue)?;
            cx.is_given(&body.stmts, &facts, &flags)
        }
    }
}

/// Checks the body that a pass made of a kernel, for one tuple of element types.
///
/// # Errors
/// Those of [`verify_kernel`].
pub(crate) fn verify_pass(
    kernel: &Kernel,
    body: &tile::Body,
    binding: &[DType],
) -> Result<(), Fault> {
    Cx::new(&kernel.sig, Some(binding), kernel.spans.len()).body(body, Mode::Tile)
}

/// Checks the invariants of a lowered kernel.
///
/// # Errors
/// Those of [`verify_kernel`].
pub fn verify_lowered(lowered: &Lowered) -> Result<(), Fault> {
    let mut cx = Cx::new(&lowered.sig, None, lowered.spans.len());
    cx.signature()?;
    cx.binding = Some(cx.instance(lowered)?);
    cx.lowered(lowered)
}

impl Kernel {
    /// Parses and verifies a kernel.
    ///
    /// # Errors
    /// Fails where the text is no IR, or the IR no kernel; with the line.
    pub fn parse(text: &str) -> Result<Kernel, TextError> {
        let (kernel, reader) = whole(text)?;
        verify_kernel(&kernel)
            .map_err(|f| reader.error_at((f.spot.of, f.spot.nth), f.to_string()))?;
        Ok(kernel)
    }
}

impl Lowered {
    /// Parses and verifies a lowered kernel.
    ///
    /// # Errors
    /// Fails where the text is no IR, or the IR no lowered kernel; with the line.
    pub fn parse(text: &str) -> Result<Lowered, TextError> {
        let (lowered, reader) = whole(text)?;
        verify_lowered(&lowered)
            .map_err(|f| reader.error_at((f.spot.of, f.spot.nth), f.to_string()))?;
        Ok(lowered)
    }
}

/// The state of a walk over a tree.
struct Cx<'a> {
    sig: &'a Signature,
    /// The element types, where the tree is for one tuple of them.
    binding: Option<&'a [DType]>,
    /// Functions that may be called here.
    funcs: &'a [Arc<Func>],
    /// Number of source locations.
    spans: usize,
    /// Number of nodes of each type so far.
    met: Vec<Spot>,
    at: Spot,
    span: Option<SpanId>,
}

impl<'a> Cx<'a> {
    fn new(sig: &'a Signature, binding: Option<&'a [DType]>, spans: usize) -> Self {
        Cx {
            sig,
            binding,
            funcs: &[],
            spans,
            met: Vec::new(),
            at: Spot {
                of: "Signature",
                nth: 1,
            },
            span: None,
        }
    }

    /// Advances to the next node of a type.
    fn enter(&mut self, of: &'static str) {
        self.span = None;
        self.at = match self.met.iter_mut().find(|m| m.of == of) {
            Some(met) => {
                met.nth += 1;
                *met
            }
            None => {
                self.met.push(Spot { of, nth: 1 });
                Spot { of, nth: 1 }
            }
        };
    }

    /// Advances to the next node of a type, which has a source location.
    fn enter_at(&mut self, of: &'static str, span: SpanId) -> Checked {
        self.enter(of);
        if span.index() >= self.spans {
            return self.fault(format!(
                "there is no source location `@{}`, there are {}",
                span.0, self.spans
            ));
        }
        self.span = Some(span);
        Ok(())
    }

    fn fault<T>(&self, what: impl Into<String>) -> Checked<T> {
        Err(Fault {
            what: what.into(),
            spot: self.at,
            span: self.span,
        })
    }

    fn holds(&self, holds: bool, what: impl FnOnce() -> String) -> Checked {
        if holds {
            Ok(())
        } else {
            self.fault(what())
        }
    }

    /// Checks an id against the length of its table, and returns the index.
    fn declared(
        &self,
        index: usize,
        len: usize,
        what: &str,
        id: impl FnOnce() -> String,
    ) -> Checked<usize> {
        if index < len {
            return Ok(index);
        }
        self.fault(format!("there is no {what} `{}`, there are {len}", id()))
    }

    /// True where two element types are equal under the binding.
    fn same(&self, a: Ty, b: Ty) -> bool {
        match self.binding {
            Some(binding) => {
                (a == Ty::Mask) == (b == Ty::Mask) && a.resolve(binding) == b.resolve(binding)
            }
            None => a == b,
        }
    }

    /// True for floats, false for integers; `None` where the bound leaves that open.
    fn is_float(&self, ty: Ty) -> Option<bool> {
        match (ty, self.binding) {
            (Ty::Is(d), _) => Some(d.is_float()),
            (Ty::Mask, _) => Some(false),
            (_, Some(binding)) => Some(ty.resolve(binding).is_float()),
            (Ty::Param(i) | Ty::Wide(i), None) => {
                let mut of = self
                    .sig
                    .instances
                    .iter()
                    .map(|row| row[usize::from(i)].is_float());
                let first = of.next()?;
                of.all(|f| f == first).then_some(first)
            }
        }
    }

    fn body<L: Own>(&mut self, body: &Body<L>, mode: Mode) -> Checked {
        let tables = self.tables(body, mode)?;
        self.statements(body, tables, mode, (&[], &[]))
    }
}
