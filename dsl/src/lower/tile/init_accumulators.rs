//! Stores zeros in outputs and workspaces whose first access adds to them.
//!
//! For each such tensor a loop that stores zeros is inserted before all others. Tensors that the
//! caller fills, or that are stored to before, keep their content.
//!
//! A pass of the tile dialect. Later passes see plain loops: cores divide the zeros among them, and
//! a barrier follows as between any two loops.

use crate::dtype::DType;
use crate::ir::names::unique;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    adds_first, first_access, Access, AxDecl, AxFrom, AxId, AxSpec, Axes, Index, LoopId, Role,
    RunSize, Scalar, ScalarTy, Signature, SpanId, StmtKind, StoreHow, TensorRef, TileExpr,
    TileLoop, TileStmt, Ty, ValueDecl, VarDecl, VarId, WorkId,
};
use crate::lower::func::Reduce;
use crate::lower::gap::{Gap, Made};
use crate::lower::type_queries::Binding;
use crate::ops::AxisReduceOp;
use std::slice::from_ref;

/// Inserts the loops that store zeros. Returns these loops with their tensors.
pub fn run(
    body: &mut Body,
    sig: &Signature,
    binding: &Binding<'_>,
) -> Made<Vec<(LoopId, TensorRef)>> {
    let outputs = sig.tensors().filter(|(_, _, role, _)| *role == Role::Out);
    let outputs = outputs.map(|(id, _, _, ty)| (id.into(), ty, sig.elements(id)));
    let works = body
        .works
        .iter()
        .enumerate()
        .map(|(nth, work)| (WorkId(nth as u32).into(), work.dtype, work.len.clone()));
    let all: Vec<(TensorRef, Ty, Scalar)> = outputs
        .chain(works)
        .filter(|(of, ..)| adds_first(&body.stmts, *of))
        .collect();
    let mut loops = Vec::new();
    // Each loop goes to the front, so the last one is inserted first.
    for (of, ty, elements) in all.into_iter().rev() {
        let name = body.gm_name(sig, of).to_string();
        let first = body
            .stmts
            .iter()
            .enumerate()
            .find_map(|(at, s)| Some((at, first_access(from_ref(s), of)?.span)));
        let (behind, span) = first.ok_or_else(|| {
            Gap::of_kernel(format!("zeros under `{name}`, to which nothing is added"))
        })?;
        // A size that needs a variable is known only behind its definition.
        let at = if elements.has_no_variables() {
            0
        } else {
            behind
        };
        let s = zeros(body, of, &name, ty, elements, binding, span)?;
        if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
            loops.push((tile.id, of));
        }
        let s = match of {
            TensorRef::Param(id) if sig.is_optional(id) => Stmt {
                kind: StmtKind::If {
                    cond: Signature::given(id),
                    then: vec![s],
                    other: Vec::new(),
                },
                span,
            },
            TensorRef::Param(_) | TensorRef::Work(_) => s,
        };
        body.stmts.insert(at, s);
    }
    loops.reverse();
    Ok(loops)
}

/// Makes a loop over all elements of a tensor that stores zeros.
fn zeros(
    body: &mut Body,
    of: TensorRef,
    name: &str,
    ty: Ty,
    elements: Scalar,
    binding: &Binding<'_>,
    span: SpanId,
) -> Made<Stmt> {
    let id = body.next_loop();
    let whole = axis(
        body,
        &format!("{name}_elements"),
        AxFrom::Whole {
            extent: elements.clone(),
        },
    );
    let ax = axis(body, &format!("{name}_zeros"), AxFrom::Run { of: id });
    let [start, len] = ["start", "len"].map(|of| variable(body, &format!("{name}_zeros_{of}")));
    let mut stmts = Vec::new();
    let mut def = |dtype: Ty, expr: TileExpr| {
        let taken = |n: &str| body.values.iter().any(|v| v.name == n);
        let name = unique(&format!("{name}_zero"), taken);
        let value = body.add_value(ValueDecl {
            name,
            dtype,
            axes: Axes::from([ax]),
            mutable: false,
        });
        stmts.push(Stmt {
            kind: StmtKind::Do(TileStmt::Def { value, expr }),
            span,
        });
        value
    };
    // Types for storage alone have no fill; a cast of 0 is 0 there.
    let computed = if binding.is(ty, DType::I8) {
        Ty::Is(DType::F16)
    } else {
        ty
    };
    let sum = Reduce::of(AxisReduceOp::Sum).ok_or_else(|| Gap::new("zeros", span))?;
    let mut value = def(
        computed,
        TileExpr::Fill {
            value: sum.begin(binding, computed),
        },
    );
    if computed != ty {
        value = def(ty, TileExpr::Cast { value, mode: None });
    }
    let to = Access::new(of, vec![elements], vec![Index::along(ax, start)]);
    stmts.push(Stmt {
        kind: StmtKind::Do(TileStmt::Store {
            to,
            value,
            how: StoreHow::Plain,
        }),
        span,
    });
    let specs = vec![AxSpec {
        ax,
        of: whole,
        start,
        len,
        size: RunSize::Solved {},
        length: None,
    }];
    let tile = TileLoop {
        id,
        specs,
        buffer_num: None,
        block_dim: None,
        exact: false,
        any_cut: false,
        split: None,
        body: stmts,
    };
    Ok(Stmt {
        kind: StmtKind::Do(TileStmt::Loop { tile }),
        span,
    })
}

fn axis(body: &mut Body, name: &str, from: AxFrom) -> AxId {
    let name = unique(name, |n| body.axes.iter().any(|axis| axis.name == n));
    body.add_axis(AxDecl { name, from })
}

fn variable(body: &mut Body, name: &str) -> VarId {
    let name = unique(name, |n| body.vars.iter().any(|v| v.name == n));
    body.add_var(VarDecl {
        name,
        ty: ScalarTy::Index,
        mutable: false,
    })
}

/// Makes a loop of one iteration around statements.
pub(super) fn one_turn(body: &mut Body, name: &str, stmts: Vec<Stmt>, span: SpanId) -> Stmt {
    let id = body.next_loop();
    let of = axis(
        body,
        name,
        AxFrom::Whole {
            extent: Scalar::Int(1),
        },
    );
    let ax = axis(body, &format!("{name}_index"), AxFrom::Run { of: id });
    let [start, len] = ["start", "len"].map(|of| variable(body, &format!("{name}_{of}")));
    let specs = vec![AxSpec {
        ax,
        of,
        start,
        len,
        size: RunSize::Each {},
        length: None,
    }];
    let tile = TileLoop {
        id,
        specs,
        buffer_num: None,
        block_dim: None,
        exact: false,
        any_cut: false,
        split: None,
        body: stmts,
    };
    Stmt {
        kind: StmtKind::Do(TileStmt::Loop { tile }),
        span,
    }
}
