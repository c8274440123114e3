//! Every element is stored once, for all lengths and numbers of blocks.

use super::*;

const TOTALS: [i64; 9] = [0, 1, 7, 8, 9, 63, 64, 65, 4097];

/// Checks that each element of each stored tensor is stored once, and that every block has work.
fn check_cover(
    case: &str,
    lowering: &Lowering,
    chip: &'static Chip,
    dims: &[i64],
    attrs: &[Option<Value>],
    lanes: i64,
) {
    let tiling = match evaluate(&lowering.lowered, chip, dims, attrs) {
        Ok(tiling) => tiling,
        // Lengths that are no whole data blocks.
        Err(TilingError::Require(_))
            if !chip.has_data_copy_pad && dims.iter().any(|n| n % lanes != 0) =>
        {
            return
        }
        Err(e) => panic!("{case}: {e}"),
    };
    let variant = &lowering.lowered.variants[tiling.variant];
    let copies = stored(variant, &tiling, dims, attrs, chip);
    for (id, param, role, _) in lowering.lowered.sig.tensors() {
        if role == crate::ir::Role::In {
            continue;
        }
        let env = Env {
            dims,
            attrs,
            chip,
            vars: Vec::new(),
            block: None,
        };
        let total = eval(&lowering.lowered.sig.elements(id), &env)
            .and_then(Value::as_int)
            .expect("a size");
        let mut times = vec![0; total as usize];
        for s in copies.iter().filter(|s| s.param == id) {
            assert!(
                s.from >= 0 && s.len > 0 && s.from + s.len <= total,
                "{case} {dims:?}: {s:?} of {total}"
            );
            times[s.from as usize..(s.from + s.len) as usize]
                .iter_mut()
                .for_each(|n| *n += 1);
        }
        let wrong = times.iter().position(|n| *n != 1);
        assert_eq!(
            wrong,
            None,
            "{case} {dims:?} {}: stored {:?} times",
            param.name,
            wrong.map(|at| times[at])
        );
    }
    let per_block = |b: i64| {
        copies
            .iter()
            .filter(|s| s.block == b)
            .map(|s| s.len)
            .sum::<i64>()
    };
    assert!(
        tiling.block_dim == 1 || (0..tiling.block_dim).all(|b| per_block(b) > 0),
        "{case} {dims:?}: a block has no work"
    );
}

#[test]
fn tiles_cover_each_element_once() {
    let text = "#[kernel] #[instances(f16, f32)] fn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, cores: usize) { \
                for t in tiles(x).block_dim(cores) { y.at(t).store(x.at(t).load()); } }";
    let kernel = kernel(text);
    for chip in ["ascend910b1", "ascend310p"].map(|name| Chip::by_name(name).expect("a chip")) {
        for (lowering, lanes) in lowerings(&kernel, chip).iter().zip([16, 8]) {
            for (total, cores) in TOTALS
                .into_iter()
                .flat_map(|n| (1..=48).map(move |c| (n, c)))
            {
                let attrs = [None, None, Some(Value::Int(cores))];
                check_cover(
                    &format!("{cores} blocks on {}", chip.name),
                    lowering,
                    chip,
                    &[total],
                    &attrs,
                    lanes,
                );
            }
        }
    }
}

#[test]
fn rows_and_their_columns_cover_each_element_once() {
    let whole = "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>, cores: usize, rows: usize) { \
                 for r in tiles(n).block_dim(cores).size(rows) { let v = x.at(r, ..).load(); y.at(r, ..).store(v); z.at(r).store(v.amax(d)); } }";
    let cut = "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>, cores: usize, rows: usize) { \
               for r in tiles(n).block_dim(cores).size(rows) { z.at(r).store(full(r, 0.0)); for c in tiles(d).size(8) { y.at(r, c).store(x.at(r, c).load()); } } }";
    let chip = Chip::default_chip();
    for (text, name) in [(whole, "whole"), (cut, "cut")] {
        let lowering = lowerings(&kernel(text), chip).remove(0);
        for (n, d) in [0, 1, 7, 48, 49, 97]
            .into_iter()
            .flat_map(|n| [1, 7, 8, 9, 17].map(|d| (n, d)))
        {
            for (cores, rows) in [(1, 1), (1, 7), (2, 3), (47, 1), (48, 2)] {
                let attrs = [
                    None,
                    None,
                    None,
                    Some(Value::Int(cores)),
                    Some(Value::Int(rows)),
                ];
                check_cover(
                    &format!("{name}, {cores} blocks, {rows} rows"),
                    &lowering,
                    chip,
                    &[n, d],
                    &attrs,
                    8,
                );
            }
        }
    }
}

