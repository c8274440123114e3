//! Finds which statements stand inside the loops over parts of the cut axes, and in which pass.
//!
//! - The *level* of a value is the number of reductions along these axes that it depends on. A load
//!   has level 0, the result of such a reduction one more than its operand, and anything else the
//!   highest level of its operands.
//! - A value with one of the axes is computed *inside*: part by part, in each pass that needs it.
//! - All other values are computed once, before the pass of their level.
//! - A store runs in the pass of its value's level, behind earlier stores to the tensor. If the
//!   tensor is loaded, too, the store runs in the last pass that loads it.

use crate::ir::tile::{Body, Stmt};
use crate::ir::uses;
use crate::ir::{
    walk_stmts, Access, AxId, Axes, Chosen, Scalar, StmtKind, TileExpr, TileStmt, ValueId,
};
use crate::lower::func::Reduce;
use crate::ops::{AxisReduceOp, BinaryOp, ScanOp};
use std::collections::{BTreeMap, BTreeSet};

/// The axes that one loop cuts.
pub(super) struct Cut<'a> {
    pub(super) body: &'a Body,
    /// The axes, in the order of the loop.
    pub(super) axes: Vec<AxId>,
    /// Axes that another loop inside this one will cut; values that have them stand inside, too.
    pub(super) later: Vec<AxId>,
}

impl Cut<'_> {
    fn axes_of(&self, value: ValueId) -> &Axes {
        &self.body.values[value.index()].axes
    }

    fn has(&self, axes: &Axes) -> bool {
        self.axes.iter().any(|ax| axes.contains(*ax))
    }
}

/// A reduction along the cut axes.
#[derive(Clone, Copy)]
pub(super) struct Reduction {
    pub(super) op: AxisReduceOp,
    /// The op that combines two parts.
    pub(super) step: BinaryOp,
    pub(super) neutral: Reduce,
    pub(super) source: ValueId,
}

/// A scan along the one cut axis: each part continues from the total of all parts before it.
#[derive(Clone, Copy)]
pub(super) struct Carried {
    pub(super) op: AxisReduceOp,
    /// The op that combines a part with those before it.
    pub(super) step: BinaryOp,
    pub(super) source: ValueId,
}

/// A statement of the list, with all statements inside it.
pub(super) struct Node<'a> {
    pub(super) stmt: &'a Stmt,
    /// Values that it defines or sets for other statements.
    pub(super) gives: BTreeSet<ValueId>,
    pub(super) reads: BTreeSet<ValueId>,
    pub stores: Vec<&'a Access>,
    loads: Vec<&'a Access>,
    pub(super) inside: bool,
    pub(super) reduction: Option<Reduction>,
    pub(super) carried: Option<Carried>,
    pub(super) level: usize,
    /// The pass of its stores.
    pub(super) pass: Option<usize>,
}

/// Returns the statements of a list with their levels; `None` if the list cannot be cut.
pub(super) fn nodes<'a>(cut: &Cut<'a>, list: &'a [Stmt]) -> Option<Vec<Node<'a>>> {
    let mut nodes = Vec::new();
    let (mut levels, mut insides) = (BTreeMap::new(), BTreeSet::new());
    for s in list {
        let mut node = node(s)?;
        node.reduction = reduction(cut, s)?;
        node.carried = carried(cut, s);
        // Values from before the loop have no level.
        node.level = node
            .reads
            .iter()
            .filter_map(|v| levels.get(v))
            .copied()
            .max()
            .unwrap_or(0);
        let own = node
            .gives
            .iter()
            .chain(&node.reads)
            .any(|v| cut.has(cut.axes_of(*v)));
        let later = node
            .gives
            .iter()
            .chain(&node.reads)
            .any(|v| cut.later.iter().any(|ax| cut.axes_of(*v).contains(*ax)));
        let moved = node.reads.iter().any(|v| insides.contains(v));
        let touched = node.stores.iter().any(|to| cut.has(&to.axes()));
        node.inside = own || later || touched || moved;
        if let Some(reduction) = node.reduction {
            let known = levels.contains_key(&reduction.source);
            let level = node.level + 1;
            known.then_some(())?;
            levels.extend(node.gives.iter().map(|v| (*v, level)));
        } else {
            allowed(cut, &node, &levels)?;
            levels.extend(node.gives.iter().map(|v| (*v, node.level)));
            if node.inside {
                insides.extend(node.gives.iter().copied());
            }
        }
        nodes.push(node);
    }
    plan_stores(&mut nodes)?;
    changed_once(cut, &nodes)?;
    Some(nodes)
}

