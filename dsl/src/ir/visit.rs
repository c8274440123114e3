//! Walks over statements: their lists, their scalars and their tensors, to read and to change.
//!
//! What a statement holds is listed once, by macros that make the reading and the changing form of each list.

use super::{
    Access, Arg, Base, Chosen, Extent, Index, Instr, Lanes, Layout, Operand, Promised, RunSize, Scalar, Stmt, StmtKind, StoreHow,
    SyncOp, TensorId, TensorRef, TileExpr, TileLoop, ValueId, VarId, View,
};
use std::collections::BTreeSet;

/// Calls `f` on every statement of a list and below, outer before inner, in order.
pub fn walk_stmts<'a>(stmts: &'a [Stmt], f: &mut impl FnMut(&'a Stmt)) {
    for s in stmts {
        f(s);
        s.children().into_iter().flatten().for_each(|inner| walk_stmts(inner, f));
    }
}

/// Calls `f` on every statement of a list and below, to change it, outer before inner, in order.
pub fn walk_stmts_mut(stmts: &mut [Stmt], f: &mut impl FnMut(&mut Stmt)) {
    for s in stmts {
        f(s);
        s.children_mut().into_iter().flatten().for_each(|inner| walk_stmts_mut(inner, f));
    }
}

/// Values that a statement reads itself (not those of the statements inside it).
pub fn uses(s: &Stmt, used: &mut BTreeSet<ValueId>) {
    match &s.kind {
        StmtKind::Def { expr, .. } => used.extend(expr.operands()),
        StmtKind::Set { value, from } => {
            used.insert(*from);
            used.insert(*value);
        }
        StmtKind::Store { to, value, .. } => {
            used.insert(*value);
            used.extend(to.ids().map(|ids| ids.value));
        }
        StmtKind::Append { value, mask, counts, .. } => used.extend([*value, *mask].iter().chain(counts)),
        StmtKind::Read { value, .. } | StmtKind::Dump { value, .. } => _ = used.insert(*value),
        StmtKind::LetScalar { .. }
        | StmtKind::SetScalar { .. }
        | StmtKind::For { .. }
        | StmtKind::If { .. }
        | StmtKind::Loop { .. }
        // The queue dialect has no values.
        | StmtKind::Split { .. }
        | StmtKind::FitTile { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::Enque { .. }
        | StmtKind::Deque { .. }
        | StmtKind::Free { .. }
        | StmtKind::Get { .. }
        | StmtKind::View { .. }
        | StmtKind::Place { .. }
        | StmtKind::Sync { .. }
        | StmtKind::SyncAll {}
        | StmtKind::Promise { .. }
        | StmtKind::Reset { .. }
        | StmtKind::Instr { .. }
        | StmtKind::Call { .. } => {}
    }
}

/// The outermost tile loops of a list, those under scalar control among them, in order.
pub fn outer_loops(stmts: &[Stmt]) -> Vec<&TileLoop> {
    let mut found = Vec::new();
    for s in stmts {
        match &s.kind {
            StmtKind::Loop { tile } => found.push(tile),
            _ => s.children().into_iter().flatten().for_each(|inner| found.extend(outer_loops(inner))),
        }
    }
    found
}

/// The first statement, in the order of the text, that reads from a tensor or writes to it.
pub fn first_access(stmts: &[Stmt], of: TensorRef) -> Option<&Stmt> {
    let mut first = None;
    walk_stmts(stmts, &mut |s| {
        if s.access().is_some_and(|access| access.of == of) {
            first.get_or_insert(s);
        }
    });
    first
}

/// True for a tensor to which is added before anything else: it begins as zeros, where no caller gives it.
pub fn adds_first(stmts: &[Stmt], of: TensorRef) -> bool {
    first_access(stmts, of).is_some_and(|s| matches!(s.kind, StmtKind::Store { how: StoreHow::Add, .. }))
}

macro_rules! visitors {
    ($([$($mutable:tt)?])? $children:ident $scalars:ident $iter:ident) => {
        impl Stmt {
            /// The lists of statements inside this one.
            pub fn $children(&$($($mutable)?)? self) -> [Option<&$($($mutable)?)? Vec<Stmt>>; 2] {
                match &$($($mutable)?)? self.kind {
                    StmtKind::For { body, .. } => [Some(body), None],
                    StmtKind::Loop { tile } => [Some(&$($($mutable)?)? tile.body), None],
                    StmtKind::If { then, other, .. } => [Some(then), Some(other)],
                    StmtKind::LetScalar { .. }
                    | StmtKind::SetScalar { .. }
                    | StmtKind::Def { .. }
                    | StmtKind::Set { .. }
                    | StmtKind::Store { .. }
                    | StmtKind::Dump { .. }
                    | StmtKind::Append { .. }
                    | StmtKind::Read { .. }
                    | StmtKind::Split { .. }
                    | StmtKind::FitTile { .. }
                    | StmtKind::Alloc { .. }
                    | StmtKind::Enque { .. }
                    | StmtKind::Deque { .. }
                    | StmtKind::Free { .. }
                    | StmtKind::Get { .. }
                    | StmtKind::View { .. }
                    | StmtKind::Place { .. }
                    | StmtKind::Sync { .. }
                    | StmtKind::Instr { .. }
                    | StmtKind::SyncAll {}
                    | StmtKind::Promise { .. }
                    | StmtKind::Reset { .. }
                    | StmtKind::Call { .. } => [None, None],
                }
            }

            /// Calls `f` on each scalar of this statement, without those of the statements inside it.
            pub fn $scalars<'a>(&'a $($($mutable)?)? self, f: &mut dyn FnMut(&'a $($($mutable)?)? Scalar)) {
                match &$($($mutable)?)? self.kind {
                    StmtKind::LetScalar { value, .. } | StmtKind::SetScalar { value, .. } => f(value),
                    StmtKind::For { from, to, .. } => [from, to].into_iter().for_each(f),
                    StmtKind::If { cond, .. } => f(cond),
                    StmtKind::Loop { tile } => {
                        for spec in tile.specs.$iter() {
                            match &$($($mutable)?)? spec.size {
                                RunSize::Given { size } => f(size),
                                RunSize::Solved {} | RunSize::Each {} => {}
                            }
                            spec.length.$iter().for_each(&mut *f);
                        }
                        tile.block_dim.$iter().for_each(f);
                    }
                    StmtKind::Def { expr, .. } => match expr {
                        TileExpr::Fill { value } => f(value),
                        TileExpr::Iota { first } => f(first),
                        TileExpr::Across { init, .. } => f(init),
                        TileExpr::Op { args, .. } => {
                            for a in args {
                                match a {
                                    Operand::Scalar { value } => f(value),
                                    Operand::Value { .. } => {}
                                }
                            }
                        }
                        TileExpr::Pick { at, .. } => match at {
                            Chosen::Index { index } => index.$scalars(f),
                            Chosen::Tile { .. } => {}
                        },
                        TileExpr::Load { from } => from.$scalars(f),
                        TileExpr::LoadOr { from, outside } => {
                            from.$scalars(f);
                            f(outside);
                        }
                        TileExpr::Appended { .. } => {}
                        TileExpr::Reduce { .. } | TileExpr::Copy { .. } => {}
                        TileExpr::Cast { .. } | TileExpr::Truncate { .. } | TileExpr::Round { .. } => {}
                        TileExpr::Top { .. } | TileExpr::Scan { .. } => {}
                    },
                    StmtKind::Store { to, .. } | StmtKind::Append { to, .. } => to.$scalars(f),
                    StmtKind::Split { total, unit, block_dim, .. } => {
                        [total, unit].into_iter().chain(block_dim.$iter()).for_each(f);
                    }
                    StmtKind::FitTile { unit, .. } => f(unit),
                    StmtKind::View { of, .. } => of.$scalars(f),
                    StmtKind::Place { at, len, .. } => [at, len].into_iter().for_each(f),
                    StmtKind::Sync { what } => match what {
                        SyncOp::Set { id, .. } | SyncOp::Wait { id, .. } | SyncOp::CrossSet { id, .. } | SyncOp::CrossWait { id } => f(id),
                        SyncOp::Barrier { .. } => {}
                    },
                    StmtKind::Instr { instr } => instr.$scalars(f),
                    StmtKind::Call { tensors, scalars, .. } => {
                        tensors.$iter().for_each(|view| view.$scalars(f));
                        scalars.$iter().for_each(f);
                    }
                    StmtKind::Promise { what } => match what {
                        Promised::Fact { cond, .. } => f(cond),
                        Promised::Index { value, below, .. } => [value, below].into_iter().for_each(f),
                    },
                    StmtKind::Set { .. }
                    | StmtKind::Read { .. }
                    | StmtKind::Dump { .. }
                    | StmtKind::Alloc { .. }
                    | StmtKind::Enque { .. }
                    | StmtKind::Deque { .. }
                    | StmtKind::Free { .. }
                    | StmtKind::SyncAll {}
                    | StmtKind::Reset { .. }
                    | StmtKind::Get { .. } => {}
                }
            }
        }

        impl Access {
            /// Calls `f` on each scalar of the access.
            pub fn $scalars<'a>(&'a $($($mutable)?)? self, f: &mut dyn FnMut(&'a $($($mutable)?)? Scalar)) {
                self.dims.$iter().for_each(&mut *f);
                for index in &$($($mutable)?)? self.index {
                    index.$scalars(f);
                }
                self.otherwise.$iter().for_each(&mut *f);
            }
        }

        impl Index {
            /// Calls `f` on each scalar of the index.
            pub fn $scalars<'a>(&'a $($($mutable)?)? self, f: &mut dyn FnMut(&'a $($($mutable)?)? Scalar)) {
                self.terms.$iter().for_each(|term| f(&$($($mutable)?)? term.factor));
                f(&$($($mutable)?)? self.offset);
            }
        }

        impl View {
            /// Calls `f` on each scalar of the view.
            pub fn $scalars<'a>(&'a $($($mutable)?)? self, f: &mut dyn FnMut(&'a $($($mutable)?)? Scalar)) {
                f(&$($($mutable)?)? self.offset);
                match &$($($mutable)?)? self.layout {
                    Layout::Rows { pitch } => f(pitch),
                    Layout::Blocks { blk, rep } => [blk, rep].into_iter().for_each(f),
                    Layout::Results { rep } => f(rep),
                    Layout::Dense {} => {}
                }
            }
        }

        impl Lanes {
            /// Calls `f` on each scalar of the mask.
            pub fn $scalars<'a>(&'a $($($mutable)?)? self, f: &mut dyn FnMut(&'a $($($mutable)?)? Scalar)) {
                match self {
                    Lanes::First { n } => f(n),
                    Lanes::Groups { from, to, groups, .. } => [from, to, groups].into_iter().for_each(f),
                    Lanes::Bits { .. } => {}
                }
            }
        }

        impl Instr {
            /// Calls `f` on each scalar of the instruction.
            pub fn $scalars<'a>(&'a $($($mutable)?)? self, f: &mut dyn FnMut(&'a $($($mutable)?)? Scalar)) {
                for arg in &$($($mutable)?)? self.args {
                    match arg {
                        Arg::View { view } => view.$scalars(f),
                        Arg::Scalar { value } => f(value),
                        Arg::Mode { .. } | Arg::Var { .. } | Arg::Title { .. } => {}
                    }
                }
                match &$($($mutable)?)? self.extent {
                    Extent::Count { n } | Extent::Counter { n } => f(n),
                    Extent::Repeat { mask, repeat } => {
                        mask.$scalars(f);
                        f(repeat);
                    }
                    Extent::Eights { repeat } => f(repeat),
                    Extent::Rows { rows, cols } => [rows, cols].into_iter().for_each(f),
                    Extent::Fixed {} => {}
                }
            }
        }
    };
}
visitors!(children scalars iter);
visitors!([mut] children_mut scalars_mut iter_mut);

impl Stmt {
    /// True for an access that may lie outside of its tensor in part: `x.at(..).load_or(v)`, `y.at(..).store_in(v)`.
    pub fn may_be_outside(&self) -> bool {
        matches!(self.kind, StmtKind::Def { expr: TileExpr::LoadOr { .. }, .. } | StmtKind::Store { how: StoreHow::Inside, .. })
    }

    /// The part of a tensor in GM that a statement of the tile dialect reads or writes.
    pub fn access(&self) -> Option<&Access> {
        match &self.kind {
            StmtKind::Def { expr, .. } => match expr {
                TileExpr::Load { from } | TileExpr::LoadOr { from, .. } => Some(from),
                TileExpr::Fill { .. }
                | TileExpr::Iota { .. }
                | TileExpr::Across { .. }
                | TileExpr::Appended { .. }
                | TileExpr::Reduce { .. }
                | TileExpr::Op { .. }
                | TileExpr::Cast { .. }
                | TileExpr::Truncate { .. }
                | TileExpr::Round { .. }
                | TileExpr::Copy { .. }
                | TileExpr::Pick { .. }
                | TileExpr::Top { .. }
                | TileExpr::Scan { .. } => None,
            },
            StmtKind::Store { to, .. } | StmtKind::Append { to, .. } => Some(to),
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::For { .. }
            | StmtKind::If { .. }
            | StmtKind::Loop { .. }
            | StmtKind::Set { .. }
            | StmtKind::Read { .. }
            | StmtKind::Dump { .. }
            | StmtKind::Split { .. }
            | StmtKind::FitTile { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::Enque { .. }
            | StmtKind::Deque { .. }
            | StmtKind::Free { .. }
            | StmtKind::Get { .. }
            | StmtKind::View { .. }
            | StmtKind::Place { .. }
            | StmtKind::Sync { .. }
            | StmtKind::Instr { .. }
            | StmtKind::SyncAll {}
            | StmtKind::Promise { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Call { .. } => None,
        }
    }

    /// The scalar variable that this statement sets.
    pub fn sets(&self) -> Option<VarId> {
        match &self.kind {
            StmtKind::LetScalar { var, .. }
            | StmtKind::SetScalar { var, .. }
            | StmtKind::For { var, .. }
            | StmtKind::Read { var, .. }
            | StmtKind::FitTile { var, .. } => Some(*var),
            StmtKind::Instr { instr } => instr.result(),
            StmtKind::If { .. }
            | StmtKind::Loop { .. }
            | StmtKind::Def { .. }
            | StmtKind::Set { .. }
            | StmtKind::Store { .. }
            | StmtKind::Dump { .. }
            | StmtKind::Append { .. }
            | StmtKind::Split { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::Enque { .. }
            | StmtKind::Deque { .. }
            | StmtKind::Free { .. }
            | StmtKind::Get { .. }
            | StmtKind::View { .. }
            | StmtKind::Place { .. }
            | StmtKind::Sync { .. }
            | StmtKind::SyncAll {}
            | StmtKind::Promise { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Call { .. } => None,
        }
    }

    /// The local tensor that this statement defines.
    pub fn defines(&self) -> Option<TensorId> {
        match &self.kind {
            StmtKind::Alloc { tensor, .. }
            | StmtKind::Deque { tensor, .. }
            | StmtKind::Get { tensor, .. }
            | StmtKind::View { tensor, .. }
            | StmtKind::Place { tensor, .. } => Some(*tensor),
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::For { .. }
            | StmtKind::If { .. }
            | StmtKind::Loop { .. }
            | StmtKind::Def { .. }
            | StmtKind::Set { .. }
            | StmtKind::Store { .. }
            | StmtKind::Dump { .. }
            | StmtKind::Append { .. }
            | StmtKind::Read { .. }
            | StmtKind::Split { .. }
            | StmtKind::FitTile { .. }
            | StmtKind::Enque { .. }
            | StmtKind::Free { .. }
            | StmtKind::Instr { .. }
            | StmtKind::Sync { .. }
            | StmtKind::SyncAll {}
            | StmtKind::Promise { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Call { .. } => None,
        }
    }

    /// Calls `f` on each local tensor that this statement reads, writes or hands over, without the one it defines.
    pub fn tensors(&self, f: &mut dyn FnMut(TensorId)) {
        match &self.kind {
            StmtKind::Enque { tensor, .. } | StmtKind::Free { tensor, .. } => f(*tensor),
            StmtKind::View { of, .. } => of.tensor().into_iter().for_each(f),
            StmtKind::Instr { instr } => instr.views().filter_map(|(_, view)| view.tensor()).for_each(f),
            StmtKind::Call { tensors, .. } => tensors.iter().filter_map(View::tensor).for_each(f),
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::For { .. }
            | StmtKind::If { .. }
            | StmtKind::Loop { .. }
            | StmtKind::Def { .. }
            | StmtKind::Set { .. }
            | StmtKind::Store { .. }
            | StmtKind::Dump { .. }
            | StmtKind::Append { .. }
            | StmtKind::Read { .. }
            | StmtKind::Split { .. }
            | StmtKind::FitTile { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::Deque { .. }
            | StmtKind::Place { .. }
            | StmtKind::Sync { .. }
            | StmtKind::SyncAll {}
            | StmtKind::Promise { .. }
            | StmtKind::Reset { .. }
            | StmtKind::Get { .. } => {}
        }
    }

    /// Numbers its variables and tensors, without those of the statements inside it, so many places further on.
    pub fn renumber(&mut self, vars: usize, tensors: usize) {
        let var = |v: VarId| VarId::new(v.index() + vars, v.ty());
        let tensor = |t: TensorId| TensorId(t.0 + tensors as u32);
        self.scalars_mut(&mut |s| {
            *s = s.replace(&|node| match node {
                Scalar::Var(v) => Some(Scalar::Var(var(*v))),
                _ => None,
            });
        });
        let view = |view: &mut View| {
            if let Base::Local(t) = view.base {
                view.base = Base::Local(tensor(t));
            }
        };
        match &mut self.kind {
            StmtKind::LetScalar { var: v, .. } | StmtKind::SetScalar { var: v, .. } | StmtKind::For { var: v, .. } => {
                *v = var(*v)
            }
            StmtKind::Instr { instr } => {
                for arg in &mut instr.args {
                    match arg {
                        Arg::View { view: of } => view(of),
                        Arg::Var { var: v } => *v = var(*v),
                        Arg::Scalar { .. } | Arg::Mode { .. } | Arg::Title { .. } => {}
                    }
                }
            }
            StmtKind::Call { tensors, .. } => tensors.iter_mut().for_each(view),
            StmtKind::If { .. } => {}
            // A function has no queues, buffers and tiles.
            StmtKind::Loop { .. }
            | StmtKind::Def { .. }
            | StmtKind::Set { .. }
            | StmtKind::Store { .. }
            | StmtKind::Dump { .. }
            | StmtKind::Append { .. }
            | StmtKind::Read { .. }
            | StmtKind::Split { .. }
            | StmtKind::FitTile { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::Enque { .. }
            | StmtKind::Deque { .. }
            | StmtKind::Free { .. }
            | StmtKind::Get { .. }
            | StmtKind::Place { .. }
            | StmtKind::Sync { .. }
            | StmtKind::SyncAll {}
            | StmtKind::Promise { .. }
            | StmtKind::Reset { .. }
            | StmtKind::View { .. } => unreachable!("a verified function makes vector calls alone"),
        }
    }
}