#[test]
fn many_rows_that_touch_are_stored_from_lines_on() {
    let text = "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, cores: usize) { \
                for r in tiles(n).block_dim(cores) { let v = x.at(r, ..).load(); y.at(r, ..).store(v - v.amax(d)); } }";
    let chip = Chip::default_chip();
    let lowering = lowerings(&kernel(text), chip).remove(0);
    let starts_at_lines = |n: i64, d: i64, cores: i64| {
        let (dims, attrs) = ([n, d], [None, None, Some(Value::Int(cores))]);
        check_cover(
            &format!("{cores} blocks"),
            &lowering,
            chip,
            &dims,
            &attrs,
            8,
        );
        let tiling = evaluate(&lowering.lowered, chip, &dims, &attrs).expect("a launch");
        let variant = &lowering.lowered.variants[tiling.variant];
        let copies = stored(variant, &tiling, &dims, &attrs, chip);
        let of_block = |b: i64| {
            copies
                .iter()
                .filter(|s| s.block == b)
                .map(|s| s.from)
                .min()
                .expect("a share")
        };
        let tile_rows = variant
            .body
            .var_ids()
            .find(|v| variant.body.var(*v).name == "tile_rows")
            .expect("rows of a tile");
        let Some(Value::Int(rows)) = tiling.vars[tile_rows.index()] else {
            panic!("a number of rows")
        };
        let at_line = |from: i64| from * 4 % chip.gm_line_bytes == 0;
        (0..tiling.block_dim).all(|b| at_line(of_block(b))) && at_line(rows * d)
    };
    for cores in [1, 2, 5] {
        for (more, d) in [0, 1, 15, 16, 17, 100]
            .into_iter()
            .flat_map(|more| [8, 24, 40, 136, 200].map(|d| (more, d)))
        {
            assert!(
                starts_at_lines(512 * cores + more, d, cores),
                "{cores} {more} {d}"
            );
        }
    }
    // Too few rows, rows that are not contiguous, rows of which two do not fit.
    for (n, d) in [(1021, 8), (1025, 9), (1024, 3000)] {
        assert!(!starts_at_lines(n, d, 2), "{n} {d}");
    }
}

#[test]
fn streamed_rows_cover_each_element_once() {
    let text = "#[kernel] fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[shape(n)] z: &mut GlobalTensor<f32>) { \
                for r in tiles(n) { let v = x.at(r, ..).load(); let s = v.sum(d); y.at(r, ..).store(v / s); z.at(r).store(s); } }";
    for chip in ["ascend910b1", "ascend310p"].map(|name| Chip::by_name(name).expect("a chip")) {
        let lowering = lowerings(&kernel(text), chip).remove(0);
        for dims in [[1, 40_000], [8, 40_008], [56, 50_000], [7, 30_001]] {
            check_cover(chip.name, &lowering, chip, &dims, &[None, None, None], 8);
        }
    }
}

#[test]
fn shares_begin_at_units_and_differ_by_one_unit_at_most() {
    let text = "#[kernel] fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape(m)] z: &mut GlobalTensor<f32>, cores: usize) {\n\
                let a = split(n).unit(8).block_dim(cores); let b = split(m).unit(16);\nlet mut pipe = TPipe::new(); let mut q = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut q, 1, 32);\n\
                let t = q.alloc_tensor::<f32>(); q.enque(t); let t = q.deque::<f32>(); data_copy_pad(y.slice(a.start(), a.len()), &t); data_copy_pad(z.slice(b.start(), b.len()), &t); q.free_tensor(t); }";
    let (kernel, chip) = (kernel(text), Chip::default_chip());
    let lowering = lowerings(&kernel, chip).remove(0);
    for (n, m) in TOTALS.into_iter().flat_map(|n| TOTALS.map(|m| (n, m))) {
        for cores in [1, 2, 3, 7, 8, 47, 48] {
            let attrs = [None, None, None, Some(Value::Int(cores))];
            let tiling = evaluate(&lowering.lowered, chip, &[n, m], &attrs).expect("a launch");
            let copies = stored(
                &lowering.lowered.variants[0],
                &tiling,
                &[n, m],
                &attrs,
                chip,
            );
            assert!(
                tiling.block_dim >= 1 && tiling.block_dim <= cores,
                "{n} {m} {cores}"
            );
            for ((id, total), unit) in [(1, n), (2, m)].into_iter().zip([8, 16]) {
                let shares: Vec<_> = copies.iter().filter(|s| s.param.index() == id).collect();
                let mut at = 0;
                for s in &shares {
                    assert_eq!(s.from, at, "{n} {m} {cores}: a gap or an overlap of {id}");
                    assert!(
                        s.len >= 0 && (s.from % unit == 0 || s.len == 0),
                        "{n} {m} {cores}: {s:?}"
                    );
                    at += s.len;
                }
                assert_eq!(at, total, "{n} {m} {cores}");
                let units = |len: i64| (len + unit - 1) / unit;
                let (most, least) = shares.iter().fold((0, i64::MAX), |(a, b), s| {
                    (a.max(units(s.len)), b.min(units(s.len)))
                });
                assert!(
                    most - least <= 1,
                    "{n} {m} {cores}: {most} and {least} units"
                );
            }
        }
    }
}

#[test]
fn a_unit_of_one_element_is_one() {
    let text = "#[kernel] fn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) { let share = split(n).unit(1); let mut pipe = TPipe::new(); \
                let mut q = TQue::<VecOut, 1>::new(); pipe.init_buffer(&mut q, 1, 32); let t = q.alloc_tensor::<f32>(); \
                q.enque(t); let t = q.deque::<f32>(); data_copy_pad(y.slice(share.start(), share.len().min(8)), &t); q.free_tensor(t); }";
    let lowering = lowerings(&kernel(text), Chip::default_chip()).remove(0);
    for (total, blocks) in [(1, 1), (2, 2), (3, 3), (47, 47), (48, 48), (49, 48)] {
        let tiling = evaluate(
            &lowering.lowered,
            Chip::default_chip(),
            &[total],
            &[None, None],
        )
        .expect("a launch");
        assert_eq!(tiling.block_dim, blocks, "{total} elements");
    }
}
