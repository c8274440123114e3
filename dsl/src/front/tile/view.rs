//! `x.view((g, k))`: the elements of a tensor under other axes, which split or join its own.
//!
//! A view has as many elements as its tensor. Where that does not follow from how both are written
//! it is a fact that the host checks.

use crate::diag::Code;
use crate::front::cx::emitted::Emitted;
use crate::front::cx::value::{Arg, Seen, Val};
use crate::front::cx::Cx;
use crate::front::text::words::method_ends;
use crate::ir::polynomial::difference;
use crate::ir::{AxFrom, AxId, BinOp, Fact, Level, Scalar, TensorRef};
use syn::{Expr, ExprMethodCall};

impl Cx<'_> {
    /// Reads a call `x.view((g, k))`.
    pub fn view_call(&mut self, tensor: TensorRef, m: &ExprMethodCall, e: &Expr) -> Val {
        self.use_level(Level::Tile, &m.method, "view");
        let args = self.args(&m.args);
        let Some([arg]) = self.report.exactly::<1>("view", &args, e, "x.view((g, k))") else {
            return Val::Unknown;
        };
        let Some(of) = self.view_axes(arg) else {
            return Val::Unknown;
        };
        let known = match tensor {
            TensorRef::Param(p) => self.draft.shape_known[p.index()],
            TensorRef::Work(_) => true,
        };
        if !known {
            return Val::Unknown;
        }
        let seen = self.out.seen(tensor, of);
        match self.has_all_elements(&seen, m) {
            true => Val::View(Box::new(seen)),
            false => Val::Unknown,
        }
    }

    /// Reads the axes of a view, which are whole.
    fn view_axes(&mut self, arg: &Arg<'_>) -> Option<Vec<AxId>> {
        let of = self.axes_listed(arg, "view")?;
        if !of
            .iter()
            .all(|ax| self.begins_at_0(*ax, arg.1, "`view` over"))
        {
            return None;
        }
        let run = of
            .iter()
            .find(|ax| matches!(self.out.body.axes[ax.index()].from, AxFrom::Run { .. }));
        let (problem, help) = match run {
            Some(ax) => {
                let (run, whole) = (
                    self.out.body.axes[ax.index()].name.clone(),
                    self.out.body.axes[self.out.whole_of(*ax).index()]
                        .name
                        .clone(),
                );
                (
                    format!("`view` over `{run}`, a tile of `{whole}`"),
                    format!("a view has whole axes, `{whole}`; a tile is an index: `.at({run})`"),
                )
            }
            None if of.is_empty() => (
                "`view` over no axis".to_string(),
                "name one axis or several, `k`, `(g, k)`".to_string(),
            ),
            None => return Some(of),
        };
        let d = self.error(Code::J0106, arg.1, problem).help(help);
        self.report.add(d);
        None
    }

    /// Reports J0209 for a view that never has as many elements as its tensor; the host checks
    /// uncertain ones.
    fn has_all_elements(&mut self, seen: &Seen, m: &ExprMethodCall) -> bool {
        let product = seen
            .of
            .iter()
            .map(|ax| self.out.extent(*ax))
            .reduce(|a, b| a * b)
            .unwrap_or(Scalar::Int(1));
        let elements = match seen.tensor {
            TensorRef::Param(p) => self.draft.sig.elements(p),
            TensorRef::Work(w) => self.out.body.work(w).len.clone(),
        };
        if self.draft.sig.is_same_size(&product, &elements) {
            return true;
        }
        let ((name, declared), said) = (self.named_gm(seen.tensor), &seen.said);
        let ends = method_ends(m);
        let Some(more) = difference(&product, &elements).and_then(|d| d.as_int()) else {
            let text = format!("{name}.len() == {}", said.replace(", ", " * "));
            let span = self.report.at(&ends);
            self.draft.sig.facts.push(Fact {
                cond: elements.bin(BinOp::Eq, product),
                text,
                span,
            });
            return true;
        };
        let (count, word) = (more.unsigned_abs(), if more > 0 { "more" } else { "fewer" });
        let elements = if count == 1 { "element" } else { "elements" };
        let own = match seen.tensor {
            TensorRef::Param(p) => self.draft.dims_text(self.draft.sig.shape(p)),
            TensorRef::Work(w) => self.names.work_axes_text(w),
        };
        let d = self
            .error(
                Code::J0209,
                &ends,
                format!("the view `[{said}]` of `{name}` has {count} {elements} {word} than it"),
            )
            .label(declared, format!("`{name}` has the axes `[{own}]`"))
            .help("a view splits or joins axes: the product of its sizes is that of the tensor's");
        self.report.add(d);
        false
    }
}

impl Emitted {
    /// Makes a tensor under whole axes.
    pub fn seen(&self, tensor: TensorRef, of: Vec<AxId>) -> Seen {
        let names: Vec<&str> = of
            .iter()
            .map(|ax| self.body.axes[ax.index()].name.as_str())
            .collect();
        Seen {
            tensor,
            said: names.join(", "),
            of,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::front::parse_file;

    /// Returns the conditions that the host checks for the statements before a loop.
    fn checks(statements: &str) -> Vec<String> {
        let text = format!(
            "#[kernel]\nfn k(#[shape(n, d = 2 * m)] x: &GlobalTensor<f32>, #[shape(m, o)] y: &mut GlobalTensor<f32>) {{\n\
             {statements}\nfor r in tiles(m) {{ y.at(r, ..).store(full((r, o), 0.0)); }}\n}}"
        );
        let parsed = parse_file(&text)
            .unwrap_or_else(|(d, _)| panic!("{}", d.message))
            .remove(0);
        let kernel = parsed
            .kernel
            .unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics));
        crate::ir::verify_kernel(&kernel).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
        kernel.sig.facts.into_iter().map(|fact| fact.text).collect()
    }

    #[test]
    fn the_host_checks_what_does_not_follow_from_how_sizes_are_written() {
        assert!(checks("let g = new_axis(2); let v = x.view((n, m, g));").is_empty());
        assert!(checks(
            "let (g, k) = (new_axis(2 * n), new_axis(d / 2 * 2)); let v = y.view((o, m));"
        )
        .is_empty());
        assert_eq!(
            checks("let (k, q) = (new_axis(d / 3), new_axis(3)); let v = x.view((n, k, q));"),
            ["x.len() == n * k * q"]
        );
        assert_eq!(
            checks("let k = new_axis(o / 4); let q = new_axis(4); let (v, w) = (y.view((m, k, q)), y.view((q, m, k)));").len(),
            1
        );
        assert_eq!(
            checks("require(8 * m == n * d); let q = new_axis(8); let v = x.view((q, m));"),
            ["8 * m == n * d"]
        );
        assert_eq!(checks("let k = new_axis(n - 4);"), ["n - 4 >= 0"]);
        assert_eq!(
            checks("require(n >= 4); let k = new_axis(n - 4); let q = new_axis(o % 3 + m.max(1));"),
            ["n >= 4"]
        );
    }
}
