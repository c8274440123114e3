//! Tile loops over named axes, for sets of axes as types: the name of a run contains its axis, and
//! an axis is cut once.

use super::super::write::quoted;
use super::axes::{each, run, Universe};
use super::blocks::loops;
use super::parametric::Writer;
use super::statements::{indented, Alternative};

/// The limit of axes that one loop cuts.
const MOST_CUT: usize = 3;

/// An axis that a loop cuts into runs, or into single indices.
#[derive(Clone, Copy)]
struct Cut {
    axis: usize,
    is_single: bool,
}

impl Writer {
    /// Returns the condition that some axis is not cut yet, or `None` without axes.
    pub fn free_axis(&self) -> Option<String> {
        let axes = self
            .universe
            .as_ref()
            .map_or(0, |universe| universe.axes.len());
        let free = (0..axes).map(|axis| self.is_free(axis));
        free.reduce(|a, b| format!("or({a}, {b})"))
    }

    fn is_free(&self, axis: usize) -> String {
        format!(
            "and(bit_clear({}), bit_clear({}))",
            self.bit(&run(axis)),
            self.bit(&each(axis))
        )
    }

    fn bit(&self, token: &str) -> u32 {
        self.counter(token)
            .unwrap_or_else(|| panic!("no bit says whether there is `{token}`"))
            .from
    }

    /// Writes heads of loops with their blocks, one for each row of axes. The block starts without
    /// mutable names: an iteration may not assign names from outside of the loop.
    pub fn loops_of_axes(&mut self, level: usize, is_outermost: bool, block: &str) {
        let Some(universe) = self.universe.take() else {
            return;
        };
        let rule = loops(level, is_outermost);
        let all: Vec<Alternative> = rows(universe.axes.len())
            .iter()
            .map(|row| self.loop_over(&universe, row, level, is_outermost, block))
            .collect();
        self.universe = Some(universe);
        self.rule(&format!("{rule}_"), all);
        let kept = !self.changing();
        let enter = format!("{block}::bit_and({kept:#x})");
        self.rule(&entered(block), vec![(enter, None)]);
    }

    fn loop_over(
        &self,
        universe: &Universe,
        row: &[Cut],
        level: usize,
        is_outermost: bool,
        block: &str,
    ) -> Alternative {
        let is_cut = |name: &String| row.iter().any(|cut| universe.axes[cut.axis] == *name);
        let how = match others(&universe.axes, is_cut) {
            Some(along) if is_outermost => format!("how::_ (\".split(\" {along} \")\")? "),
            None if is_outermost => "how::_ ".to_string(),
            Some(_) | None => String::new(),
        };
        let (mut names, mut parts, mut bits) = (Vec::new(), Vec::new(), 0u64);
        for Cut { axis, is_single } in row {
            let [of_run, of_single] = universe.turns(*axis);
            let name = &universe.axes[*axis];
            names.push(if *is_single { of_single } else { of_run });
            parts.push(if *is_single {
                format!("each({name})")
            } else {
                name.clone()
            });
            bits |= 1 << self.bit(&if *is_single { each(*axis) } else { run(*axis) });
        }
        let (turn, of) = match (&names[..], row) {
            (
                [name],
                [Cut {
                    is_single: true, ..
                }],
            ) => (name.clone(), parts[0].clone()),
            ([name], _) => (name.clone(), format!("tiles({})", parts[0])),
            _ => (
                format!("({})", names.join(", ")),
                format!("tiles(({}))", parts.join(", ")),
            ),
        };
        let size = match row {
            [Cut {
                is_single: false, ..
            }] => "(\".size(\" size0::_ \")\")? ",
            _ => "",
        };
        let free = row
            .iter()
            .map(|cut| self.is_free(cut.axis))
            .reduce(|a, b| format!("and({a}, {b})"));
        let head = quoted(&format!("{turn} in {of}"));
        let end = indented(level);
        (
            format!(
                "{head} {size}{how}\" {{\\n\" {}::bit_or({bits:#x}) {end} \"}}\\n\"",
                entered(block)
            ),
            free,
        )
    }

    /// Returns the axes of the head, each with the other axes, along which a loop over it may be
    /// split.
    pub fn splits(&self) -> Vec<(String, String)> {
        let axes = self.names_of("A");
        axes.iter()
            .filter_map(|axis| Some((quoted(axis), others(axes, |name| name == axis)?)))
            .collect()
    }

    /// Returns the bits of mutable tiles and scalars.
    fn changing(&self) -> u64 {
        let is = |token: &str| {
            token.starts_with(['C', 'D', 'G', 'W']) && token.contains("_s")
                || ["UN", "UJ", "US"].contains(&token)
        };
        let own = self.counters().filter(|counter| is(&counter.token));
        own.map(|counter| ((1u64 << counter.bits) - 1) << counter.from)
            .fold(0, |a, b| a | b)
    }
}

/// Matches one of the axes that a loop does not cut, or returns `None` if it cuts all.
fn others(axes: &[String], is_cut: impl Fn(&String) -> bool) -> Option<String> {
    let others: Vec<String> = axes
        .iter()
        .filter(|name| !is_cut(name))
        .map(|name| quoted(name))
        .collect();
    (!others.is_empty()).then(|| format!("({})", others.join(" | ")))
}

/// Returns the rule of a block that a loop enters.
fn entered(block: &str) -> String {
    format!("in_{block}")
}

/// Returns the rows of axes that a loop may cut, each axis into runs or single indices.
fn rows(axes: usize) -> Vec<Vec<Cut>> {
    let (mut all, mut last): (Vec<Vec<Cut>>, Vec<Vec<Cut>>) = (Vec::new(), vec![Vec::new()]);
    for _ in 0..MOST_CUT.min(axes) {
        let mut longer = Vec::new();
        for row in &last {
            let free = (0..axes).filter(|axis| row.iter().all(|cut| cut.axis != *axis));
            longer.extend(free.flat_map(|axis| {
                [false, true].map(|is_single| [row.as_slice(), &[Cut { axis, is_single }]].concat())
            }));
        }
        all.extend(longer.iter().cloned());
        last = longer;
    }
    all
}
