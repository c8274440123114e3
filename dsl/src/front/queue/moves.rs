//! Copies between GM and UB at queue level, and the slices of GM that they take.

use crate::diag::Code;
use crate::front::cx::emitted::Emitted;
use crate::front::cx::kinds::Slice;
use crate::front::cx::report::Report;
use crate::front::cx::value::Arg as Given;
use crate::front::cx::value::{GmPart, LocalPart, Num, Val};
use crate::front::cx::Cx;
use crate::ir::{Arg, Extent, Instr, Layout, Level, QueueStmt, Scalar, TensorRef, View};
use crate::items::{Function, SliceMethod};
use crate::ops::CopyOp;
use crate::soc::DATA_BLOCK_BYTES;
use syn::{Expr, ExprCall, ExprMethodCall};

/// Part of a tensor in UB, with the layout of its rows where the author gives one.
struct LocalRows {
    part: LocalPart,
    layout: Option<Layout>,
}

impl Cx<'_> {
    /// Reads a slice `x.slice(at, n)`.
    pub fn slice(&mut self, of: TensorRef, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = &self.args(&m.args);
        self.use_level(Level::Queue, &m.method, "slice");
        let Some([at, n]) = self.report.exactly::<2>("slice", args, e, "x.slice(at, n)") else {
            return Val::Unknown;
        };
        let (offset, n) = (
            self.index_arg(at, "the offset"),
            self.index_arg(n, "the length"),
        );
        match (offset, n) {
            (Some(offset), Some(cols)) => Val::Slice(Box::new(Slice {
                gm: GmPart { of, offset },
                cols,
                rows: None,
                pad: None,
            })),
            _ => Val::Unknown,
        }
    }

    /// Reads `x.slice(at, n).rows(r, pitch)` or `.pad(lead, value)`.
    pub fn slice_method(&mut self, mut slice: Slice, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        let name = m.method.to_string();
        let Some(method) = SliceMethod::by_name(&name) else {
            return self.report.no_method(
                "a slice of a GlobalTensor",
                &m.method,
                SliceMethod::NAMES,
            );
        };
        let again = match method {
            SliceMethod::Rows => slice.rows.is_some(),
            SliceMethod::Pad => slice.pad.is_some(),
        };
        if again {
            let d = self
                .error(
                    Code::J0106,
                    &m.method,
                    format!("`{name}` was said of this slice"),
                )
                .help("say it once");
            return self.report.bad(d);
        }
        match method {
            SliceMethod::Rows => {
                let usage = "x.slice(at, cols).rows(rows, pitch)";
                let Some([rows, pitch]) = self.report.exactly::<2>("rows", &args, e, usage) else {
                    return Val::Unknown;
                };
                let (rows, pitch) = (
                    self.index_arg(rows, "the number of rows"),
                    self.index_arg(pitch, "the pitch"),
                );
                let (Some(rows), Some(pitch)) = (rows, pitch) else {
                    return Val::Unknown;
                };
                slice.rows = Some((rows, pitch));
            }
            SliceMethod::Pad => {
                let Some([lead, value]) =
                    self.report
                        .exactly::<2>("pad", &args, e, "x.slice(at, n).pad(0, 0.0)")
                else {
                    return Val::Unknown;
                };
                let lead = self.index_arg(lead, "the number of elements before a row");
                let Val::Num(n) = &value.0 else {
                    return self.wrong_kind(value, "a scalar");
                };
                let Some(dtype) = self.gm_type(slice.gm.of) else {
                    return Val::Unknown;
                };
                let (Some(lead), Some(filler)) = (lead, self.tile_scalar(n, dtype, value.1)) else {
                    return Val::Unknown;
                };
                slice.pad = Some((
                    lead,
                    Num {
                        value: filler,
                        ..n.clone()
                    },
                ));
            }
        }
        Val::Slice(Box::new(slice))
    }

    /// Names a slice: its numbers keep their present values.
    pub fn named_slice(&mut self, name: &str, slice: Slice, init: &Expr) -> Slice {
        let span = self.report.at(init);
        let mut pin = |s, what: &str| {
            self.out
                .pinned(&format!("{name}_{what}"), Num::index(s), span)
                .value
        };
        let gm = GmPart {
            offset: pin(slice.gm.offset, "at"),
            ..slice.gm
        };
        let cols = pin(slice.cols, "len");
        let rows = slice
            .rows
            .map(|(rows, pitch)| (pin(rows, "rows"), pin(pitch, "pitch")));
        let pad = slice.pad.map(|(lead, value)| (pin(lead, "lead"), value));
        let pad =
            pad.map(|(lead, value)| (lead, self.out.pinned(&format!("{name}_pad"), value, span)));
        Slice {
            gm,
            cols,
            rows,
            pad,
        }
    }

    /// Reads a copy: `data_copy(dst, src)`, `data_copy_pad(dst, src)`, `atomic_add(dst, src)`,
    /// `atomic_max_pad(dst, src)`.
    pub fn copy_call(
        &mut self,
        f: Function,
        into_ub: Option<CopyOp>,
        to_gm: CopyOp,
        c: &ExprCall,
        e: &Expr,
    ) -> Val {
        let name = f.name();
        self.use_level(Level::Queue, e, name);
        let args = self.args(&c.args);
        // A copy with wrong arguments still names the output it was meant for.
        for (val, _) in args.iter().take(1) {
            match val {
                Val::Slice(slice) => {
                    if let TensorRef::Param(p) = slice.gm.of {
                        self.draft.written[p.index()] = true;
                    }
                }
                Val::Tensor(p) => self.draft.written[p.index()] = true,
                Val::Unknown => self.report.doubt = true,
                _ => {}
            }
        }
        let usage = match into_ub {
            Some(_) => format!("{name}(&x_local, x.slice(at, n))"),
            None => format!("{name}(y.slice(at, n), &y_local)"),
        };
        let Some([dst, src]) = self.report.exactly::<2>(name, &args, e, &usage) else {
            return Val::Unknown;
        };
        if let Some((of, node)) = [dst, src]
            .into_iter()
            .find_map(|(val, node)| Some((val.gm()?, node)))
        {
            let x = self.out.body.gm_name(&self.draft.sig, of).to_string();
            let d = self
                .error(Code::J0106, node, format!("which part of `{x}`?"))
                .help(format!("write `{x}.slice(at, n)`"));
            return self.report.bad(d);
        }
        let local = |val: &Val| matches!(val, Val::Local(_) | Val::Strided(..));
        match (&dst.0, &src.0) {
            (to, Val::Slice(slice)) if local(to) => {
                let Some(op) = into_ub else {
                    let d = self
                        .error(Code::J0106, e, format!("`{name}` copies to GM"))
                        .help(format!("write `{usage}`"));
                    return self.report.bad(d);
                };
                let Some(local) = copied(&mut self.report, dst) else {
                    return Val::Unknown;
                };
                let slice = slice.as_ref().clone();
                let good = self.report.by_ref(dst)
                    & self.may_read(slice.gm.of, src.1)
                    & self.same_element(&local.part, dst.1, slice.gm.of, src.1, name, e);
                if good {
                    self.copy_in(op, local, slice, e);
                }
                Val::Unit
            }
            (Val::Slice(slice), from) if local(from) => {
                let Some(local) = copied(&mut self.report, src) else {
                    return Val::Unknown;
                };
                let slice = slice.as_ref().clone();
                if slice.pad.is_some() {
                    let d = self
                        .error(Code::J0106, dst.1, "`.pad(..)` of a slice that is copied to")
                        .help("what is padded are rows in UB: `data_copy_pad(&x_local, x.slice(at, n).pad(0, 0.0))`");
                    return self.report.bad(d);
                }
                let good = self.report.by_ref(src)
                    & self.may_write(slice.gm.of, dst.1)
                    & self.same_element(&local.part, src.1, slice.gm.of, dst.1, name, e);
                if good {
                    let (extent, gm, ub) = views(&mut self.out, to_gm, local, &slice);
                    let span = self.report.at(e);
                    self.out.instr(to_gm, extent, [gm.into(), ub.into()], span);
                }
                Val::Unit
            }
            (to, from) if local(to) && local(from) => {
                let d = self
                    .error(Code::J0106, e, format!("`{name}` between two LocalTensors"))
                    .help("inside UB write `vec::local_copy(&dst, &src, n)`");
                self.report.bad(d)
            }
            (Val::Slice(..), Val::Slice(..)) => {
                let d = self
                    .error(
                        Code::J0106,
                        e,
                        format!("`{name}` between two GlobalTensors"),
                    )
                    .help("data go through UB: copy into a LocalTensor and out of it");
                self.report.bad(d)
            }
            (Val::Local(_) | Val::Strided(..) | Val::Slice(..), _) => {
                self.wrong_kind(src, "a LocalTensor or a slice")
            }
            _ => self.wrong_kind(dst, "a LocalTensor or a slice"),
        }
    }

    /// Adds a copy into UB, with a number around its rows where the slice has one.
    fn copy_in(&mut self, op: CopyOp, local: LocalRows, slice: Slice, e: &Expr) {
        let span = self.report.at(e);
        let Some((lead, value)) = slice.pad.clone() else {
            let (extent, gm, ub) = views(&mut self.out, op, local, &slice);
            return self.out.instr(op, extent, [ub.into(), gm.into()], span);
        };
        if op != CopyOp::InPad {
            let d = self
                .error(
                    Code::J0106,
                    e,
                    "`data_copy` pads nothing: it moves whole data blocks",
                )
                .help("write `data_copy_pad`");
            return self.report.add(d);
        }
        let op = CopyOp::InLead;
        let (extent, gm, ub) = views(&mut self.out, op, local, &slice);
        let args = [
            Arg::from(ub),
            gm.into(),
            Arg::Scalar { value: value.value },
            Arg::Scalar { value: lead },
        ];
        self.out.queue(
            QueueStmt::Instr {
                instr: Instr::new(op, extent, args),
            },
            span,
        );
    }

    fn same_element(
        &mut self,
        l: &LocalPart,
        local: &Expr,
        of: TensorRef,
        gm: &Expr,
        name: &str,
        e: &Expr,
    ) -> bool {
        let x = self.out.body.tensors[l.tensor.index()].dtype;
        let Some(y) = self.gm_type(of) else {
            return false;
        };
        if x == y {
            return true;
        }
        let (x, y) = (self.draft.sig.ty_name(x), self.draft.sig.ty_name(y));
        let (left, right) = (self.report.at(local), self.report.at(gm));
        let d = self
            .error(
                Code::J0201,
                e,
                format!("`{name}` between a LocalTensor of `{x}` and a GlobalTensor of `{y}`"),
            )
            .label(left, format!("this is `{x}`"))
            .label(right, format!("this is `{y}`"))
            .help(format!(
                "a copy converts nothing: use a LocalTensor of `{y}` and `vec::cast`"
            ));
        self.report.add(d);
        false
    }
}

