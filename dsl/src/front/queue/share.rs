//! The queue level's division of work: `split`, `fit_tile`, and the block index.
//!
//! Host tiling decides the first two, so they stand at the top of the body and take arguments that
//! the host knows.

use crate::diag::Code;
use crate::front::cx::value::{Num, SplitSpec, Val};
use crate::front::cx::Cx;
use crate::front::text::span::Node;
use crate::ir::{HostCall, Level, QueueStmt, Scalar, ScalarTy, Stage, VarId};
use crate::items::{Function, ShareMethod, SplitMethod};
use syn::{Expr, ExprCall, ExprMethodCall};

impl Cx<'_> {
    /// Reads `get_block_idx()` or `get_block_num()`.
    pub fn block_number(&mut self, f: Function, number: Scalar, c: &ExprCall, e: &Expr) -> Val {
        let args = self.args(&c.args);
        match self
            .report
            .exactly::<0>(f.name(), &args, e, &format!("{}()", f.name()))
        {
            Some(_) => Val::Num(Num::index(number)),
            None => Val::Unknown,
        }
    }

    /// Reads a call `split(n)`.
    pub fn split(&mut self, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Queue, e, "split");
        let args = self.args(&c.args);
        let Some([arg]) = self
            .report
            .exactly::<1>("split", &args, e, "split(x.len())")
        else {
            return Val::Unknown;
        };
        let Some(total) = self.index_arg(arg, "the number of indices") else {
            return Val::Unknown;
        };
        if !self.host_known(&total, arg.1, "what is divided among the blocks") {
            return Val::Unknown;
        }
        let span = self.report.at(e);
        Val::Split(Box::new(SplitSpec {
            total,
            unit: Scalar::Int(1),
            block_dim: None,
            span,
        }))
    }

    /// Reads `.unit(n)` or `.block_dim(n)`.
    pub fn split_method(&mut self, mut spec: SplitSpec, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        let name = m.method.to_string();
        match SplitMethod::by_name(&name) {
            Some(method) => {
                let Some([arg]) = self
                    .report
                    .exactly::<1>(&name, &args, e, &format!(".{name}(n)"))
                else {
                    return Val::Split(Box::new(spec));
                };
                if let Some(value) = self.index_arg(arg, &format!("`{name}`")) {
                    if value.as_int().is_some_and(|n| n < 1) {
                        let d = self.error(
                            Code::J0305,
                            arg.1,
                            format!("{name} 0, at least 1 is needed"),
                        );
                        self.report.add(d);
                    } else if self.host_known(&value, arg.1, &format!("`{name}`")) {
                        match method {
                            SplitMethod::Unit => spec.unit = value,
                            SplitMethod::BlockDim => spec.block_dim = Some(value),
                        }
                    }
                }
                Val::Split(Box::new(spec))
            }
            None if ShareMethod::by_name(&name).is_some() => {
                let d = self
                    .error(Code::J0106, e, "a share without a name")
                    .help("name it first: `let share = split(n).unit(16);`, then `share.start()` and `share.len()`");
                self.report.bad(d)
            }
            None => self
                .report
                .no_method("`split`", &m.method, SplitMethod::NAMES),
        }
    }

    /// Reads `share.start()` or `share.len()`.
    pub fn share_method(&mut self, start: VarId, len: VarId, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        let name = m.method.to_string();
        match ShareMethod::by_name(&name) {
            Some(method) => {
                match self
                    .report
                    .exactly::<0>(&name, &args, e, &format!("share.{name}()"))
                {
                    Some(_) => Val::Num(Num::index(if method == ShareMethod::Start {
                        start
                    } else {
                        len
                    })),
                    None => Val::Unknown,
                }
            }
            None if SplitMethod::by_name(&name).is_some() => {
                let d = self
                    .error(
                        Code::J0106,
                        e,
                        format!("`{name}` of a share that has a name already"),
                    )
                    .help("write it where the share is made: `let share = split(n).unit(16);`");
                self.report.bad(d)
            }
            None => self
                .report
                .no_method("a share", &m.method, ShareMethod::NAMES),
        }
    }

    /// Reads a call `fit_tile(unit)`.
    pub fn fit_tile_call(&mut self, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Queue, e, "fit_tile");
        let args = self.args(&c.args);
        let Some([arg]) = self
            .report
            .exactly::<1>("fit_tile", &args, e, "fit_tile(128)")
        else {
            return Val::Unknown;
        };
        let Some(unit) = self.index_arg(arg, "the unit") else {
            return Val::Unknown;
        };
        if !self.host_known(&unit, arg.1, "the unit") {
            return Val::Unknown;
        }
        if let Some(first) = self.draft.fit_tile {
            let d = self
                .error(Code::J0106, e, "a second `fit_tile`")
                .label(first, "the first one")
                .help("one size is solved for: compute the other one from it");
            return self.report.bad(d);
        }
        if !self.top_level(e, "`fit_tile`") {
            return Val::Unknown;
        }
        let span = self.report.at(e);
        self.draft.fit_tile = Some(span);
        let var = self.out.new_var("", ScalarTy::Index, false, Stage::Host);
        self.out.queue(
            QueueStmt::Host {
                call: HostCall::FitTile { var, unit },
            },
            span,
        );
        Val::Num(Num::index(var))
    }

    /// Reports J0601 for a step of the host under a loop or an `if`.
    pub fn top_level(&mut self, node: &(impl Node + ?Sized), what: &str) -> bool {
        if self.out.frames.is_empty() {
            return true;
        }
        let d = self
            .error(
                Code::J0601,
                node,
                format!("{what} under an `if` or in a loop"),
            )
            .help("it belongs to the plan of the host: put it at the top of the body");
        self.report.add(d);
        false
    }
}
