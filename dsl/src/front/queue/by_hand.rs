//! Calls that order and place by hand: `set_flag`, `wait_flag`, `pipe_barrier`,
//! `cross_core_set_flag`, `cross_core_wait_flag`, `LocalTensor::new`.

use crate::diag::Code;
use crate::front::cx::report::Report;
use crate::front::cx::value::{Arg, LocalPart, Val};
use crate::front::cx::Cx;
use crate::front::stmt::call::path_word;
use crate::front::text::span::Node;
use crate::front::text::suggest;
use crate::ir::{Barrier, Event, Level, QueueStmt, Scalar, SyncOp};
use crate::items::Function;
use crate::ops::contract::Pipe;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Expr, ExprCall, GenericArgument, PathArguments, PathSegment};

impl Cx<'_> {
    /// Reads `set_flag::<MTE2_V>(id)` or `wait_flag::<MTE2_V>(id)`.
    pub fn flag_call(
        &mut self,
        f: Function,
        what: fn(Event, Scalar) -> SyncOp,
        generics: &PathArguments,
        c: &ExprCall,
        e: &Expr,
    ) -> Val {
        let name = f.name();
        self.use_level(Level::Queue, e, name);
        let args = self.args(&c.args);
        let words = Event::ALL.iter().map(|event| (event.word(), *event));
        let event = marker(
            &mut self.report,
            generics,
            name,
            "event",
            "MTE2_V",
            words,
            e,
        );
        let Some([id]) = self
            .report
            .exactly::<1>(name, &args, e, &format!("{name}::<MTE2_V>(0)"))
        else {
            return Val::Unknown;
        };
        let id = self.index_arg(id, "the id of an event");
        let (Some(event), Some(id)) = (event, id) else {
            return Val::Unit;
        };
        let span = self.report.at(e);
        self.out.queue(
            QueueStmt::Sync {
                what: what(event, id),
            },
            span,
        );
        Val::Unit
    }

    /// Reads a call `pipe_barrier::<PIPE_V>()`.
    pub fn barrier_call(&mut self, generics: &PathArguments, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Queue, e, "pipe_barrier");
        let args = self.args(&c.args);
        let words = Barrier::all().map(|barrier| (barrier.word(), barrier));
        let of = marker(
            &mut self.report,
            generics,
            "pipe_barrier",
            "pipe",
            "PIPE_V",
            words,
            e,
        );
        if self
            .report
            .exactly::<0>("pipe_barrier", &args, e, "pipe_barrier::<PIPE_V>()")
            .is_none()
        {
            return Val::Unknown;
        }
        if let Some(of) = of {
            let span = self.report.at(e);
            self.out.queue(
                QueueStmt::Sync {
                    what: SyncOp::Barrier { of },
                },
                span,
            );
        }
        Val::Unit
    }

    /// Reads a call `cross_core_set_flag::<0, PIPE_MTE3>(id)`.
    pub fn cross_set_call(&mut self, generics: &PathArguments, c: &ExprCall, e: &Expr) -> Val {
        const NAME: &str = "cross_core_set_flag";
        self.use_level(Level::Queue, e, NAME);
        let args = self.args(&c.args);
        let pipe = cross_pipe(&mut self.report, generics, e);
        let Some([id]) =
            self.report
                .exactly::<1>(NAME, &args, e, "cross_core_set_flag::<0, PIPE_MTE3>(0)")
        else {
            return Val::Unknown;
        };
        let id = self.index_arg(id, "the id of a flag across the cores");
        if let (Some(pipe), Some(id)) = (pipe, id) {
            let span = self.report.at(e);
            self.out.queue(
                QueueStmt::Sync {
                    what: SyncOp::CrossSet { pipe, id },
                },
                span,
            );
        }
        Val::Unit
    }

    /// Reads a call `cross_core_wait_flag(id)`.
    pub fn cross_wait_call(&mut self, generics: &PathArguments, c: &ExprCall, e: &Expr) -> Val {
        const NAME: &str = "cross_core_wait_flag";
        self.use_level(Level::Queue, e, NAME);
        if !matches!(generics, PathArguments::None) {
            let d = self.error(
                Code::J0106,
                e,
                format!("`{NAME}` takes no mode and no pipe"),
            );
            self.report
                .add(d.help("it holds all pipes of the core, whichever pipe set the flag: write `cross_core_wait_flag(0)`"));
        }
        let args = self.args(&c.args);
        let Some([id]) = self
            .report
            .exactly::<1>(NAME, &args, e, "cross_core_wait_flag(0)")
        else {
            return Val::Unknown;
        };
        if let Some(id) = self.index_arg(id, "the id of a flag across the cores") {
            let span = self.report.at(e);
            self.out.queue(
                QueueStmt::Sync {
                    what: SyncOp::CrossWait { id },
                },
                span,
            );
        }
        Val::Unit
    }

    /// Reads `LocalTensor::<T>::new(VecCalc, address, len)`: the author places it in UB.
    pub fn placed_tensor(&mut self, owner: &PathSegment, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Queue, e, "LocalTensor");
        const USAGE: &str = "LocalTensor::<f32>::new(VecCalc, 0, 2048)";
        let named = match &owner.arguments {
            PathArguments::AngleBracketed(a) => match (a.args.len(), a.args.first()) {
                (1, Some(GenericArgument::Type(t))) => Some(t),
                (_, _) => None,
            },
            PathArguments::None | PathArguments::Parenthesized(_) => None,
        };
        if named.is_none() {
            let d = self
                .error(Code::J0106, e, "a LocalTensor of which element type?")
                .help(format!("write `{USAGE}`"));
            self.report.add(d);
        }
        let ty = named.and_then(|t| self.element_or_mask(t));
        let mut given = c.args.iter();
        let position = given.next().and_then(|first| {
            let named = if let Expr::Path(path) = first {
                path.path.segments.last().map(|s| &s.ident)
            } else {
                None
            };
            self.report.position(named, first)
        });
        let args: Vec<Arg<'_>> = self.args(given);
        let Ok([at, len]) = <&[Arg<'_>; 2]>::try_from(&args[..]) else {
            let text = format!(
                "`LocalTensor::new` takes 3 arguments, found {}",
                c.args.len()
            );
            let d = self
                .error(Code::J0106, e, text)
                .help(format!("position, address in bytes, elements: `{USAGE}`"));
            return self.report.bad(d);
        };
        let (at, len) = (
            self.index_arg(at, "the address of a tensor"),
            self.index_arg(len, "the elements of a tensor"),
        );
        let (Some(dtype), Some(position), Some(at), Some(len)) = (ty, position, at, len) else {
            return Val::Unknown;
        };
        let (tensor, span) = (self.out.new_tensor(dtype), self.report.at(e));
        self.out.queue(
            QueueStmt::Place {
                tensor,
                position,
                at,
                len,
            },
            span,
        );
        Val::Local(LocalPart {
            tensor,
            offset: Scalar::Int(0),
        })
    }
}