/// Finds the copied tensor in UB and the layout of its rows, if given. Reports J0106 for strides of
/// vector calls.
fn copied(report: &mut Report, given: &Given<'_>) -> Option<LocalRows> {
    match &given.0 {
        Val::Local(part) => Some(LocalRows {
            part: part.clone(),
            layout: None,
        }),
        Val::Strided(part, layout @ Layout::Rows { .. }) => Some(LocalRows {
            part: part.clone(),
            layout: Some(layout.clone()),
        }),
        _ => {
            let d = report.error(Code::J0106, given.1, "strides of vector calls in a copy").help(
                "the rows of a copy lie `x_local.rows(pitch)` elements apart in UB, start to start",
            );
            report.add(d);
            None
        }
    }
}

/// Makes extent and operands of a copy. By default rows in UB follow one another, each to the end
/// of its last data block.
fn views(out: &mut Emitted, op: CopyOp, local: LocalRows, slice: &Slice) -> (Extent, View, View) {
    let LocalRows { part, layout } = local;
    let (rows, gm_pitch) = slice
        .rows
        .clone()
        .unwrap_or((Scalar::Int(1), slice.cols.clone()));
    let extent = Extent::Rows {
        rows,
        cols: slice.cols.clone(),
    };
    let (gm, ub) = (View::from(slice.gm.clone()), View::from(part.clone()));
    if slice.rows.is_none() && layout.is_none() {
        return (extent, gm, ub);
    }
    let layout = layout.unwrap_or_else(|| {
        let whole = match op.pads() {
            false => slice.cols.clone(),
            true => {
                let size = Scalar::SizeOf(out.body.tensors[part.tensor.index()].dtype);
                let filled = slice.pad.as_ref().map_or(slice.cols.clone(), |(lead, _)| {
                    lead.clone() + slice.cols.clone()
                });
                filled.align_up(Scalar::Int(DATA_BLOCK_BYTES) / size)
            }
        };
        Layout::Rows { pitch: whole }
    });
    (extent, gm.rows(gm_pitch), View { layout, ..ub })
}
