//! Parts of tensors as text: `x0.view((a0, a1)).at(t0, ..)`.

use super::{Canon, Unprintable};
use jumar::dsl::ir::{
    dim_size, tidied, Access, AxFrom, AxId, BinOp, Index, Scalar, TensorRef, UnOp,
};

impl Canon<'_> {
    /// Writes an access to part of a tensor.
    pub(super) fn access(&mut self, access: &Access) -> Result<String, Unprintable> {
        let (mut text, own) = match access.of {
            TensorRef::Param(id) => {
                let name = self
                    .items
                    .get(&id.index())
                    .unwrap_or(&self.params[id.index()])
                    .clone();
                let own: Vec<Scalar> = self.kernel.sig.shape(id).iter().map(dim_size).collect();
                (name, own)
            }
            TensorRef::Work(id) => {
                let Some(work) = self.works.get(id.index()) else {
                    return Err(Unprintable::new("a workspace that nothing declares"));
                };
                (work.name.clone(), work.sizes.clone())
            }
        };
        if let Some(number) = &access.otherwise {
            text = format!("{text}.or_full({})", self.placed(number)?);
        }
        let is_one = own.is_empty() && access.dims == [Scalar::Int(1)];
        let is_own = own == access.dims;
        let axes: Vec<Option<String>> = match is_own || is_one {
            true => own.iter().map(|size| self.axis_of_size(size)).collect(),
            false => {
                let mut axes: Vec<String> = Vec::new();
                for (index, size) in access.index.iter().zip(&access.dims) {
                    axes.push(self.view_axis(index, size, &axes));
                }
                let listed = if axes.len() == 1 {
                    axes[0].clone()
                } else {
                    format!("({})", axes.join(", "))
                };
                text = format!("{text}.view({listed})");
                axes.into_iter().map(Some).collect()
            }
        };
        let mut indices = Vec::new();
        for (index, axis) in access.index.iter().zip(&axes) {
            indices.push(self.index(index, axis.as_deref())?);
        }
        Ok(format!("{text}.at({})", indices.join(", ")))
    }

    /// Returns the name of the axis whose size is written as `size`.
    pub(super) fn axis_of_size(&self, size: &Scalar) -> Option<String> {
        match size {
            Scalar::Axis(axis) => Some(self.sig_axes[axis.index()].clone()),
            Scalar::Attr(id, _) => Some(self.params[id.index()].clone()),
            size => self
                .sizes
                .iter()
                .find(|(own, _)| own == size)
                .map(|(_, name)| name.clone()),
        }
    }

    /// Returns an axis for one index of a view: the axis of its run, another one of that size, or a
    /// new one.
    pub(super) fn view_axis(&mut self, index: &Index, size: &Scalar, before: &[String]) -> String {
        let body = self.body;
        let is_free = |name: &String| !name.is_empty() && !before.contains(name);
        let is_so_long = |ax: AxId| matches!(&body.axes[ax.index()].from, AxFrom::Whole { extent } if extent == size);
        if let [term] = &index.terms[..] {
            let whole = self.whole_of(term.ax);
            let name = &self.axes[whole.index()];
            if is_so_long(whole) && is_free(name) {
                return name.clone();
            }
        }
        let known = (0..body.axes.len())
            .find(|at| is_so_long(AxId(*at as u32)) && is_free(&self.axes[*at]));
        if let Some(at) = known {
            return self.axes[at].clone();
        }
        let of_signature = match size {
            Scalar::Axis(axis) => Some(self.sig_axes[axis.index()].clone()),
            _ => None,
        };
        let declared = || {
            self.new_axes
                .iter()
                .find(|(name, extent)| extent == size && is_free(name))
                .map(|(name, _)| name.clone())
        };
        match of_signature.filter(is_free).or_else(declared) {
            Some(name) => name,
            // Every axis that a view needs was declared before the body was written.
            None => {
                let name = self.name(super::Pool::Axis);
                self.new_axes.push((name.clone(), size.clone()));
                name
            }
        }
    }

    /// Returns the axis of which `ax` is a run, or `ax` itself.
    pub(super) fn whole_of(&self, ax: AxId) -> AxId {
        self.runs.get(&ax).map_or(ax, |spec| spec.of)
    }

    /// Writes one index; `axis` is the axis of the tensor at that place, if it has a name.
    pub(super) fn index(
        &mut self,
        index: &Index,
        axis: Option<&str>,
    ) -> Result<String, Unprintable> {
        if let Some(ids) = &index.ids {
            return self.value(ids.value);
        }
        let [term] = &index.terms[..] else {
            return match index.terms.is_empty() {
                true => self.placed(&index.offset),
                false => Err(Unprintable::new("an index along several axes")),
            };
        };
        let whole = self.whole_of(term.ax);
        let is_whole = whole == term.ax;
        let name = &self.axes[term.ax.index()];
        let base = if is_whole {
            format!("{name}.indices()")
        } else {
            name.clone()
        };
        // The offset contains the start of the run and of the core range, which the name of the run
        // implies.
        let begins = self.runs.get(&term.ax).map(|spec| Scalar::Var(spec.start));
        let range = self
            .core_ranges
            .get(&whole.index())
            .map(|length| self.range(length).0);
        let is_core_range = range.is_some();
        let mut rest = index.offset.clone();
        for first in begins.iter().chain(&range) {
            rest = tidied(&(rest - first.clone() * term.factor.clone()));
        }
        let mut reads_start = false;
        rest.walk(&mut |s| reads_start |= Some(s) == begins.as_ref());
        if reads_start {
            return Err(Unprintable::new(
                "an index that is computed of the first one of its own tile",
            ));
        }
        let stands = axis == Some(self.axes[whole.index()].as_str())
            && !self.axes[whole.index()].is_empty()
            || is_core_range;
        if term.factor == Scalar::Int(1) && rest == Scalar::Int(0) {
            return Ok(match (is_whole, stands) {
                (true, true) => "..".into(),
                (false, true) => base,
                (true, false) => base,
                (false, false) => format!("{base} + 0"),
            });
        }
        if term.factor == Scalar::Int(-1) {
            return Ok(match self.addend(&rest)? {
                (false, rest) => format!("{rest} - {base}"),
                (true, rest) => format!("0 - {base} - {rest}"),
            });
        }
        let moved = match &term.factor {
            Scalar::Int(1) => base,
            Scalar::Int(v) if *v < 0 => {
                return Err(Unprintable::new("an index that falls by more than one"))
            }
            factor => format!("{base} * {}", self.factor(factor)?),
        };
        Ok(match (&rest, self.addend(&rest)?) {
            (Scalar::Int(0), _) => moved,
            (_, (false, rest)) => format!("{moved} + {rest}"),
            (_, (true, rest)) => format!("{moved} - {rest}"),
        })
    }

    /// Writes the addend of an index, and says if it is subtracted.
    fn addend(&mut self, rest: &Scalar) -> Result<(bool, String), Unprintable> {
        Ok(match rest {
            Scalar::Int(v) if *v < 0 => (true, v.unsigned_abs().to_string()),
            rest => match without_minus(rest) {
                Some(rest) => (true, self.placed(&rest)?),
                None => (false, self.placed(rest)?),
            },
        })
    }

    /// Returns the ends of a range from the number of its indices.
    pub(super) fn range(&self, length: &Scalar) -> (Scalar, Scalar) {
        let count = match length {
            Scalar::Var(var) => self.counts.get(&var.index()).unwrap_or(length),
            other => other,
        };
        match count {
            Scalar::Bin(BinOp::Sub, to, from) => ((**from).clone(), (**to).clone()),
            other => (Scalar::Int(0), other.clone()),
        }
    }
}

/// Negates a sum whose first term is negative: `-a - b` gives `a - b`, which follows a minus.
fn without_minus(sum: &Scalar) -> Option<Scalar> {
    match sum {
        Scalar::Un(UnOp::Neg, first) => Some((**first).clone()),
        Scalar::Bin(op @ (BinOp::Add | BinOp::Sub), rest, last) => {
            Some(without_minus(rest)?.bin(*op, (**last).clone()))
        }
        _ => None,
    }
}