/// Collects the effects of a statement; `None` if it changes scalars that others read.
fn node(stmt: &Stmt) -> Option<Node<'_>> {
    let (mut defined, mut set, mut reads) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let (mut lets, mut changed) = (BTreeSet::new(), BTreeSet::new());
    let (mut loads, mut stores) = (Vec::new(), Vec::new());
    walk_stmts(std::slice::from_ref(stmt), &mut |s| {
        uses(s, &mut reads);
        defined.extend(if let StmtKind::Do(TileStmt::Def { value, .. }) = &s.kind {
            Some(*value)
        } else {
            None
        });
        set.extend(if let StmtKind::Do(TileStmt::Set { value, .. }) = &s.kind {
            Some(*value)
        } else {
            None
        });
        lets.extend(if let StmtKind::LetScalar { var, .. } = &s.kind {
            Some(*var)
        } else {
            None
        });
        changed.extend(if let StmtKind::SetScalar { var, .. } = &s.kind {
            Some(*var)
        } else {
            None
        });
        let list = if matches!(s.kind, StmtKind::Do(TileStmt::Store { .. })) {
            &mut stores
        } else {
            &mut loads
        };
        list.extend(s.access());
    });
    let is_def = matches!(stmt.kind, StmtKind::Do(TileStmt::Def { .. }));
    // Values that are defined inside a statement are local to it.
    let gives = if is_def {
        defined.clone()
    } else {
        set.difference(&defined).copied().collect()
    };
    let reads = if is_def {
        reads
    } else {
        reads.difference(&defined).copied().collect()
    };
    let local = changed.is_subset(&lets) && !matches!(stmt.kind, StmtKind::SetScalar { .. });
    local.then_some(Node {
        stmt,
        gives,
        reads,
        stores,
        loads,
        inside: false,
        reduction: None,
        carried: None,
        level: 0,
        pass: None,
    })
}

/// Returns the reduction along the cut axes that a statement makes, `Some(None)` if it makes none.
/// `None` if it cannot be made in parts, or goes along only some of the axes of its value.
fn reduction(cut: &Cut<'_>, s: &Stmt) -> Option<Option<Reduction>> {
    let along = |over: &Axes| cut.has(over);
    if let StmtKind::Do(TileStmt::Def {
        expr:
            TileExpr::Reduce {
                op,
                value,
                over,
                onto,
            },
        ..
    }) = &s.kind
    {
        if along(over) {
            // A value that lacks a cut axis is reduced again with each part, which changes no
            // maximum or minimum.
            let again = matches!(op, AxisReduceOp::Max | AxisReduceOp::Min);
            let all = cut
                .axes
                .iter()
                .all(|ax| over.contains(*ax) || again && !cut.axes_of(*value).contains(*ax));
            let one = all && onto.is_none();
            return one.then_some(Some(Reduction {
                op: *op,
                step: op.step()?,
                neutral: Reduce::of(*op)?,
                source: *value,
            }));
        }
    }
    let mut hidden = false;
    // A pick along a cut axis needs all of the axis; a part of picked indices would pick other
    // elements.
    let mut chooses = false;
    walk_stmts(std::slice::from_ref(s), &mut |s| {
        if let StmtKind::Do(TileStmt::Def {
            expr: TileExpr::Pick { along, at, .. },
            ..
        }) = &s.kind
        {
            chooses |= cut.axes.contains(along);
            if let Chosen::Index { index } = at {
                chooses |= index.terms.iter().any(|term| cut.axes.contains(&term.ax));
            }
        }
        if let StmtKind::Do(TileStmt::Def {
            expr: TileExpr::Top { along, to, .. },
            ..
        }) = &s.kind
        {
            chooses |= cut.axes.contains(along) || cut.axes.contains(to);
        }
    });
    let scans = |s: &Stmt| matches!(&s.kind, StmtKind::Do(TileStmt::Def { expr: TileExpr::Scan { along, .. }, .. }) if cut.axes.contains(along));
    // A scan needs the total of all parts before, which is kept beside it in the loop over the
    // parts.
    chooses |= scans(s) && carried(cut, s).is_none();
    (!chooses).then_some(())?;
    for inner in s.children().into_iter().flatten() {
        walk_stmts(inner, &mut |s| {
            hidden |= matches!(&s.kind, StmtKind::Do(TileStmt::Def { expr: TileExpr::Reduce { over, .. }, .. }) if along(over))
                || scans(s);
        });
    }
    (!hidden).then_some(None)
}

/// Returns the scan along the cut axis that a statement makes. With several cut axes there is none:
/// the parts of one come again for each part of another.
fn carried(cut: &Cut<'_>, s: &Stmt) -> Option<Carried> {
    let (_, TileExpr::Scan { op, value, along }) = s.def()? else {
        return None;
    };
    (cut.axes == [*along]).then_some(())?;
    Some(Carried {
        op: *op,
        step: ScanOp::of(*op)?.step(),
        source: *value,
    })
}

