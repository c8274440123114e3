//! Results of several iterations: accumulators of an inner loop, cross-core accumulators, and sums
//! in GM.

use super::super::exact::Range;
use super::super::plan::Picks;
use super::body::{Builder, Var};
use super::head::{Head, Tensor, Use};
use super::tiles::{Ax, Tile};
use jumar::dsl::dtype::DType;
use std::collections::BTreeSet;

/// Name of the cross-core accumulator.
const ALL: &str = "all";

/// Most runs of the whole kernel body.
const MOST_TIMES: usize = 2;

impl Builder<'_> {
    /// Writes an accumulator for the loop that follows.
    pub fn gather(&mut self, p: &mut Picks<'_>) {
        let dtype = *p.one(&[DType::F32, DType::F32, DType::F16, DType::I32]);
        let e = self.fill(p);
        let zero = if dtype.is_float() { "0.0" } else { "0" };
        let name = self.name("acc");
        let text = format!(
            "full::<{}>({}, {zero})",
            dtype.name(),
            self.axes_text(&e.axes)
        );
        self.line(format!("let mut {name} = {text};"));
        self.bind(
            name,
            true,
            Tile {
                dtype,
                range: Some(Range::new(1.0, 0)),
                ..e
            },
        );
    }

    /// Writes the definition of a cross-core accumulator before the loop, and its store behind it.
    pub fn global(&mut self, head: &Head, p: &mut Picks<'_>) -> Option<(String, String)> {
        let t = head.tensors.iter().find(|t| t.used == Use::Merged)?;
        let op = *p.one(&["sum", "sum", "amax"]);
        // Roundings beside a first number are not bounded.
        let first: i32 = if op == "sum" && !head.exact {
            0
        } else {
            *p.one(&[0, 2, -3])
        };
        let point = if t.dtype.is_float() { ".0" } else { "" };
        let axes: BTreeSet<Ax> = t.axes.iter().copied().map(Ax::Whole).collect();
        let before = format!(
            "    let mut {ALL} = across_cores::<{}>({}, {first}{point});\n",
            t.dtype.name(),
            self.axes_text(&axes)
        );
        let behind = format!(
            "    {}.at({}).store({ALL});\n",
            t.name,
            vec![".."; axes.len()].join(", ")
        );
        let range = Some(Range::new(f64::from(first.abs()), 0));
        self.values.push(Var::gathering(Tile {
            text: ALL.into(),
            dtype: t.dtype,
            axes,
            range,
            atom: true,
        }));
        self.merged.push((ALL.into(), op));
        Some((before, behind))
    }

    /// Writes `acc = acc.max(v.amax(t))`, whose result does not depend on the cut of the loop.
    pub fn merge(&mut self, p: &mut Picks<'_>) {
        let gathering = self.gathering();
        if gathering.is_empty() || self.nested > 0 {
            return self.let_tile(false, p);
        }
        let acc = p.one(&gathering).clone();
        let e = self.tile(p, 1);
        let e = self.convert(e, acc.dtype);
        self.merge_into(&acc, e, p);
    }

    /// Returns the accumulators of the innermost loop.
    fn gathering(&self) -> Vec<Tile> {
        let level = self.loops.len();
        self.values
            .iter()
            .filter(|v| v.gathers && v.level + 1 == level)
            .map(|v| v.tile.clone())
            .collect()
    }

    /// Returns the loop variables of the innermost loop that are tiles.
    fn cut(&self) -> BTreeSet<Ax> {
        let runs = self.loops.last().expect("a loop");
        runs.iter()
            .filter(|r| !self.runs[**r].each)
            .map(|r| Ax::Run(*r))
            .collect()
    }

    /// Merges a tile into an accumulator, where it can be.
    fn merge_into(&mut self, acc: &Tile, e: Tile, p: &mut Picks<'_>) {
        let runs = self.loops.last().expect("a loop").clone();
        let cut = self.cut();
        let conflict = |x: &Ax| {
            e.axes
                .iter()
                .any(|y| x != y && self.axis(*x) == self.axis(*y))
        };
        if cut.iter().any(conflict)
            || e.axes
                .iter()
                .any(|ax| matches!(ax, Ax::Run(r) if !runs.contains(r)) && !acc.axes.contains(ax))
        {
            return;
        }
        let more = cut.difference(&e.axes).copied().collect();
        let e = self.expanded(e, &more);
        let over: BTreeSet<Ax> = e.axes.difference(&acc.axes).copied().collect();
        let known = self
            .merged
            .iter()
            .find(|(name, _)| *name == acc.text)
            .map(|(_, op)| *op);
        let turns: usize = runs
            .iter()
            .filter(|r| self.runs[**r].each)
            .map(|r| self.head.axes[self.runs[*r].axis].size)
            .product();
        let exact = acc.range.is_some() && e.range.is_some();
        // Beside a first value the parts of a sum round otherwise in another order, and no bound of
        // the parts tells it.
        let from_zero = !self.head.exact && acc.text.starts_with("acc") && turns == 1;
        if !self.head.exact && known == Some("sum") && acc.text.starts_with("acc") {
            return;
        }
        let wanted = known.unwrap_or(if exact || from_zero { "sum" } else { "amax" });
        let (part, name) = if over.is_empty() {
            // There is one addend for each index, so roundings depend on their order.
            let sum = e.range.and_then(|r| r.sum(turns, &[e.dtype]));
            let name = if wanted == "sum" && sum.is_some() {
                "sum"
            } else {
                "amax"
            };
            (Tile { range: sum, ..e }, name)
        } else {
            self.reduced(e, &over, turns, Some(wanted), p)
        };
        if known.is_some_and(|k| k != name) {
            return;
        }
        let acc_is_global = acc.text == ALL;
        let range = acc.range.zip(part.range).and_then(|(a, b)| {
            if name == "sum" {
                a.plus(b).kept(&[acc.dtype])
            } else {
                None
            }
        });
        // A cross-core sum must be exact in every order of the iterations.
        let range = range.and_then(|r| {
            if acc_is_global {
                r.sum(1, &[acc.dtype])
            } else {
                Some(r)
            }
        });
        // A cross-core sum that may round is left out in exact mode.
        if acc_is_global && name == "sum" && self.head.exact && range.is_none() {
            return;
        }
        self.merged.push((acc.text.clone(), name));
        self.cover.note(format!(
            "{} {name}",
            if acc_is_global { "global" } else { "merge" }
        ));
        self.line(match name {
            "sum" if acc_is_global => format!("{} += {};", acc.text, part.operand()),
            "sum" => format!("{0} = {0} + {1};", acc.text, part.operand()),
            name => format!("{0} = {0}.{1}({2});", acc.text, &name[1..], part.text),
        });
        if let Some(v) = self.values.iter_mut().find(|v| v.tile.text == acc.text) {
            v.tile.range = range;
        }
    }

    /// Writes `a.at(t).atomic_add(v.sum(u))` for a sum that is exact in every order.
    pub fn add_in_gm(&mut self, p: &mut Picks<'_>) {
        let target = self
            .head
            .tensors
            .iter()
            .find(|t| t.used == Use::Added && !self.complete.contains(&t.name))
            .cloned();
        let Some(t) = target.filter(|_| self.nested == 0) else {
            return self.let_tile(false, p);
        };
        let e = self.tile(p, 1);
        let e = self.convert(e, t.dtype);
        self.add_to(&t, e, p);
    }

    fn add_to(&mut self, t: &Tensor, e: Tile, p: &mut Picks<'_>) {
        let (wanted, indices) = self.place(t);
        let around: Vec<usize> = self.loops.iter().flatten().copied().collect();
        let cut: BTreeSet<Ax> = around
            .iter()
            .filter(|r| !self.runs[**r].each)
            .map(|r| Ax::Run(*r))
            .collect();
        let conflict = |x: &Ax| {
            e.axes
                .iter()
                .any(|y| x != y && self.axis(*x) == self.axis(*y))
        };
        if cut.iter().chain(&wanted).any(conflict) {
            return;
        }
        let more = cut
            .union(&wanted)
            .filter(|ax| !e.axes.contains(ax))
            .copied()
            .collect();
        let e = self.expanded(e, &more);
        let over: BTreeSet<Ax> = e.axes.difference(&wanted).copied().collect();
        let single = |r: &&usize| self.runs[**r].each && !t.axes.contains(&self.runs[**r].axis);
        let turns: usize = around
            .iter()
            .filter(single)
            .map(|r| self.head.axes[self.runs[*r].axis].size)
            .product();
        let e = if over.is_empty() {
            let sum = e.range.and_then(|r| r.sum(turns * MOST_TIMES, &[t.dtype]));
            Tile { range: sum, ..e }
        } else {
            let (e, name) = self.reduced(e, &over, turns * MOST_TIMES, Some("sum"), p);
            Tile {
                range: e.range.filter(|_| name == "sum"),
                ..e
            }
        };
        if e.range.is_none() {
            return;
        }
        self.cover.note("add in GM");
        self.line(format!(
            "{}.at({}).atomic_add({});",
            t.name,
            indices.join(", "),
            e.text
        ));
        self.complete.insert(t.name.clone());
    }

    /// Gives each result without a value a sum of ones, or a number.
    pub fn finish_results(&mut self) {
        let left = self
            .head
            .tensors
            .iter()
            .find(|t| t.used == Use::Added && !self.complete.contains(&t.name))
            .cloned();
        if let Some(t) = left {
            let (wanted, indices) = self.place(&t);
            let around = self.cut();
            let ones = self.ones(t.dtype, around.union(&wanted).copied().collect());
            let over = around.difference(&wanted).copied().collect();
            self.line(format!(
                "{}.at({}).atomic_add({});",
                t.name,
                indices.join(", "),
                self.summed(&ones, &over)
            ));
        }
        let merged = self.merged.iter().filter(|(name, _)| name == ALL).count();
        let all = self.gathering().into_iter().find(|tile| tile.text == ALL);
        if let (Some(all), 1) = (all, merged) {
            let over = self.cut();
            let ones = self.ones(all.dtype, over.union(&all.axes).copied().collect());
            let sum = self
                .merged
                .iter()
                .any(|(name, op)| name == ALL && *op == "sum");
            self.line(match sum {
                true => format!("{ALL} += {};", self.summed(&ones, &over)),
                false => format!(
                    "{ALL} = {ALL}.max({});",
                    self.ones(all.dtype, all.axes.clone())
                ),
            });
        }
    }

    /// Writes a tile of ones.
    fn ones(&self, dtype: DType, axes: BTreeSet<Ax>) -> String {
        let one = if dtype.is_float() { "1.0" } else { "1" };
        format!("full::<{}>({}, {one})", dtype.name(), self.axes_text(&axes))
    }

    fn summed(&self, tile: &str, over: &BTreeSet<Ax>) -> String {
        if over.is_empty() {
            tile.to_string()
        } else {
            format!("{tile}.sum({})", self.axes_text(over))
        }
    }
}
