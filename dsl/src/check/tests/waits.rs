//! Order of the accesses of one block. The lowering inserts every wait that is needed, and the
//! check reports each wait that is removed.

use super::frames::with_sums;
use super::*;
use crate::check::by_hand;
use crate::check::order;
use crate::check::prove::facts::Facts;
use crate::ir::queue::Stmt;
use crate::ir::Kernel;
use crate::lower::lower;
use crate::ops::contract::Pipe;

/// Tile kernels that read what they write, in every form of loop. The numbers count the waits of
/// all variants that are needed, and those that another wait covers.
const TILES: &[(usize, usize, &str)] = &[
    (1, 1, "x: &GlobalTensor<T>, #[inplace] y: &mut GlobalTensor<T>) { for t in tiles(x) { let a = y.at(t).load(); y.at(t).store(a); let b = y.at(t).load(); y.at(t).store(b); } }"),
    (1, 0, "#[inplace] y: &mut GlobalTensor<T>) { for t in tiles(y) { let a = y.at(t).load(); y.at(t).store(a); y.at(t).store(a); } }"),
    (1, 1, "#[shape(n, d)] x: &GlobalTensor<T>, #[inplace] y: &mut GlobalTensor<T>, k: usize) { for r in tiles(n) { for i in 0..k { let a = y.at(r, ..).load(); y.at(r, ..).store(a); } } }"),
    (1, 1, "#[inplace] y: &mut GlobalTensor<T>, flag: bool) { for t in tiles(y) { let a = y.at(t).load(); if flag { y.at(t).store(a); } let b = y.at(t).load(); y.at(t).store(b); } }"),
    (1, 1, "#[shape(n, d)] x: &GlobalTensor<T>, #[inplace] y: &mut GlobalTensor<T>) { for r in tiles(n) { for c in tiles(d) { y.at(r, c).store(y.at(r, c).load()); } for c in tiles(d) { y.at(r, c).store(y.at(r, c).load()); } } }"),
    (1, 1, "#[shape(n, d)] x: &GlobalTensor<T>, #[inplace] y: &mut GlobalTensor<T>) { for r in tiles(n) { let v = y.at(r, ..).load(); y.at(r, ..).store(v); let w = y.at(r, ..).load(); y.at(r, ..).store(w); } }"),
    (2, 0, "#[inplace] y: &mut GlobalTensor<T>, z: &mut GlobalTensor<T>, w: &mut GlobalTensor<T>, flag: bool) { for t in tiles(y) { let a = y.at(t).load(); y.at(t).store(a); let mut b = a; if flag { b = y.at(t).load(); } z.at(t).store(b); let c = y.at(t).load(); w.at(t).store(c); } }"),
    // Waits for the counts that earlier blocks packed, and between copies of iterations.
    (2, 0, "#[shape(n)] x: &GlobalTensor<T>, #[shape(n)] y: &mut GlobalTensor<T>) { for t in tiles(n) { let v = x.at(t).load(); y.append(v, v.cast::<f32>().gt(0.0)); } }"),
];

/// Statements of the queue level, where the scalar unit waits and is waited for.
const QUEUES: &[(usize, usize, &str)] = &[
    (2, 0, "let s = w.get_value(0); w.set_value(1, s); vec::adds(&w, &w, 1.0, 8);"),
    (2, 0, "let mut o = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut o, 1, 32); let f = o.alloc_tensor::<f32>(); f.set_value(0, 1.0); o.enque(f); let f = o.deque::<f32>(); o.free_tensor(f);"),
    (1, 0, "let t = a.alloc_tensor::<f32>(); data_copy_pad(&t, z.slice(0, 8)); a.enque(t); let t = a.deque::<f32>(); let s = t.get_value(0); a.free_tensor(t);"),
    (1, 0, "vec::adds(&w, &w, 1.0, 8); vec::create_vec_index(&w, 0.0, 8);"),
    (3, 1, "vec::create_vec_index(&w, 0.0, 8); let s = w.get_value(0); vec::create_vec_index(&w, s, 8); vec::adds(&w, &w, 1.0, 8); w.set_value(0, s);"),
    (1, 0, "for i in 0..4 { vec::create_vec_index(&w, i as f32, 8); }"),
    (3, 0, "for i in 0..4 { w.set_value(i, 1.0); } vec::adds(&w, &w, 1.0, 8); let s = w.get_value(0);"),
    (2, 1, "if flag { vec::adds(&w, &w, 1.0, 8); } let s = w.get_value(0); if flag { w.set_value(0, 1.0); } vec::adds(&w, &w, 1.0, 8);"),
    // The store of all rows is elsewhere.
    (1, 1, "if get_block_idx() == 0 { data_copy_pad(y.slice(0, 8), &q); data_copy_pad(y.slice(4, 8), &q); }"),
];

