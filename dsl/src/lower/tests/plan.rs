//! Queues, buffers and the order of statements.

use super::*;
use crate::ir::queue::{Body, Stmt};
use crate::ir::{Known, QueueId, QueueStmt, StmtKind, TPosition};
use crate::lower::SizeKind;
use crate::ops::{LayoutOp, Op};
use crate::soc::{GOOD_COPY_BYTES, MAX_BLOCKS_PER_POSITION, MAX_BUFFERS, MAX_REPEATS};

#[test]
fn what_a_list_of_statements_takes_from_a_queue_it_gives_back() {
    for case in cases() {
        for variant in &case.lowering.lowered.variants {
            for queue in (0..variant.body.queues.len() as u32).map(QueueId) {
                each_list(&seen(&variant.body.stmts), &mut |list| {
                    let way: Vec<usize> = list.iter().filter_map(|s| step_of(s, queue)).collect();
                    assert!(
                        way.chunks(4).all(|turn| turn == [0, 1, 2, 3]),
                        "{queue:?} {way:?} of {}",
                        case.name
                    );
                });
            }
        }
    }
}

/// Returns the step of a block on its way through a queue.
fn step_of(s: &Seen, queue: QueueId) -> Option<usize> {
    let way = [
        Seen::Alloc(queue),
        Seen::Enque(queue),
        Seen::Deque(queue),
        Seen::Free(queue),
    ];
    way.iter().position(|step| step == s)
}

#[test]
fn every_queue_is_used_and_no_position_has_more_blocks_than_events() {
    for case in cases() {
        for variant in &case.lowering.lowered.variants {
            let mut used = std::collections::BTreeSet::new();
            each_list(&seen(&variant.body.stmts), &mut |list| {
                used.extend(list.iter().filter_map(|s| {
                    if let Seen::Alloc(q) = s {
                        Some(q.index())
                    } else {
                        None
                    }
                }));
            });
            assert_eq!(used.len(), variant.body.queues.len(), "{}", case.name);
            let blocks = |position| -> i64 {
                let queues = variant
                    .body
                    .queues
                    .iter()
                    .filter(|q| q.position == position);
                queues.map(|q| *q.buffers().expect("numbers").end()).sum()
            };
            for position in [TPosition::VecIn, TPosition::VecOut] {
                assert!(
                    blocks(position) <= MAX_BLOCKS_PER_POSITION,
                    "{} at {position:?} of {}",
                    blocks(position),
                    case.name
                );
            }
            let all = blocks(TPosition::VecIn)
                + blocks(TPosition::VecOut)
                + variant.body.bufs.len() as i64;
            assert!(all <= MAX_BUFFERS, "{}", case.name);
        }
    }
}

#[test]
fn loads_come_first_where_no_store_before_them_is_to_their_tensor() {
    for case in cases() {
        for variant in &case.lowering.lowered.variants {
            each_list(&seen(&variant.body.stmts), &mut |list| {
                for (i, s) in list.iter().enumerate() {
                    let Seen::Load(param) = s else { continue };
                    let late = list[..i]
                        .iter()
                        .any(|s| matches!(s, Seen::Compute | Seen::Store(_)));
                    assert!(
                        !late || list[..i].contains(&Seen::Store(*param)),
                        "{}",
                        case.name
                    );
                }
            });
        }
    }
}

#[test]
fn a_chain_of_ops_needs_no_buffer_for_each() {
    let bufs = |chain: &str, cast: &str| {
        let text = format!(
            "#[kernel] fn k(x: &GlobalTensor<f16>, y: &mut GlobalTensor<f16>) {{ for t in tiles(x) {{ y.at(t).store(x.at(t).load(){cast}{chain}{}); }} }}",
            if cast.is_empty() { "" } else { ".cast::<f16>()" }
        );
        let lowering = lowerings(&kernel(&text), Chip::default_chip()).remove(0);
        lowering.lowered.variants[0].body.bufs.len()
    };
    for n in [1, 2, 10] {
        assert_eq!(
            bufs(&".exp()".repeat(n), ""),
            0,
            "{n} ops in place of what was loaded or will be stored"
        );
        assert!(
            bufs(&".exp()".repeat(n), ".cast::<f32>()") <= 2,
            "{n} ops between casts"
        );
        assert!(
            bufs(&".cast::<f32>().abs().cast::<f16>()".repeat(n), "") <= 2,
            "{n} casts to and fro"
        );
    }
}