/// Returns `Some` if a statement may stand in its place. The values that it changes must be placed
/// like it, and it must store along all cut axes or none.
fn allowed(cut: &Cut<'_>, node: &Node<'_>, levels: &BTreeMap<ValueId, usize>) -> Option<()> {
    let is_def = matches!(node.stmt.kind, StmtKind::Do(TileStmt::Def { .. }));
    let own = |v: &ValueId| {
        is_def || levels.contains_key(v) && (!node.inside || cut.has(cut.axes_of(*v)))
    };
    let all = |to: &&Access| cut.axes.iter().all(|ax| to.axes().contains(*ax));
    let known = node
        .reads
        .iter()
        .all(|v| levels.contains_key(v) || !cut.has(cut.axes_of(*v)));
    let stored = if node.inside {
        node.stores.iter().all(all)
    } else {
        true
    };
    (known && stored && node.gives.iter().all(own)).then_some(())
}

/// Gives each store its pass.
fn plan_stores(nodes: &mut [Node<'_>]) -> Option<()> {
    let last = nodes.iter().filter_map(|n| last_pass(n)).max().unwrap_or(0);
    for at in 0..nodes.len() {
        let (before, rest) = nodes.split_at_mut(at);
        let [node, after @ ..] = rest else { continue };
        if node.stores.is_empty() {
            continue;
        }
        let of = |access: &&&Access| node.stores.iter().any(|to| to.of == access.of);
        // A load behind a store to its tensor would see the new content.
        if node
            .loads
            .iter()
            .chain(after.iter().flat_map(|n| &n.loads))
            .any(|load| of(&load))
        {
            return None;
        }
        let mut pass = node.level;
        for earlier in before.iter() {
            if earlier.loads.iter().any(|load| of(&load)) {
                let same =
                    |load: &&Access| node.stores.iter().all(|to| to.of != load.of || to == load);
                let apart = earlier.inside && node.inside && !earlier.loads.iter().all(same);
                (!apart).then_some(())?;
                // Passes that read the tensor come before. They may be equal only if each part is
                // stored behind its load.
                pass = pass.max(last + usize::from(earlier.inside && !node.inside));
            }
            if let Some(stored) = earlier
                .pass
                .filter(|_| earlier.stores.iter().any(|to| of(&to)))
            {
                let together = earlier
                    .stores
                    .iter()
                    .all(|a| node.stores.iter().all(|b| a == b || are_apart(a, b)));
                pass = pass.max(stored + usize::from(earlier.inside && !(node.inside && together)));
            }
        }
        node.pass = Some(pass);
    }
    // A delayed store may not load a tensor that an earlier pass has stored to.
    let late = nodes
        .iter()
        .any(|n| n.inside && n.pass.is_some_and(|pass| pass > last));
    let in_place = nodes.iter().any(|n| {
        n.loads.iter().any(|load| {
            nodes
                .iter()
                .any(|s| s.stores.iter().any(|to| to.of == load.of))
        })
    });
    // A statement runs in one pass: if there are several, it may store or set a value, not both.
    let one_pass = nodes.iter().all(|n| n.pass.unwrap_or(n.level) == 0);
    let once = |n: &Node<'_>| one_pass || n.stores.is_empty() || n.gives.is_empty();
    (!(late && in_place) && nodes.iter().all(once)).then_some(())
}

/// Returns the last pass in which a statement needs its operands part by part.
fn last_pass(node: &Node<'_>) -> Option<usize> {
    let stores = (node.inside && !node.stores.is_empty()).then_some(node.level);
    stores.or(node.reduction.map(|_| node.level))
}

/// True if two accesses share no element, since an index of both is a number and these differ.
fn are_apart(a: &Access, b: &Access) -> bool {
    let number = |offset: &Scalar| offset.as_int();
    let differ = a.index.iter().zip(&b.index).any(|(a, b)| {
        let numbers = number(&a.offset)
            .zip(number(&b.offset))
            .is_some_and(|(a, b)| a != b);
        a.ids.is_none() && b.ids.is_none() && a.terms.is_empty() && b.terms.is_empty() && numbers
    });
    a.of != b.of || a.dims == b.dims && differ
}

/// Refuses values that are computed once, changed, and read before their last change: passes would
/// move the read behind it.
fn changed_once(cut: &Cut<'_>, nodes: &[Node<'_>]) -> Option<()> {
    let mut read: BTreeSet<ValueId> = BTreeSet::new();
    for node in nodes {
        let changes = !matches!(node.stmt.kind, StmtKind::Do(TileStmt::Def { .. }));
        let early = |v: &ValueId| changes && !node.inside && read.contains(v);
        (!node.gives.iter().any(early)).then_some(())?;
        let own = |v: &ValueId| changes && node.gives.contains(v) || cut.has(cut.axes_of(*v));
        read.extend(node.reads.iter().filter(|v| !own(v)));
    }
    Some(())
}
