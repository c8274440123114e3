//! Walks over statements: their lists, their scalars and their tensors, to read and to change.
//!
//! Macros list the contents of a statement once, and make both the reading and the changing form.

use super::{
    queue, tile, Access, Arg, Base, Chosen, Dialect, Extent, HostCall, Index, Instr, Lanes, Layout,
    Operand, Promised, QueueOp, QueueStmt, RunSize, Scalar, Stmt, StmtKind, StoreHow, SyncOp,
    TensorId, TensorRef, TileExpr, TileLoop, TileStmt, ValueId, VarId, View,
};
use std::collections::BTreeSet;

/// Calls `f` on every statement of a list and below, outer before inner, in order.
pub fn walk_stmts<'a, L: Dialect>(stmts: &'a [Stmt<L>], f: &mut impl FnMut(&'a Stmt<L>)) {
    for s in stmts {
        f(s);
        s.children()
            .into_iter()
            .flatten()
            .for_each(|inner| walk_stmts(inner, f));
    }
}

/// Calls `f` on every statement of a list and below for changes, outer before inner, in order.
pub fn walk_stmts_mut<L: Dialect>(stmts: &mut [Stmt<L>], f: &mut impl FnMut(&mut Stmt<L>)) {
    for s in stmts {
        f(s);
        s.children_mut()
            .into_iter()
            .flatten()
            .for_each(|inner| walk_stmts_mut(inner, f));
    }
}

/// Collects the values that a statement reads itself, without those of the statements inside of it.
pub fn uses(s: &tile::Stmt, used: &mut BTreeSet<ValueId>) {
    let Some(own) = s.own() else { return };
    match own {
        TileStmt::Def { expr, .. } => used.extend(expr.operands()),
        TileStmt::Set { value, from } => used.extend([*from, *value]),
        TileStmt::Store { to, value, .. } => {
            used.extend(to.ids().map(|ids| ids.value).chain([*value]))
        }
        TileStmt::Append {
            value,
            mask,
            counts,
            ..
        } => used.extend([*value, *mask].iter().chain(counts)),
        TileStmt::Read { value, .. } | TileStmt::Dump { value, .. } => _ = used.insert(*value),
        TileStmt::Loop { .. } => {}
    }
}

/// Returns the outermost tile loops of a list in order, with those under scalar control.
pub fn outer_loops(stmts: &[tile::Stmt]) -> Vec<&TileLoop> {
    let mut found = Vec::new();
    for s in stmts {
        if let Some(TileStmt::Loop { tile }) = s.own() {
            found.push(tile);
        } else {
            s.children()
                .into_iter()
                .flatten()
                .for_each(|inner| found.extend(outer_loops(inner)));
        }
    }
    found
}

/// Finds the first statement, in the order of the text, that reads from a tensor or writes to it.
pub fn first_access(stmts: &[tile::Stmt], of: TensorRef) -> Option<&tile::Stmt> {
    let mut first = None;
    walk_stmts(stmts, &mut |s| {
        if s.access().is_some_and(|access| access.of == of) {
            first.get_or_insert(s);
        }
    });
    first
}

/// True for a tensor whose first access adds: it begins as zeros, where no caller gives it.
pub fn adds_first(stmts: &[tile::Stmt], of: TensorRef) -> bool {
    first_access(stmts, of).is_some_and(|s| {
        matches!(
            s.kind,
            StmtKind::Do(TileStmt::Store {
                how: StoreHow::Add,
                ..
            })
        )
    })
}