#[test]
fn values_that_live_together_have_buffers_of_their_own_and_others_share() {
    let bufs = |before: &str, sum: &str| {
        let text = format!("#[kernel] fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {{ for t in tiles(x) {{ let v = x.at(t).load(); {before} y.at(t).store({sum}); }} }}");
        lowerings(&kernel(&text), Chip::default_chip())
            .remove(0)
            .lowered
            .variants[0]
            .body
            .bufs
            .len()
    };
    for n in [2usize, 5, 20] {
        let lets: String = (0..n).map(|i| format!("let a{i} = v + {i}.5;")).collect();
        let sum: Vec<String> = (0..n).map(|i| format!("a{i}")).collect();
        let together = bufs(&lets, &sum.join(" + "));
        assert!(
            (n - 2..=n).contains(&together),
            "{n} values, {together} buffers"
        );
        let in_turn: String = (0..n)
            .map(|i| format!("let a{} = a{i} + (v + {i}.5) * v;", i + 1))
            .collect();
        assert!(
            bufs(&format!("let a0 = v.abs(); {in_turn}"), &format!("a{n}")) <= 3,
            "{n} sums one after the other"
        );
    }
}

#[test]
fn the_footprint_is_the_sum_over_the_declarations_and_fits() {
    for case in cases() {
        let attrs = attrs(&case.kernel);
        for sizes in [
            [1, 1],
            [7, 64],
            [33, 1000],
            [4096, 4096],
            [3, 30_000],
            [100_000, 8],
        ] {
            let dims = dims(&case.kernel, &sizes);
            let Ok(tiling) = evaluate(&case.lowering.lowered, case.chip, &dims, &attrs) else {
                assert!(!case.chip.has_data_copy_pad, "{dims:?} {}", case.name);
                continue;
            };
            let (variant, plan) = (
                &case.lowering.lowered.variants[tiling.variant],
                &case.lowering.plans[tiling.variant],
            );
            let env = Env {
                dims: &dims,
                attrs: &attrs,
                chip: case.chip,
                vars: tiling.vars.clone(),
                block: None,
            };
            let types = case.lowering.lowered.binding();
            let int = |s: &Scalar| {
                eval(&s.sized(types), &env)
                    .and_then(Value::as_int)
                    .expect("an integer")
            };
            let block = case.chip.data_block_bytes;
            let whole = |s: &Scalar| (int(s) + block - 1) / block * block;
            let queues: i64 = variant
                .body
                .queues
                .iter()
                .map(|q| int(&q.buffer_num) * whole(&q.bytes))
                .sum();
            let bufs: i64 = variant.body.bufs.iter().map(|b| whole(&b.bytes)).sum();
            assert_eq!(int(&plan.bytes), queues + bufs, "{dims:?} {}", case.name);
            assert!(
                queues + bufs <= case.chip.ub_usable(),
                "{dims:?} {}",
                case.name
            );
            assert!(
                variant.body.queues.iter().all(|q| int(&q.bytes) > 0)
                    && variant.body.bufs.iter().all(|b| int(&b.bytes) > 0)
            );
        }
    }
}

#[test]
fn a_solved_size_is_the_largest_that_fits_or_is_of_use() {
    let text = "#[kernel] fn k(x: &GlobalTensor<f32>, w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { for t in tiles(x) { y.at(t).store(x.at(t).load() + w.at(t).load()); } }";
    for chip in Chip::all() {
        let lowering = lowerings(&kernel(text), chip).remove(0);
        let (plan, size) = (&lowering.plans[0], &lowering.plans[0].sizes[0]);
        for total in [8, 64, 4096, 1 << 18, 1 << 20, 3 << 18, 1 << 21, 1 << 24] {
            let tiling =
                evaluate(&lowering.lowered, chip, &[total], &[None, None, None]).expect("a launch");
            let mut env = Env {
                dims: &[total],
                attrs: &[],
                chip,
                vars: tiling.vars.clone(),
                block: None,
            };
            let solved = tiling
                .var(size.var)
                .expect("a size")
                .as_int()
                .expect("an integer");
            let share = (total + tiling.block_dim - 1) / tiling.block_dim;
            let large = GOOD_COPY_BYTES / 4;
            env.set(size.var, Value::Int(solved + size.step));
            let next = eval(&plan.bytes, &env)
                .and_then(Value::as_int)
                .expect("bytes");
            // Large copies have four iterations a block, so that they overlap with computation;
            // small ones two.
            let of_use = 4 * solved >= share && (solved >= large || 2 * solved >= share);
            assert!(
                next > chip.ub_usable() || of_use,
                "{total} on {}: {solved}",
                chip.name
            );
            assert!(
                4 * solved <= share + 4 * size.step || solved <= large + size.step,
                "{total} on {}: {solved}",
                chip.name
            );
            assert!(solved % size.step == 0 && solved > 0);
        }
    }
}

