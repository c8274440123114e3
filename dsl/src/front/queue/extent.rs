//! The extent of a vector call: `n`, `lanes(n).repeats(r)`,
//! `lanes(a..b).of(16).groups(g).repeats(r)`, `bits(low, high).repeats(r)`, `counter(n)`.
//!
//! An extent is a value until a call takes it, so several calls may share one under a name. The
//! op's row says which extents it takes. The IR is checked later for numbers that exceed their
//! fields.

use super::vector::usage;
use crate::diag::Code;
use crate::front::cx::emitted::Emitted;
use crate::front::cx::kinds::ExtentForm;
use crate::front::cx::report::Report;
use crate::front::cx::value::Arg as Given;
use crate::front::cx::value::{Num, Val};
use crate::front::cx::Cx;
use crate::ir::{Extent, Lanes, Level, Scalar, SpanId, MOST_LANES};
use crate::items::ExtentMethod;
use crate::ops::contract::{Extents, Reach};
use crate::ops::Op;
use syn::{Expr, ExprCall, ExprLit, ExprMethodCall, ExprRange, Lit};

impl ExtentForm {
    /// Returns the kind of extent, for messages.
    pub fn what(&self) -> &'static str {
        match self {
            ExtentForm::Range { .. } => "a range of lanes without groups",
            ExtentForm::Groups { .. } => "a range of lanes without the number of groups",
            ExtentForm::Lanes(_) => "a set of lanes without repeats",
            ExtentForm::Whole(Extent::Repeat { .. }) => "repeats",
            ExtentForm::Whole(Extent::Counter { .. }) => "counter mode",
            ExtentForm::Whole(
                Extent::Fixed {}
                | Extent::Count { .. }
                | Extent::Eights { .. }
                | Extent::Rows { .. },
            ) => "an extent",
        }
    }

    /// Returns the calls that complete the extent.
    fn rest(&self) -> &'static str {
        match self {
            ExtentForm::Range { .. } => ".of(16).groups(g).repeats(r)",
            ExtentForm::Groups { .. } => ".groups(g).repeats(r)",
            ExtentForm::Lanes(_) => ".repeats(r)",
            ExtentForm::Whole(_) => "",
        }
    }

    /// Returns the next method of the extent.
    fn method(&self) -> Option<ExtentMethod> {
        match self {
            ExtentForm::Range { .. } => Some(ExtentMethod::Of),
            ExtentForm::Groups { .. } => Some(ExtentMethod::Groups),
            ExtentForm::Lanes(_) => Some(ExtentMethod::Repeats),
            ExtentForm::Whole(_) => None,
        }
    }
}

/// Returns the extents that an op takes, and an example of one.
pub(super) fn taken(by: Extents) -> (&'static str, &'static str) {
    match by {
        Extents::Lanes => ("a count, repeats or counter mode", "n"),
        Extents::Strided => ("repeats or counter mode", "lanes(64).repeats(r)"),
        Extents::Masked => ("repeats", "lanes(64).repeats(r)"),
        Extents::Leading => (
            "repeats of the first lanes or counter mode",
            "lanes(64).repeats(r)",
        ),
        Extents::Count => ("a count", "n"),
        Extents::Eights => ("a count, a multiple of 8", "n"),
        Extents::None | Extents::Rows => ("no extent of this kind", "n"),
    }
}