/// Reads the pipe of `::<0, PIPE_MTE3>`. Modes 1 and 2 are for kernels that also have cube cores
/// (asc-devkit, table 3 of the page of CrossCoreSetFlag).
fn cross_pipe(report: &mut Report, generics: &PathArguments, e: &Expr) -> Option<Pipe> {
    const USAGE: &str = "write `cross_core_set_flag::<0, PIPE_MTE3>(..)`";
    let given = match generics {
        PathArguments::AngleBracketed(a) => a.args.iter().collect(),
        PathArguments::None | PathArguments::Parenthesized(_) => Vec::new(),
    };
    let [mode, pipe] = given[..] else {
        let d = report.error(
            Code::J0106,
            e,
            "`cross_core_set_flag` of which mode, and set by which pipe?",
        );
        report.add(d.help(USAGE));
        return None;
    };
    let words = Pipe::beside_scalars().map(|pipe| (pipe.word(), pipe));
    let pipe = marker_word(report, pipe, "pipe that sets flags", words, e);
    let said = mode.to_token_stream().to_string();
    match said.as_str() {
        "0" => return pipe,
        "1" | "2" => {
            let d = report.error(
                Code::J0106,
                e,
                format!("mode {said} of flags is for kernels with cube cores"),
            );
            report.add(d.help("mode 0 is between all vector cores of a launch: `cross_core_set_flag::<0, PIPE_MTE3>(..)`"));
        }
        _ => {
            let d = report.error(
                Code::J0106,
                e,
                format!("`{said}` is no mode of a flag across the cores"),
            );
            report.add(d.help(USAGE));
        }
    }
    None
}

/// Reads the word between `::<` and `>`.
fn marker<T>(
    report: &mut Report,
    generics: &PathArguments,
    name: &str,
    what: &str,
    example: &str,
    words: impl Iterator<Item = (&'static str, T)>,
    e: &Expr,
) -> Option<T> {
    let given = match generics {
        PathArguments::AngleBracketed(a) if a.args.len() == 1 => a.args.first(),
        PathArguments::AngleBracketed(_)
        | PathArguments::None
        | PathArguments::Parenthesized(_) => None,
    };
    let Some(arg) = given else {
        let d = report.error(Code::J0106, e, format!("`{name}` of which {what}?"));
        report.add(d.help(format!("write `{name}::<{example}>(..)`")));
        return None;
    };
    marker_word(report, arg, what, words, e)
}

/// Reads one of some words.
fn marker_word<T>(
    report: &mut Report,
    arg: &GenericArgument,
    what: &str,
    words: impl Iterator<Item = (&'static str, T)>,
    e: &Expr,
) -> Option<T> {
    let word = path_word(arg).map(Ident::to_string).unwrap_or_default();
    let mut known = Vec::new();
    for (own, value) in words {
        if own == word {
            return Some(value);
        }
        known.push(own);
    }
    if report.fixup(&word) {
        return None;
    }
    let ends = path_word(arg).map_or_else(|| e.ends(), Node::ends);
    let d = report.error(
        Code::J0106,
        &ends,
        format!("`{word}` is no {what} of a vector core"),
    );
    let d = d.help(format!("there are {}", known.join(", ")));
    let d = match suggest::nearest(&word, known.iter().copied()) {
        Some(near) => {
            let at = d.span();
            suggest::meant(d, at, &word, near, known.iter().copied())
        }
        None => d,
    };
    report.add(d.expected(known));
    None
}