#[test]
fn values_are_seen_under_the_names_of_the_author() {
    let text = "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { for r in tiles(n).size(8) { \
                let v = x.at(r, ..).load(); let largest = v.amax(d); let e = (v - largest).exp(); let total = e.sum(d); \
                y.at(r, ..).store(e / total + v * 2.0); } }";
    let body = lowerings(&kernel(text), Chip::default_chip())
        .remove(0)
        .lowered
        .variants
        .remove(0)
        .body;
    let names: Vec<&str> = body.tensors.iter().map(|t| t.name.as_str()).collect();
    let bufs: Vec<&str> = body.bufs.iter().map(|b| b.name.as_str()).collect();
    // One buffer holds both columns, one after the other. All else is computed in queues; one call
    // reads two of them.
    assert!(
        ["largest", "total"].iter().all(|name| names.contains(name)),
        "{names:?}"
    );
    assert_eq!(bufs, ["calc", "work", "blocks", "bank_skew"], "{names:?}");
}

#[test]
fn shares_and_tiles_of_flat_loops_begin_where_gm_is_fast() {
    let text = "#[kernel] fn k(x: &GlobalTensor<f16>, y: &mut GlobalTensor<f32>) { for t in tiles(x) { y.at(t).store(x.at(t).load().cast::<f32>()); } }";
    for chip in Chip::all() {
        let lowering = lowerings(&kernel(text), chip).remove(0);
        let Known::Share { unit, .. } = &lowering.lowered.variants[0].known[0] else {
            panic!("a share")
        };
        let line = chip.gm_line_bytes;
        assert_eq!(
            (unit * 2, lowering.plans[0].sizes[0].step * 2 % line),
            (line, 0),
            "{}",
            chip.name
        );
    }
}

#[test]
fn every_solved_size_is_the_largest_that_fits_and_is_of_use() {
    for case in cases() {
        let attrs = attrs(&case.kernel);
        for sizes in [
            [16, 64],
            [48, 1008],
            [4096, 4096],
            [16, 30_000],
            [1 << 20, 16],
            [1 << 16, 160],
        ] {
            let dims = dims(&case.kernel, &sizes);
            let tiling =
                evaluate(&case.lowering.lowered, case.chip, &dims, &attrs).expect("a launch");
            let (variant, plan) = (
                &case.lowering.lowered.variants[tiling.variant],
                &case.lowering.plans[tiling.variant],
            );
            let env = Env {
                dims: &dims,
                attrs: &attrs,
                chip: case.chip,
                vars: tiling.vars.clone(),
                block: None,
            };
            let int = |s: &Scalar, env: &Env<'_>| {
                eval(s, env).and_then(Value::as_int).expect("an integer")
            };
            let Known::Share { total, unit, .. } = &variant.known[0] else {
                panic!("a share")
            };
            let row_unit = variant
                .body
                .var_ids()
                .find(|v| variant.body.var(*v).name == "row_unit");
            let unit = row_unit.map_or(*unit, |v| int(&v.into(), &env));
            let units = (int(total, &env) + unit - 1) / unit;
            let share = (units + tiling.block_dim - 1) / tiling.block_dim * unit;
            let (quarter, half) = ((share + 3) / 4, (share + 1) / 2);
            let types = case.lowering.lowered.binding();
            let narrow = case
                .kernel
                .sig
                .tensors()
                .map(|(.., ty)| ty.resolve(types).bytes())
                .min()
                .expect("a tensor");
            let block = case.chip.data_block_bytes;
            let row = (dims.last().expect("columns") * narrow + block - 1) / block * block;
            for (i, size) in plan
                .sizes
                .iter()
                .enumerate()
                .filter(|(_, size)| size.given.is_none())
            {
                let solved = int(&size.var.into(), &env);
                // Rows are whole units if two fit.
                let whole =
                    size.kind == SizeKind::Rows && plan.sizes.len() == 1 && solved >= 2 * unit;
                let step = if whole {
                    size.step.max(unit)
                } else {
                    size.step
                };
                let mut next = env.clone();
                // Outer sizes are solved for the fewest rows of later ones.
                plan.sizes[i + 1..]
                    .iter()
                    .for_each(|later| next.set(later.var, Value::Int(later.step)));
                next.set(size.var, Value::Int(solved + step));
                let full = int(&plan.bytes, &next) > case.chip.ub_usable();
                let (name, columns) = (size.kind, plan.sizes.len() == 2 && i == 0);
                // A quarter of a share, or the size of a large copy.
                let large =
                    |bytes: i64| quarter.max(half.min((GOOD_COPY_BYTES + bytes - 1) / bytes));
                let of_use = match name {
                    SizeKind::TileLength if columns => *dims.last().expect("columns"),
                    SizeKind::TileLength => large(narrow),
                    SizeKind::Rows if plan.sizes.len() == 1 => large(row),
                    SizeKind::Rows => half,
                };
                let most = if name == SizeKind::Rows {
                    of_use.min(MAX_REPEATS * 8)
                } else {
                    of_use
                };
                assert!(
                    solved > 0 && solved % step == 0,
                    "{name:?} {solved}, {dims:?} {}",
                    case.name
                );
                assert!(
                    full || solved + step > most,
                    "{name:?} {solved} is less than fits, {dims:?} {}",
                    case.name
                );
                assert!(
                    solved < of_use.max(1) + step,
                    "{name:?} {solved} is more than there is, {dims:?} {}",
                    case.name
                );
            }
        }
    }
}