impl Cx<'_> {
    /// Reads a call `counter(n)`.
    pub fn counter_call(&mut self, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Queue, e, "counter");
        let args = self.args(&c.args);
        let Some([n]) = self.report.exactly::<1>("counter", &args, e, "counter(n)") else {
            return Val::Unknown;
        };
        let n = self.index_arg(n, "the number of elements");
        n.map_or(Val::Unknown, |n| {
            Val::Extent(ExtentForm::Whole(Extent::Counter { n }))
        })
    }

    /// Reads `lanes(n)` or `lanes(a..b)`.
    pub fn lanes_call(&mut self, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Queue, e, "lanes");
        match c.args.first().map(bare) {
            Some(Expr::Range(r)) if c.args.len() == 1 => self.lane_range(r, e),
            _ => {
                let args = self.args(&c.args);
                let Some([n]) = self.report.exactly::<1>("lanes", &args, e, "lanes(64)") else {
                    return Val::Unknown;
                };
                let n = self.index_arg(n, "the number of lanes");
                n.map_or(Val::Unknown, |n| {
                    Val::Extent(ExtentForm::Lanes(Lanes::First { n }))
                })
            }
        }
    }

    /// Reads a call `lanes(a..b)`.
    fn lane_range(&mut self, r: &ExprRange, e: &Expr) -> Val {
        let (Some(from), Some(to), syn::RangeLimits::HalfOpen(_)) = (&r.start, &r.end, &r.limits)
        else {
            let d = self
                .error(Code::J0106, e, "lanes without a first or a last one")
                .help("write `lanes(a..b)`, without lane `b`");
            return self.report.bad(d);
        };
        let [from, to] = [from, to].map(|end| {
            let arg = (self.expr(end), &**end);
            self.index_arg(&arg, "a lane")
        });
        match (from, to) {
            (Some(from), Some(to)) => Val::Extent(ExtentForm::Range { from, to }),
            _ => Val::Unknown,
        }
    }

    /// Reads `bits(low, high)`: literals of 64 bits, which no other expression has.
    pub fn bits(&mut self, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Queue, e, "bits");
        let words: Vec<Option<u64>> = c.args.iter().map(word).collect();
        match words[..] {
            [Some(low), Some(high)] => Val::Extent(ExtentForm::Lanes(Lanes::Bits { low, high })),
            _ => {
                let text = if words.len() == 2 {
                    "`bits` takes literals of 64 bits"
                } else {
                    "`bits` takes 2 words of 64 bits"
                };
                let d = self.error(Code::J0106, e, text).help(
                    "write `bits(0x5555_5555_5555_5555, 0)`: lanes 0 to 63 from the lowest bit on, then 64 to 127; lanes that \
                     are computed are `lanes(a..b).of(16).groups(g).repeats(r)`",
                );
                self.report.bad(d)
            }
        }
    }

    /// Reads `.of(n)`, `.groups(n)` or `.repeats(n)`.
    pub fn extent_method(&mut self, form: ExtentForm, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        let name = m.method.to_string();
        if ExtentMethod::by_name(&name).is_none_or(|method| form.method() != Some(method)) {
            return no_step(&mut self.report, &form, &name, m);
        }
        let Some([arg]) = self
            .report
            .exactly::<1>(&name, &args, e, &format!(".{name}(n)"))
        else {
            return Val::Unknown;
        };
        let what = match form {
            ExtentForm::Range { .. } => "the lanes of a group",
            ExtentForm::Groups { .. } => "the number of groups",
            ExtentForm::Lanes(_) | ExtentForm::Whole(_) => "the number of repeats",
        };
        let Some(n) = self.index_arg(arg, what) else {
            return Val::Unknown;
        };
        Val::Extent(match form {
            ExtentForm::Range { from, to } => match group_size(&mut self.report, &n, arg.1) {
                Some(of) => ExtentForm::Groups { from, to, of },
                None => return Val::Unknown,
            },
            ExtentForm::Groups { from, to, of } => ExtentForm::Lanes(Lanes::Groups {
                from,
                to,
                of,
                groups: n,
            }),
            ExtentForm::Lanes(mask) => ExtentForm::Whole(Extent::Repeat { mask, repeat: n }),
            ExtentForm::Whole(_) => return Val::Unknown,
        })
    }

    /// Reads the last argument of `vec::name(..)`.
    pub fn extent_arg(&mut self, op: Op, given: &Given<'_>) -> Option<Extent> {
        let by = op.contract().extents;
        match &given.0 {
            Val::Num(_) => {
                let n = self.index_arg(given, "the count")?;
                match by {
                    Extents::Lanes | Extents::Count => Some(Extent::Count { n }),
                    // Brcb and Gatherb count repeats of eight.
                    Extents::Eights => match n.as_int().filter(|n| n % 8 != 0) {
                        Some(found) => no_eights(&mut self.report, op, found, given),
                        None => Some(Extent::Eights { repeat: n / 8 }),
                    },
                    Extents::Strided
                    | Extents::Masked
                    | Extents::Leading
                    | Extents::None
                    | Extents::Rows => wrong_extent(&mut self.report, op, given, "a count"),
                }
            }
            Val::Extent(ExtentForm::Whole(extent)) if extent.is_taken(by) => Some(extent.clone()),
            Val::Extent(ExtentForm::Whole(Extent::Repeat {
                mask: Lanes::Bits { .. } | Lanes::Groups { .. },
                ..
            })) if by == Extents::Leading => {
                wrong_extent(&mut self.report, op, given, "repeats of other lanes")
            }
            Val::Extent(form @ ExtentForm::Whole(_)) => {
                wrong_extent(&mut self.report, op, given, form.what())
            }
            Val::Extent(form) => {
                let d = self
                    .error(
                        Code::J0106,
                        given.1,
                        format!("expected {}, found {}", taken(by).0, form.what()),
                    )
                    .help(format!("it goes on: `{}`", form.rest()));
                self.report.add(d);
                None
            }
            _ => {
                self.wrong_kind(given, taken(by).0);
                None
            }
        }
    }
}

impl Emitted {
    /// Names an extent: its scalars keep their present values.
    pub fn named_extent(&mut self, name: &str, form: ExtentForm, span: SpanId) -> ExtentForm {
        let mut pin = |s: Scalar, what: &str| {
            self.pinned(&format!("{name}_{what}"), Num::index(s), span)
                .value
        };
        match form {
            ExtentForm::Range { from, to } => ExtentForm::Range {
                from: pin(from, "from"),
                to: pin(to, "to"),
            },
            ExtentForm::Groups { from, to, of } => ExtentForm::Groups {
                from: pin(from, "from"),
                to: pin(to, "to"),
                of,
            },
            ExtentForm::Lanes(mask) => ExtentForm::Lanes(pinned_lanes(mask, &mut pin)),
            ExtentForm::Whole(Extent::Repeat { mask, repeat }) => {
                ExtentForm::Whole(Extent::Repeat {
                    mask: pinned_lanes(mask, &mut pin),
                    repeat: pin(repeat, "repeats"),
                })
            }
            ExtentForm::Whole(Extent::Counter { n }) => {
                ExtentForm::Whole(Extent::Counter { n: pin(n, "count") })
            }
            ExtentForm::Whole(
                other @ (Extent::Fixed {}
                | Extent::Count { .. }
                | Extent::Eights { .. }
                | Extent::Rows { .. }),
            ) => ExtentForm::Whole(other),
        }
    }
}