macro_rules! visitors {
    ($([$($mutable:tt)?])? $own:ident $children:ident $inside:ident $scalars:ident $iter:ident) => {
        impl<L: Dialect> Stmt<L> {
            /// Returns the statement of the dialect, `None` for control.
            pub fn $own(&$($($mutable)?)? self) -> Option<&$($($mutable)?)? L> {
                if let StmtKind::Do(own) = &$($($mutable)?)? self.kind { Some(own) } else { None }
            }

            /// Returns the lists of statements inside of this one.
            pub fn $children(&$($($mutable)?)? self) -> [Option<&$($($mutable)?)? Vec<Stmt<L>>>; 2] {
                match &$($($mutable)?)? self.kind {
                    StmtKind::For { body, .. } => [Some(body), None],
                    StmtKind::If { then, other, .. } => [Some(then), Some(other)],
                    StmtKind::Do(own) => [own.$inside(), None],
                    StmtKind::LetScalar { .. } | StmtKind::SetScalar { .. } | StmtKind::Promise { .. } => [None, None],
                }
            }

            /// Calls `f` on each scalar of this statement, without those of the statements inside
            /// of it.
            pub fn $scalars<'a>(&'a $($($mutable)?)? self, f: &mut dyn FnMut(&'a $($($mutable)?)? Scalar)) {
                match &$($($mutable)?)? self.kind {
                    StmtKind::LetScalar { value, .. } | StmtKind::SetScalar { value, .. } => f(value),
                    StmtKind::For { from, to, .. } => [from, to].into_iter().for_each(f),
                    StmtKind::If { cond, .. } => f(cond),
                    StmtKind::Promise { what } => match what {
                        Promised::Fact { cond, .. } => f(cond),
                        Promised::Index { value, below, .. } => [value, below].into_iter().for_each(f),
                    },
                    StmtKind::Do(own) => own.$scalars(f),
                }
            }
        }

        impl TileStmt {
            fn $inside(&$($($mutable)?)? self) -> Option<&$($($mutable)?)? Vec<tile::Stmt>> {
                if let TileStmt::Loop { tile } = self { Some(&$($($mutable)?)? tile.body) } else { None }
            }

            fn $scalars<'a>(&'a $($($mutable)?)? self, f: &mut dyn FnMut(&'a $($($mutable)?)? Scalar)) {
                match self {
                    TileStmt::Loop { tile } => {
                        for spec in tile.specs.$iter() {
                            match &$($($mutable)?)? spec.size {
                                RunSize::Given { size } => f(size),
                                RunSize::Solved {} | RunSize::Each {} => {}
                            }
                            spec.length.$iter().for_each(&mut *f);
                        }
                        tile.block_dim.$iter().for_each(f);
                    }
                    TileStmt::Def { expr, .. } => match expr {
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
                    TileStmt::Store { to, .. } | TileStmt::Append { to, .. } => to.$scalars(f),
                    TileStmt::Set { .. } | TileStmt::Read { .. } | TileStmt::Dump { .. } => {}
                }
            }
        }

        impl QueueStmt {
            fn $scalars<'a>(&'a $($($mutable)?)? self, f: &mut dyn FnMut(&'a $($($mutable)?)? Scalar)) {
                match self {
                    QueueStmt::Host { call: HostCall::Split { total, unit, block_dim, .. } } => {
                        [total, unit].into_iter().chain(block_dim.$iter()).for_each(f);
                    }
                    QueueStmt::Host { call: HostCall::FitTile { unit, .. } } => f(unit),
                    QueueStmt::View { of, .. } => of.$scalars(f),
                    QueueStmt::Place { at, len, .. } => [at, len].into_iter().for_each(f),
                    QueueStmt::Sync { what } => match what {
                        SyncOp::Set { id, .. } | SyncOp::Wait { id, .. } | SyncOp::CrossSet { id, .. } | SyncOp::CrossWait { id } => f(id),
                        SyncOp::Barrier { .. } | SyncOp::Order { .. } | SyncOp::All {} => {}
                    },
                    QueueStmt::Instr { instr } => instr.$scalars(f),
                    QueueStmt::Call { tensors, scalars, .. } => {
                        tensors.$iter().for_each(|view| view.$scalars(f));
                        scalars.$iter().for_each(f);
                    }
                    QueueStmt::Queue { .. }
                    | QueueStmt::Reset { .. }
                    | QueueStmt::Get { .. } => {}
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
visitors!(own children inside scalars iter);
visitors!([mut] own_mut children_mut inside_mut scalars_mut iter_mut);

impl Dialect for TileStmt {
    fn inside(&self) -> Option<&Vec<tile::Stmt>> {
        self.inside()
    }

    fn inside_mut(&mut self) -> Option<&mut Vec<tile::Stmt>> {
        self.inside_mut()
    }

    fn scalars<'a>(&'a self, f: &mut dyn FnMut(&'a Scalar)) {
        self.scalars(f);
    }

    fn scalars_mut<'a>(&'a mut self, f: &mut dyn FnMut(&'a mut Scalar)) {
        self.scalars_mut(f);
    }

    fn sets(&self) -> Option<VarId> {
        if let TileStmt::Read { var, .. } = self {
            Some(*var)
        } else {
            None
        }
    }
}

impl Dialect for QueueStmt {
    fn inside(&self) -> Option<&Vec<queue::Stmt>> {
        None
    }

    fn inside_mut(&mut self) -> Option<&mut Vec<queue::Stmt>> {
        None
    }

    fn scalars<'a>(&'a self, f: &mut dyn FnMut(&'a Scalar)) {
        self.scalars(f);
    }

    fn scalars_mut<'a>(&'a mut self, f: &mut dyn FnMut(&'a mut Scalar)) {
        self.scalars_mut(f);
    }

    fn sets(&self) -> Option<VarId> {
        match self {
            QueueStmt::Host {
                call: HostCall::FitTile { var, .. },
            } => Some(*var),
            QueueStmt::Instr { instr } => instr.result(),
            QueueStmt::Host {
                call: HostCall::Split { .. },
            }
            | QueueStmt::Queue { .. }
            | QueueStmt::Get { .. }
            | QueueStmt::View { .. }
            | QueueStmt::Place { .. }
            | QueueStmt::Sync { .. }
            | QueueStmt::Reset { .. }
            | QueueStmt::Call { .. } => None,
        }
    }
}

impl<L: Dialect> Stmt<L> {
    /// Returns the scalar variable that this statement sets.
    pub fn sets(&self) -> Option<VarId> {
        match &self.kind {
            StmtKind::LetScalar { var, .. }
            | StmtKind::SetScalar { var, .. }
            | StmtKind::For { var, .. } => Some(*var),
            StmtKind::If { .. } | StmtKind::Promise { .. } => None,
            StmtKind::Do(own) => own.sets(),
        }
    }
}

impl TileStmt {
    /// Returns the part of a tensor in GM that this statement reads or writes.
    pub fn access(&self) -> Option<&Access> {
        match self {
            TileStmt::Def { expr, .. } => match expr {
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
            TileStmt::Store { to, .. } | TileStmt::Append { to, .. } => Some(to),
            TileStmt::Loop { .. }
            | TileStmt::Set { .. }
            | TileStmt::Read { .. }
            | TileStmt::Dump { .. } => None,
        }
    }

    /// Renames the values that it reads, sets and defines, without the statements inside.
    pub fn rename(&mut self, to: impl Fn(ValueId) -> ValueId + Copy) {
        match self {
            TileStmt::Def { value, expr } => {
                *value = to(*value);
                expr.rename(to);
            }
            TileStmt::Set { value, from } => (*value, *from) = (to(*value), to(*from)),
            TileStmt::Store {
                to: place, value, ..
            } => {
                *value = to(*value);
                place.rename(to);
            }
            TileStmt::Append {
                to: place,
                value,
                mask,
                counts,
            } => {
                (*value, *mask) = (to(*value), to(*mask));
                counts.iter_mut().for_each(|counts| *counts = to(*counts));
                place.rename(to);
            }
            TileStmt::Read { value, .. } | TileStmt::Dump { value, .. } => *value = to(*value),
            TileStmt::Loop { .. } => {}
        }
    }
}

impl Stmt<TileStmt> {
    /// Returns the value that this statement defines, and its expression.
    pub fn def(&self) -> Option<(ValueId, &TileExpr)> {
        if let Some(TileStmt::Def { value, expr }) = self.own() {
            Some((*value, expr))
        } else {
            None
        }
    }

    /// True for an access that may lie outside of its tensor in part: `x.at(..).load_or(v)`,
    /// `y.at(..).store_in(v)`.
    pub fn may_be_outside(&self) -> bool {
        matches!(
            self.own(),
            Some(
                TileStmt::Def {
                    expr: TileExpr::LoadOr { .. },
                    ..
                } | TileStmt::Store {
                    how: StoreHow::Inside,
                    ..
                }
            )
        )
    }

    /// Returns the part of a tensor in GM that this statement reads or writes.
    pub fn access(&self) -> Option<&Access> {
        self.own()?.access()
    }

    /// Returns the accessed part of a tensor in GM for changes.
    pub fn access_mut(&mut self) -> Option<&mut Access> {
        match self.own_mut()? {
            TileStmt::Def {
                expr: TileExpr::Load { from } | TileExpr::LoadOr { from, .. },
                ..
            } => Some(from),
            TileStmt::Store { to, .. } | TileStmt::Append { to, .. } => Some(to),
            TileStmt::Def { .. }
            | TileStmt::Loop { .. }
            | TileStmt::Set { .. }
            | TileStmt::Read { .. }
            | TileStmt::Dump { .. } => None,
        }
    }
}

impl Stmt<QueueStmt> {
    /// Returns the local tensor that this statement defines.
    pub fn defines(&self) -> Option<TensorId> {
        match self.own()? {
            QueueStmt::Queue {
                op: QueueOp::Alloc | QueueOp::Deque,
                tensor,
                ..
            }
            | QueueStmt::Get { tensor, .. }
            | QueueStmt::View { tensor, .. }
            | QueueStmt::Place { tensor, .. } => Some(*tensor),
            QueueStmt::Host { .. }
            | QueueStmt::Queue {
                op: QueueOp::Enque | QueueOp::Free,
                ..
            }
            | QueueStmt::Instr { .. }
            | QueueStmt::Sync { .. }
            | QueueStmt::Reset { .. }
            | QueueStmt::Call { .. } => None,
        }
    }

    /// Calls `f` on each local tensor that this statement reads, writes or hands over, without the
    /// one it defines.
    pub fn tensors(&self, f: &mut dyn FnMut(TensorId)) {
        let Some(own) = self.own() else { return };
        match own {
            QueueStmt::Queue {
                op: QueueOp::Enque | QueueOp::Free,
                tensor,
                ..
            } => f(*tensor),
            QueueStmt::View { of, .. } => of.tensor().into_iter().for_each(f),
            QueueStmt::Instr { instr } => instr
                .views()
                .filter_map(|(_, view)| view.tensor())
                .for_each(f),
            QueueStmt::Call { tensors, .. } => tensors.iter().filter_map(View::tensor).for_each(f),
            QueueStmt::Host { .. }
            | QueueStmt::Queue {
                op: QueueOp::Alloc | QueueOp::Deque,
                ..
            }
            | QueueStmt::Place { .. }
            | QueueStmt::Sync { .. }
            | QueueStmt::Reset { .. }
            | QueueStmt::Get { .. } => {}
        }
    }

    /// Shifts the numbers of its variables and tensors, without those of the statements inside of
    /// it.
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
            StmtKind::LetScalar { var: v, .. }
            | StmtKind::SetScalar { var: v, .. }
            | StmtKind::For { var: v, .. } => *v = var(*v),
            StmtKind::Do(QueueStmt::Instr { instr }) => {
                for arg in &mut instr.args {
                    match arg {
                        Arg::View { view: of } => view(of),
                        Arg::Var { var: v } => *v = var(*v),
                        Arg::Scalar { .. } | Arg::Mode { .. } | Arg::Title { .. } => {}
                    }
                }
            }
            StmtKind::Do(QueueStmt::Call { tensors, .. }) => tensors.iter_mut().for_each(view),
            StmtKind::If { .. } => {}
            StmtKind::Promise { .. }
            | StmtKind::Do(
                QueueStmt::Host { .. }
                | QueueStmt::Queue { .. }
                | QueueStmt::Get { .. }
                | QueueStmt::Place { .. }
                | QueueStmt::Sync { .. }
                | QueueStmt::Reset { .. }
                | QueueStmt::View { .. },
            ) => unreachable!("a verified function makes vector calls alone"),
        }
    }
}
