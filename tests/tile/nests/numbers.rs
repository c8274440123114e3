//! Elements of tiles that become scalars of the core.

use super::super::exact::Range;
use super::super::plan::Picks;
use super::body::Builder;
use super::head::Spec;
use super::tiles::Ax;
use jumar::dsl::dtype::DType;
use std::collections::BTreeSet;

/// A scalar that was read.
#[derive(Clone, Debug)]
pub struct Number {
    pub name: String,
    pub dtype: DType,
    pub range: Option<Range>,
}

impl Number {
    /// Writes a condition that some data fulfil.
    pub fn above(&self, n: i32) -> String {
        format!(
            "{} > {n}{}",
            self.name,
            if self.dtype.is_float() { ".0" } else { "" }
        )
    }
}

impl Builder<'_> {
    /// Writes `let s = v.sum(..).scalar();` for a sum that is exact in every order.
    pub fn read(&mut self, p: &mut Picks<'_>) {
        if !self.head.exact {
            return self.let_tile(false, p);
        }
        let e = self.tile(p, 1);
        let over: BTreeSet<Ax> = e.axes.clone();
        if over.iter().any(|ax| matches!(ax, Ax::Run(_))) {
            return self.let_tile(false, p);
        }
        let e = if over.is_empty() {
            e
        } else {
            self.reduced(e, &over, 1, None, p).0
        };
        let to = if e.dtype == DType::I32 || p.of(2) == 0 {
            DType::I32
        } else {
            DType::F32
        };
        let read = self.convert(e, to);
        let name = self.name("s");
        self.cover.note(format!("read {to}"));
        self.line(format!("let {name} = {}.scalar();", read.operand()));
        self.numbers.push(Number {
            name,
            dtype: to,
            range: read.range,
        });
    }

    /// Draws loops in place of one over `specs` with this body: the loop itself, two ranges, or one
    /// range whose end only the core knows. The last one must not store.
    pub fn in_ranges(&mut self, specs: &[Spec], text: &str, p: &mut Picks<'_>) -> Vec<String> {
        if let Some(two) = self.head.in_two(specs, p) {
            self.cover.note("range inside");
            return two.into();
        }
        let read = self
            .numbers
            .iter()
            .rev()
            .find(|n| n.dtype == DType::I32)
            .map(|n| n.name.clone());
        let stores = text.contains(".store(") || text.contains(".atomic_add(");
        let at = p.of(specs.len());
        let axis = &self.head.axes[specs[at].axis];
        match read.filter(|_| {
            !stores
                && self.loops.len() == 1
                && self.nested == 0
                && axis.made.is_none()
                && p.of(2) == 0
        }) {
            None => vec![self.head.over(specs, None)],
            Some(read) => {
                let range = format!("0..({read} as usize).max(0).min({})", axis.name);
                let over = self.head.over(specs, Some((at, &range)));
                self.cover.note("range of the core");
                vec![over]
            }
        }
    }
}
