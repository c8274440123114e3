//! Fitting in UB: sizes that are solved for, footprints that are compared, and the bytes in a
//! refusal.

use super::checked::{Refusal, Steps};
use crate::cpp::{string_literal, Cpp};
use crate::range::Range;
use crate::scalar::{Helper, Helpers};
use jumar_dsl::ir::{BinOp, ChipFact, GivenSize, HostStep, Scalar, VarId};

/// The candidates of a size.
pub(super) struct Candidates {
    pub var: VarId,
    /// Each candidate is a multiple of it.
    pub step: i64,
    /// The largest candidate, before it is rounded up to a step.
    pub max: String,
    /// The range of the largest candidate.
    pub most: Range,
}

/// A size that was solved for.
pub(super) struct Solved {
    var: VarId,
    /// The bytes of the smallest candidate.
    least: String,
    limit: String,
}

impl Candidates {
    /// Prints the definition `const int64_t tileLength = LargestThatFits(..);`.
    pub(super) fn solve(
        self,
        bytes: &Scalar,
        limit: i64,
        steps: &mut Steps<'_>,
        out: &mut Cpp,
    ) -> Solved {
        let limit = steps.expr(&usable(limit, steps));
        let name = steps.names[&self.var.index()].clone();
        out.comment("As much as UB can hold, by the bytes that InitBuffer will take.");
        let footprint = self.footprint(bytes, &name, steps, out);
        out.stmt(format_args!(
            "const int64_t {name} = LargestThatFits({}, {}, {limit}, {footprint})",
            self.step, self.max
        ));
        Solved {
            var: self.var,
            least: format!("{footprint}({})", self.step),
            limit,
        }
    }

    /// Prints `const auto tileLengthBytes = [&](int64_t n) {..};`, and returns its name.
    fn footprint(
        &self,
        bytes: &Scalar,
        size: &str,
        steps: &mut Steps<'_>,
        out: &mut Cpp,
    ) -> String {
        steps.need(Helper::LargestThatFits);
        let name = steps.scope.unique(&format!("{size}Bytes"));
        let mut inner = Steps {
            refusal: Refusal::Footprint,
            ..steps.clone()
        };
        inner
            .ranges
            .know(&Scalar::Var(self.var), candidates(self.step, self.most, 1));
        inner.names.insert(self.var.index(), "n".to_string());
        // A footprint that does not depend on the candidate needs no parameter name.
        let n = if bytes.mentions(self.var) {
            "int64_t n"
        } else {
            "int64_t"
        };
        out.line(format_args!("const auto {name} = [&]({n}) {{"));
        out.inside(|out| {
            let bytes = inner.checked_expr(bytes, out);
            out.stmt(format_args!("return {bytes}"));
        });
        out.line("};");
        name
    }
}

/// Returns the range of a solved size: `least`, or multiples of `step` up to `max` rounded up.
pub(super) fn candidates(step: i64, max: Range, least: i64) -> Range {
    Range {
        low: least.into(),
        high: (max.high.max(1) + i128::from(step) - 1).min(i64::MAX.into()),
    }
}

/// Prints the refusal of a footprint that is too large, with the value of a given size that would
/// fit.
pub(super) fn require(
    bytes: &Scalar,
    limit: i64,
    given: Option<&GivenSize>,
    steps: &mut Steps<'_>,
    out: &mut Cpp,
) {
    let usable = usable(limit, steps);
    let needed = steps.checked_expr(bytes, out);
    let (name, limit) = (steps.scope.unique("neededBytes"), steps.expr(&usable));
    out.stmt(format_args!("const int64_t {name} = {needed}"));
    out.block(format_args!("if ({name} > {limit})"), |out| {
        let say = |out: &mut Cpp| {
            let message = string_literal(&HostStep::does_not_fit(given));
            out.line(format_args!(
                "*error = {message} + {};",
                needed_bytes(&name, &limit, steps)
            ));
            if let Some(size) = given {
                name_fitting(size, bytes, &limit, steps.clone(), out);
            }
        };
        steps.fail_saying(say, out);
    });
    steps.ranges.assume(&bytes.clone().bin(BinOp::Le, usable));
}