#[test]
fn a_row_is_streamed_exactly_where_it_does_not_fit() {
    for case in cases()
        .iter()
        .filter(|c| c.lowering.lowered.cases.len() == 1 && c.lowering.lowered.variants.len() == 2)
    {
        let (lowered, plan) = (&case.lowering.lowered, &case.lowering.plans[0]);
        assert_eq!(
            lowered
                .variants
                .iter()
                .map(|v| v.name.as_str())
                .collect::<Vec<_>>(),
            ["resident", "streamed"]
        );
        let chosen = |cols: i64| {
            evaluate(lowered, case.chip, &[16, cols], &attrs(&case.kernel)).expect("a launch")
        };
        let one_row = |cols: i64| {
            let mut env = Env {
                dims: &[16, cols],
                attrs: &[],
                chip: case.chip,
                vars: chosen(cols).vars,
                block: None,
            };
            env.set(plan.sizes[0].var, Value::Int(plan.sizes[0].step));
            eval(&plan.bytes, &env)
                .and_then(Value::as_int)
                .expect("bytes")
        };
        // Sizes of whole data blocks, which every chip takes.
        let fits = |blocks: i64| one_row(blocks * 16) <= case.chip.ub_usable();
        let largest = (1..4000)
            .rev()
            .find(|blocks| fits(*blocks))
            .expect("a row that fits");
        for blocks in [
            1,
            2,
            100,
            largest - 1,
            largest,
            largest + 1,
            largest + 2,
            3999,
        ] {
            assert_eq!(
                chosen(blocks * 16).variant == 0,
                fits(blocks),
                "{blocks} blocks a row of {}",
                case.name
            );
        }
    }
}