/// A kernel of the queue level that stores over the source of a load, before it dequeues that load.
const AHEAD: &str = "#[kernel]\nfn k(#[shape(4096)] #[inplace] y: &mut GlobalTensor<f32>) {\nlet mut pipe = TPipe::new();\n\
    let (mut a, mut b) = (TQue::<VecIn, 2>::new(), TQue::<VecOut, 1>::new()); pipe.init_buffer(&mut a, 2, 256); pipe.init_buffer(&mut b, 1, 256);\n\
    let r = b.alloc_tensor::<f32>(); vec::duplicate(&r, 0.0, 64); b.enque(r); let r = b.deque::<f32>();\n\
    let t = a.alloc_tensor::<f32>(); data_copy_pad(&t, y.slice(0, 64)); a.enque(t);\n\
    for i in 0..32 {\nlet t = a.alloc_tensor::<f32>(); data_copy_pad(&t, y.slice(64 + i * 64, 64)); a.enque(t);\n\
    data_copy_pad(y.slice(i * 64, 64), &r);\nlet t = a.deque::<f32>(); a.free_tensor(t);\n}\n\
    let t = a.deque::<f32>(); a.free_tensor(t); b.free_tensor(r);\n}";

/// Removes the `n`-th wait; false if there are fewer.
fn take_wait(stmts: &mut Vec<Stmt>, n: &mut usize) -> bool {
    for i in 0..stmts.len() {
        if stmts[i].waits().is_some() {
            if *n == 0 {
                stmts.remove(i);
                return true;
            }
            *n -= 1;
        }
        if stmts[i]
            .children_mut()
            .into_iter()
            .flatten()
            .any(|list| take_wait(list, n))
        {
            return true;
        }
    }
    false
}

fn take_all(stmts: &mut Vec<Stmt>) {
    stmts.retain(|s| s.waits().is_none());
    stmts
        .iter_mut()
        .flat_map(|s| s.children_mut().into_iter().flatten())
        .for_each(take_all);
}

pub(super) fn ordered(lowered: &Lowered, level: Level) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for variant in &lowered.variants {
        order::check_order(
            lowered,
            variant,
            level,
            &mut Facts::of(lowered, variant),
            &mut found,
        );
    }
    found
}

/// Describes the mistakes with the waits of a kernel. With all waits it must be in order, and it
/// must need exactly so many of them.
fn misses(text: &str, needed: usize, besides: usize) -> String {
    let mut parsed = parse_file(text).unwrap_or_else(|(d, _)| panic!("{}: {text}", d.message));
    let kernel = parsed.remove(0).kernel.unwrap_or_else(|| panic!("{text}"));
    let mut failed = String::new();
    for instance in 0..kernel.sig.instances.len() {
        let lowering =
            lower(&kernel, instance, Chip::default_chip()).expect("a kernel that lowers");
        for d in ordered(&lowering.lowered, kernel.level()) {
            failed += &format!("{text}: {} {}\n", d.code, d.message);
        }
        let (mut missed, mut waits) = (0, 0);
        for v in 0..lowering.lowered.variants.len() {
            for n in 0.. {
                let mut lowered = lowering.lowered.clone();
                if !take_wait(&mut lowered.variants[v].body.stmts, &mut n.clone()) {
                    break;
                }
                waits += 1;
                missed += usize::from(
                    ordered(&lowered, kernel.level())
                        .iter()
                        .any(Diagnostic::is_error),
                );
            }
        }
        if (missed, waits - missed) != (needed, besides) {
            failed += &format!(
                "{text}: instance {instance} has {waits} waits, of which {missed} are missed\n"
            );
        }
        let mut without = lowering.lowered.clone();
        without
            .variants
            .iter_mut()
            .for_each(|v| take_all(&mut v.body.stmts));
        if !ordered(&without, kernel.level())
            .iter()
            .any(Diagnostic::is_error)
        {
            failed += &format!("{text}: nobody misses the waits of instance {instance}\n");
        }
    }
    failed
}