/// Adds the largest value of a given size that fits.
fn name_fitting(
    size: &GivenSize,
    bytes: &Scalar,
    limit: &str,
    mut steps: Steps<'_>,
    out: &mut Cpp,
) {
    let (name, step) = (&size.name, size.step);
    let given = steps.names[&size.var.index()].clone();
    let most = steps.ranges.of(&Scalar::Var(size.var));
    let candidates = Candidates {
        var: size.var,
        step,
        max: given.clone(),
        most,
    };
    let footprint = candidates.footprint(bytes, &given, &mut steps, out);
    let fitting = steps.scope.unique("fitting");
    out.stmt(format_args!(
        "const int64_t {fitting} = LargestThatFits({step}, {given}, {limit}, {footprint})"
    ));
    let none = string_literal(&format!("; not even `{name}` {step} fits"));
    let one =
        [format!("; `{name}` is "), ", ".into(), " fits".into()].map(|text| string_literal(&text));
    let [is, then, fits] = one;
    out.line(format_args!("*error += {fitting} == 0 ? {none} :"));
    out.inside(|out| {
        out.stmt(format_args!(
            "{is} + std::to_string({given}) + {then} + std::to_string({fitting}) + {fits}"
        ));
    });
}

/// Prints the reason why a condition fails, with the bytes of the first size in it that has no
/// candidate.
pub(super) fn say_why(
    message: &str,
    solved: &[Solved],
    cond: &Scalar,
    steps: &Steps<'_>,
    out: &mut Cpp,
) {
    let message = string_literal(message);
    if let Some(only) = solved
        .iter()
        .find(|s| *cond == Scalar::Var(s.var).bin(BinOp::Gt, 0))
    {
        return out.line(format_args!("*error = {message} + {};", only.needed(steps)));
    }
    out.line(format_args!("*error = {message};"));
    let mut read = solved.iter().filter(|s| cond.mentions(s.var));
    let Some(first) = read.next() else { return };
    let mut add = |head: &str, size: &Solved| {
        out.line(format_args!(
            "{head} ({} == 0) {{",
            steps.names[&size.var.index()]
        ));
        out.inside(|out| out.stmt(format_args!("*error += {}", size.needed(steps))));
    };
    add("if", first);
    read.for_each(|size| add("} else if", size));
    out.line("}");
}

impl Solved {
    /// Returns the bytes that the smallest candidate needs, as a text.
    fn needed(&self, steps: &Steps<'_>) -> String {
        needed_bytes(&self.least, &self.limit, steps)
    }
}

fn needed_bytes(needed: &str, limit: &str, steps: &Steps<'_>) -> String {
    steps.need(Helper::NeededBytes);
    format!("NeededBytes({needed}, {limit})")
}

/// Prints the helpers of these texts.
pub(super) fn helpers(set: Helpers, out: &mut Cpp) {
    if set.has(Helper::LargestThatFits) {
        out.blank();
        out.comment(
            "The largest multiple of step up to max, rounded up to a multiple of step, whose footprint is at most limit; 0 where \
             even step is too large. The footprint never falls when the candidate grows.",
        );
        out.line("template <typename Footprint>");
        out.function("int64_t LargestThatFits(int64_t step, int64_t max, int64_t limit, Footprint footprint)", |out| {
            out.line("int64_t low = 0;");
            out.line("int64_t high = MinOf((MaxOf(max, 1) - 1) / step + 1, INT64_MAX / step);");
            out.block("while (low < high)", |out| {
                out.line("const int64_t middle = low + (high - low + 1) / 2;");
                out.line("if (footprint(middle * step) <= limit) {");
                out.line("    low = middle;");
                out.line("} else {");
                out.line("    high = middle - 1;");
                out.line("}");
            });
            out.line("return low * step;");
        });
    }
    if set.has(Helper::NeededBytes) {
        out.blank();
        out.comment("What a launch is told that needs more UB than there is.");
        out.function("inline std::string NeededBytes(int64_t needed, int64_t usable)", |out| {
            let (is, rest) = ("\": \"", "\" bytes are needed, \"");
            out.stmt(format_args!("return {is} + std::to_string(needed) + {rest} + std::to_string(usable) + \" usable\""));
        });
    }
}

/// Returns the bytes that a footprint may have: those of the launch's chip, and no more than of the
/// kernel's chip.
fn usable(limit: i64, steps: &Steps<'_>) -> Scalar {
    let usable = Scalar::Chip(ChipFact::UbBytes);
    if limit == steps.plan.chip.ub_usable() {
        usable
    } else {
        usable.min(limit)
    }
}