#[test]
fn what_is_said_to_be_whole_ends_where_a_launch_is_refused() {
    let row = "let mut u = v; for _ in 0..2 { u = u * 0.5; } y.at(r, ..).store(u - u.amax(d));";
    for (body, names) in [
        ("for r in tiles(n) { let v = x.at(r, ..).load(); y.at(r, ..).store(v - v.amax(d)); }".to_string(), &[][..]),
        (format!("for r in tiles(n) {{ let v = x.at(r, ..).load(); {row} }}"), &["d"]),
        (format!("for r in each(n) {{ let v = x.at(r, ..).load(); {row} }}"), &["d"]),
        (format!("let w = workspace::<f32>((n, d)); for r in tiles(n) {{ let v = x.at(r, ..).load(); w.at(r, ..).store(v - v.amax(d)); }} for r in tiles(n) {{ let v = w.at(r, ..).load(); {row} }}"), &["d"]),
        ("for i in each(b) { let v = x.at(i, .., ..).load(); let mut u = v; for _ in 0..2 { u = u * s; } y.at(i, .., ..).store(u - u.amax((n, d))); }".to_string(), &["n", "d"]),
    ] {
        let rows = if names.len() == 2 { "b, n" } else { "n" };
        let text = format!("#[kernel] fn k(#[shape({rows}, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, s: f32) {{ {body} }}");
        let lowering = lowerings(&kernel(&text), Chip::default_chip()).remove(0);
        let axes = &lowering.lowered.sig.axes;
        assert_eq!(lowering.whole.iter().map(|of| axes[of.axis.index()].name.as_str()).collect::<Vec<_>>(), names, "{text}");
        for of in &lowering.whole {
            let at = |size: i64| {
                let dims: Vec<i64> = (0..axes.len()).map(|axis| if axis == of.axis.index() { size } else { 1 }).collect();
                evaluate(&lowering.lowered, Chip::default_chip(), &dims, &[None, None, Some(Value::F32(0.5))])
            };
            assert!(at(of.most).is_ok(), "{text}: {of:?}");
            let Err(TilingError::Require(why)) = at(of.most + 1) else { panic!("{text}: one more is taken than {of:?}") };
            let said = format!("`{}`", axes[of.axis.index()].name);
            assert!(why.contains(&said) && why.contains(&of.most.to_string()), "{text}: {why}");
        }
    }
}

#[test]
fn rows_that_are_given_are_whole() {
    for (given, names) in [
        ("", &["resident", "streamed"][..]),
        (".size(4)", &["resident"]),
    ] {
        let text = format!(
            "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {{ for r in tiles(n){given} {{ y.at(r, ..).store(x.at(r, ..).load().exp()); }} }}"
        );
        let lowering = lowerings(&kernel(&text), Chip::default_chip()).remove(0);
        assert_eq!(
            lowering
                .lowered
                .variants
                .iter()
                .map(|v| v.name.as_str())
                .collect::<Vec<_>>(),
            names,
            "{given}"
        );
    }
}

#[test]
fn a_column_tile_fits_with_as_many_rows_as_there_must_be() {
    let given = "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { \
                 for r in tiles(n).size(16) { for c in tiles(d) { y.at(r, c).store(x.at(r, c).load().exp()); } } }";
    // Without DataCopyPad, results of rows are stored in whole data blocks, so a tile has at least
    // eight rows.
    let columns = "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) { \
                   for r in tiles(n) { let mut s = full(r, 0.0); for c in tiles(d) { s = s + x.at(r, c).load().sum(c); } y.at(r).store(s); } }";
    let streamed = "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) { \
                    for r in tiles(n) { y.at(r).store(x.at(r, ..).load().sum(d)); } }";
    for chip in Chip::all() {
        for (text, rows) in [(given, 16), (columns, 8), (streamed, 8)] {
            let lowering = lowerings(&kernel(text), chip).remove(0);
            let tiling = evaluate(&lowering.lowered, chip, &[64, 100_000], &[None, None])
                .unwrap_or_else(|e| panic!("{}: {e}: {text}", chip.name));
            let sizes = &lowering.plans[tiling.variant].sizes;
            let of = |kind: SizeKind| {
                let size = sizes.iter().find(|s| s.kind == kind).expect("a size");
                tiling
                    .var(size.var)
                    .expect("a value")
                    .as_int()
                    .expect("an integer")
            };
            assert!(
                of(SizeKind::Rows)
                    >= if chip.has_data_copy_pad && rows == 8 {
                        1
                    } else {
                        rows
                    }
                    && of(SizeKind::TileLength) > 0,
                "{}: {text}",
                chip.name
            );
        }
    }
}

/// Counts the Duplicates before the tile loop, and those inside it.
fn duplicates(body: &Body) -> [usize; 2] {
    let is_duplicate = |s: &Stmt| matches!(&s.kind, StmtKind::Do(QueueStmt::Instr { instr }) if instr.op == Op::Layout(LayoutOp::Duplicate));
    let before = body.stmts.iter().filter(|s| is_duplicate(s)).count();
    let mut all = 0;
    body.walk(&mut |s| all += usize::from(is_duplicate(s)));
    [before, all - before]
}