fn pinned_lanes(mask: Lanes, pin: &mut impl FnMut(Scalar, &str) -> Scalar) -> Lanes {
    match mask {
        Lanes::First { n } => Lanes::First { n: pin(n, "lanes") },
        Lanes::Bits { low, high } => Lanes::Bits { low, high },
        Lanes::Groups {
            from,
            to,
            of,
            groups,
        } => Lanes::Groups {
            from: pin(from, "from"),
            to: pin(to, "to"),
            of,
            groups: pin(groups, "groups"),
        },
    }
}

/// Removes the parentheses around an expression.
pub fn bare(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => bare(&p.expr),
        Expr::Group(g) => bare(&g.expr),
        other => other,
    }
}

/// Reads a literal of 64 bits.
fn word(e: &Expr) -> Option<u64> {
    match bare(e) {
        Expr::Lit(ExprLit {
            lit: Lit::Int(i), ..
        }) if matches!(i.suffix(), "" | "u64") => i.base10_parse().ok(),
        _ => None,
    }
}

fn no_step(report: &mut Report, form: &ExtentForm, name: &str, m: &ExprMethodCall) -> Val {
    if form.method().is_none() {
        return report.no_method("an extent", &m.method, &[]);
    }
    if report.fixup(name) {
        return Val::Unknown;
    }
    let help = match form {
        ExtentForm::Range { .. } => {
            "it goes on: `.of(16).groups(g).repeats(r)`, these lanes of each of `g` groups of 16; the first lanes of a repeat are `lanes(n).repeats(r)`"
        }
        ExtentForm::Groups { .. } => "it goes on: `.groups(g).repeats(r)`",
        ExtentForm::Lanes(_) => "it goes on: `.repeats(r)`; groups are `lanes(a..b).of(16).groups(g).repeats(r)`",
        ExtentForm::Whole(_) => "it is complete",
    };
    let d = report
        .error(
            Code::J0103,
            &m.method,
            format!("{} has no method `{name}`", form.what()),
        )
        .help(help);
    report.bad(d)
}

/// Reads the lanes of a group: a power of two, since groups fill a repeat.
fn group_size(report: &mut Report, n: &Scalar, node: &Expr) -> Option<i64> {
    let found = n.as_int();
    if let Some(of) = found.filter(|of| (1..=MOST_LANES).contains(of) && of.count_ones() == 1) {
        return Some(of);
    }
    let text = match found {
        Some(of) => format!("groups of {of} lanes; a group has 1, 2, 4, 8, 16, 32, 64 or {MOST_LANES}"),
        None => format!("the lanes of a group are a number that is known here: 1, 2, 4, 8, 16, 32, 64 or {MOST_LANES}"),
    };
    let near = found
        .and_then(|of| u64::try_from(of).ok())
        .map(u64::next_power_of_two)
        .filter(|of| *of <= MOST_LANES as u64);
    let example = near.map_or(16, |of| of.max(1));
    let d = report
        .error(Code::J0106, node, text)
        .help(format!("write a number of these: `.of({example})`"));
    report.add(d);
    None
}

/// Reports J0310 for a number of elements that fills no whole repeats. The division by eight would
/// hide it.
fn no_eights(report: &mut Report, op: Op, found: i64, given: &Given<'_>) -> Option<Extent> {
    let below = found - found.rem_euclid(8);
    let whole = below.checked_add(8).unwrap_or(below);
    let of_blocks = op
        .contract()
        .views()
        .any(|rule| rule.reach == Reach::ChosenBlocks);
    let does = if of_blocks {
        "takes 8 data blocks"
    } else {
        "expands 8 elements"
    };
    let text = format!(
        "`{}` {does} a repeat, and {found} is no multiple of 8",
        op.name()
    );
    let d = report
        .error(Code::J0310, given.1, text)
        .number("found", found)
        .number("allowed", whole);
    report.add(d.help(format!(
        "write {whole}, and leave room for as many in both operands"
    )));
    None
}

fn wrong_extent(report: &mut Report, op: Op, given: &Given<'_>, found: &str) -> Option<Extent> {
    let (name, (allowed, example)) = (op.name(), taken(op.contract().extents));
    let operands: String = op
        .contract()
        .operands
        .iter()
        .map(|o| usage(o) + ", ")
        .collect();
    let d = report
        .error(
            Code::J0106,
            given.1,
            format!("`vec::{name}` takes {allowed}, found {found}"),
        )
        .help(format!("write `vec::{name}({operands}{example})`"));
    report.add(d);
    None
}