#[test]
fn every_wait_of_a_tile_kernel_is_missed_where_it_is_gone() {
    let text = |row: &str| format!("#[kernel]\nfn k<T: Float>({}", row.replace("; ", ";\n"));
    let failed: String = TILES
        .iter()
        .map(|(needed, besides, row)| misses(&text(row), *needed, *besides))
        .collect();
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn every_wait_of_the_scalar_unit_is_missed_where_it_is_gone() {
    let text = |row: &str| {
        with_sums(&format!(
            "if get_block_idx() == 0 {{ data_copy_pad(y.slice(4000, 8), &q); }}\n{row}"
        ))
    };
    let failed: String = QUEUES
        .iter()
        .map(|(needed, besides, row)| misses(&text(row), *needed, *besides))
        .collect();
    assert!(failed.is_empty(), "{failed}");
}

/// Copies into one tensor at queue level, with the number of barriers that they need.
const FILLS: &[(usize, &str)] = &[
    (1, "data_copy_pad(&t, x.slice(at, len)); data_copy_pad(&t, z.slice(0, 8));"),
    (2, "data_copy_pad(&t, z.slice(0, 8)); data_copy_pad(&t, z.slice(0, 8)); data_copy_pad(&t, z.slice(0, 8));"),
    (0, "data_copy_pad(&t, z.slice(0, 8)); data_copy_pad(&t.at(8), z.slice(0, 8));"),
    (0, "data_copy_pad(&t.at(8), z.slice(0, 8)); data_copy_pad(&t, z.slice(0, 8));"),
    (1, "data_copy_pad(&t.at(8), z.slice(0, 8)); data_copy_pad(&t, x.slice(0, 9));"),
    (0, "data_copy_pad(&t, x.slice(at, len)); data_copy_pad(&t.at(len), z.slice(0, 8));"),
    (0, "for i in 0..4 { data_copy_pad(&t.at(i * 8), z.slice(0, 8)); }"),
    (1, "for i in 0..4 { data_copy_pad(&t, z.slice(0, 8)); }"),
    (1, "if flag { data_copy_pad(&t, x.slice(at, len)); } data_copy_pad(&t, z.slice(0, 8));"),
    (0, "if flag { data_copy_pad(&t, x.slice(at, len)); } else { data_copy_pad(&t, z.slice(0, 8)); }"),
];

/// Returns the findings of runs of a lowered kernel with numbers.
fn run_for_some(kernel: &Kernel, lowered: &Lowered) -> Vec<Code> {
    let mut found = Vec::new();
    by_hand::check_events(
        kernel,
        kernel.queues().expect("a queue kernel"),
        lowered,
        Chip::default_chip(),
        &mut found,
    );
    found.into_iter().map(|d| d.code).collect()
}

#[test]
fn copies_that_fill_one_tensor_wait_for_one_another() {
    let lowered = |body: &str| {
        let text = with_sums(&format!(
            "if get_block_idx() == 0 {{ data_copy_pad(y.slice(4000, 8), &q); }}\nlet t = a.alloc_tensor::<f32>(); {body} a.enque(t); let t = a.deque::<f32>(); a.free_tensor(t);"
        ));
        let kernel = parse_file(&text)
            .unwrap_or_else(|(d, _)| panic!("{}: {text}", d.message))
            .remove(0)
            .kernel
            .expect(body);
        let lowered = lower(&kernel, 0, Chip::default_chip())
            .expect("a kernel that lowers")
            .lowered;
        (kernel, lowered)
    };
    for (barriers, body) in FILLS {
        let (kernel, mut lowered) = lowered(body);
        let mut found = 0;
        lowered.variants[0].body.walk(&mut |s| {
            found += usize::from(s.waits() == Some((Pipe::Mte2, Pipe::Mte2)));
        });
        assert_eq!(found, *barriers, "{body}");
        assert_eq!(run_for_some(&kernel, &lowered), [], "{body}");
        lowered
            .variants
            .iter_mut()
            .for_each(|v| take_all(&mut v.body.stmts));
        let wanted: &[Code] = if *barriers > 0 { &[Code::J0414] } else { &[] };
        assert_eq!(
            run_for_some(&kernel, &lowered),
            wanted,
            "{body}, without its waits"
        );
    }
    // The lowering takes these overlapping iterations for disjoint; a run does not.
    let (kernel, lowered) =
        lowered("for i in 0..4 { data_copy_pad(&t.at(i * 8), x.slice(0, 16)); }");
    assert_eq!(run_for_some(&kernel, &lowered), [Code::J0414]);
}

#[test]
fn loops_that_each_store_alike_meet_between() {
    let meets = |second: &str| {
        let z = if second == "z" {
            ", #[inplace] #[shape(1)] z: &mut GlobalTensor<f32>"
        } else {
            ""
        };
        let text = format!(
            "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] o: &mut GlobalTensor<f32>, #[inplace] #[shape(1)] y: &mut GlobalTensor<f32>{z}) {{\n\
             for t in tiles(n) {{ o.at(t).store(x.at(t).load());\ny.at(0).store_any(full((), 1.0)); }}\nfor t in tiles(n) {{ {second}.at(0).store_any(full((), 2.0)); }}\n}}"
        );
        let kernel = parse_file(&text)
            .unwrap_or_else(|(d, _)| panic!("{}: {text}", d.message))
            .remove(0)
            .kernel
            .expect(second);
        lower(&kernel, 0, Chip::default_chip())
            .expect("a kernel that lowers")
            .lowered
            .variants[0]
            .body
            .meets()
    };
    assert!(meets("y"));
    assert!(!meets("z"));
}

#[test]
fn a_load_that_is_taken_later_is_waited_for() {
    let kernel = parse_file(AHEAD)
        .unwrap_or_else(|(d, _)| panic!("{}", d.message))
        .remove(0)
        .kernel
        .expect("a kernel");
    let mut lowered = lower(&kernel, 0, Chip::default_chip())
        .expect("a kernel that lowers")
        .lowered;
    assert_eq!(ordered(&lowered, kernel.level()), []);
    lowered
        .variants
        .iter_mut()
        .for_each(|v| take_all(&mut v.body.stmts));
    let found: Vec<_> = ordered(&lowered, kernel.level())
        .into_iter()
        .map(|d| d.message)
        .collect();
    let wanted = "it could not be proved that no element of `y` that this copy stores is one that an earlier copy loaded";
    assert_eq!(found, [wanted]);
}