#[test]
fn a_number_beside_a_division_fills_its_block_once_where_the_host_knows_it() {
    let many: String = (0..20).map(|i| format!(" / {i}.3")).collect();
    for (body, wanted) in [
        // TPipe has no buffer for each of arbitrarily many numbers.
        (format!("y.at(t).store(x.at(t).load(){many});").as_str(), [16, 4]),
        ("y.at(t).store(x.at(t).load() / 3.0 + 5.0 / x.at(t).load());", [2, 0]),
        ("let v = x.at(t).load() / s; y.at(t).store((v.exp() + 1.0) / s);", [1, 0]),
        ("let mut u = x.at(t).load(); for i in 0..n { u = u / ((i + n) as f32); } y.at(t).store(u);", [0, 1]),
    ] {
        let given = "x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, s: f32, n: usize";
        let kernel = kernel(&format!("#[kernel] fn k({given}) {{ for t in tiles(x) {{ {body} }} }}"));
        let lowering = lowerings(&kernel, Chip::default_chip()).remove(0);
        assert_eq!(duplicates(&lowering.lowered.variants[0].body), wanted, "{body}");
    }
}

/// Reductions of rows, and the number of fills of their padding.
const FILLS: &[(&str, usize)] = &[
    ("let v = x.at(r, ..).load(); c.at(r).store(v.sum(d));", 1),
    ("let v = x.at(r, ..).load(); c.at(r).store(v.sum(d) + v.abs().sum(d));", 1),
    ("let v = x.at(r, ..).load(); c.at(r).store(v.sum(d) + (v * v).sum(d) + (-v * 3.0).sum(d));", 1),
    ("let v = x.at(r, ..).load(); c.at(r).store(v.amax(d) + (-v).amin(d) + v.abs().amin(d));", 1),
    ("let v = x.at(r, ..).load(); c.at(r).store(v.amax(d) + (v * 0.5 - 8.0).amax(d));", 1),
    // Another neutral value, a number in its place, and an op that is not exact.
    ("let v = x.at(r, ..).load(); c.at(r).store(v.amax(d) + v.sum(d));", 2),
    ("let v = x.at(r, ..).load(); c.at(r).store(v.sum(d) + (v + 1.0).sum(d));", 2),
    ("let v = x.at(r, ..).load(); c.at(r).store(v.amax(d) + v.exp().sum(d));", 2),
    // An operand with unknown padding.
    ("let v = x.at(r, ..).load(); let w = x2.at(r, ..).load(); c.at(r).store(v.sum(d) + (v * w).sum(d));", 2),
    ("let v = x.at(r, ..).load(); c.at(r).store(v.sum(d) + (v - v.sum(d)).sum(d));", 2),
    ("let v = x.at(r, ..).load(); c.at(r).store(v.sum(d) + (v * g.at(..).load()).sum(d));", 2),
    // A value that changes, or whose fill may not have run.
    ("let mut v = x.at(r, ..).load(); let a = v.sum(d); v = v + 1.0; c.at(r).store(a + v.sum(d));", 2),
    ("let v = x.at(r, ..).load(); let mut a = full(r, 0.0); if r.len() > 2 { a = v.sum(d); } c.at(r).store(a + v.sum(d));", 2),
    ("let v = x.at(r, ..).load(); let mut a = v.sum(d); if r.len() > 2 { a = v.abs().sum(d); } c.at(r).store(a);", 1),
];

#[test]
fn what_lies_behind_rows_is_filled_once_while_it_changes_no_result() {
    let mut failed = String::new();
    for (body, most) in FILLS {
        let kernel = kernel(&format!(
            "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] x2: &GlobalTensor<f32>, #[shape(d)] g: &GlobalTensor<f32>,
             #[shape(n)] c: &mut GlobalTensor<f32>) {{ for r in tiles(n).size(4) {{ {body} }} }}"
        ));
        let lowered = lowerings(&kernel, Chip::default_chip()).remove(0).lowered;
        let mut fills = 0;
        lowered.variants[0].body.walk(&mut |s| {
            if let StmtKind::Do(QueueStmt::Call { func, .. }) = &s.kind {
                fills += usize::from(lowered.funcs[func.index()].name == "pad_rows");
            }
        });
        if fills != *most {
            failed += &format!("{body}: {fills}, not {most}\n");
        }
    }
    assert!(failed.is_empty(), "{failed}");
}
