//! Kernels whose rows have the lengths and numbers that calls of device functions need. They are
//! drawn and read like random kernels, but have few bodies and chosen shapes.

use super::agree::{compare, counted, run, Case, Tensor};
use super::forms::Forms;
use super::plan::Picks;
use jumar::dsl::check::CheckedKernel;
use jumar::dsl::dtype::DType;
use jumar::dsl::soc::{Arch, Chip};
use jumar::dsl::tiling::Value;
use jumar::runtime::tile::Tile;
use jumar::runtime::Overflow;
use std::collections::BTreeSet;

/// Elements of a row, as whole data blocks and a rest. The lengths lie around data blocks, repeats,
/// the padding of long rows, rows that are taken in twos, 255 data blocks and the steps of a
/// reduction.
const BLOCKS: &[(usize, usize)] = &[
    (0, 1),
    (0, 5),
    (1, 0),
    (1, 3),
    (2, 0),
    (2, 1),
    (3, 0),
    (3, 3),
    (4, 1),
    (5, 0),
    (7, 5),
    (8, 0),
    (8, 1),
    (10, 2),
    (16, 0),
    (20, 5),
    (32, 0),
    (33, 1),
    (63, 3),
    (64, 0),
    (64, 1),
    (71, 2),
    (128, 0),
    (130, 7),
    (200, 0),
    (255, 0),
    (255, 1),
    (300, 0),
    (512, 0),
    (513, 0),
    (514, 3),
    (540, 0),
    (700, 1),
    (1024, 1),
];

/// Rows of a tile: with and without some behind the last eight, few and many, more than the repeats
/// of a call.
const ROWS: &[usize] = &[1, 2, 3, 5, 6, 7, 8, 9, 13, 14, 16, 17, 255, 256, 300, 511];

/// Most elements of a tile of four bytes that fits in UB beside all else in a body.
const MOST: usize = 9000;

/// How many numbers of rows are drawn for each length.
const DRAWN: usize = 4;

/// A kernel, and its tensors beside the one of the loop.
struct Body {
    params: &'static str,
    stmts: String,
    tensors: &'static [(&'static str, Part)],
    most: usize,
}

#[derive(Clone, Copy)]
enum Part {
    Full,
    Row,
    Col,
}

/// Returns the bodies for an element type, with drawn ops.
fn bodies(dtype: DType, p: &mut Picks<'_>) -> Vec<Body> {
    let mut op = || {
        let infix: &[&str] = if dtype.is_float() {
            &["+", "-", "*", "/"]
        } else {
            &["+", "-", "*"]
        };
        *p.one(infix)
    };
    // The reductions are operands of rows, too, for rows that are too few for whole data blocks of
    // one value each.
    let mut all = vec![
        reduced(dtype),
        computed(format!("v {} m", op()), format!("l {} v", op())),
    ];
    let mut pair =
        |a: &str, b: &str| loaded(format!("{a} {} {b}", op()), format!("{b} {} {a}", op()));
    all.extend([pair("v", "c"), pair("v", "g"), pair("c.expand(d)", "g")]);
    if dtype.is_float() {
        all.push(loaded(
            "v.gt(0.0).select(c, g)".into(),
            format!("v.lt(c).select(g, v {} g)", op()),
        ));
        all.push(computed(
            "v.gt(0.0).select(m, g)".into(),
            format!("v.lt(l).select(g, g {} v)", op()),
        ));
    }
    let g = format!("m.expand(d) {} g", op());
    all.push(computed(
        format!("(v {} g) {} l", op(), op()),
        format!("({g}) {} (g {} v)", op(), op()),
    ));
    all
}

/// Stores every reduction of a row.
fn reduced(dtype: DType) -> Body {
    Body {
        params: "#[shape(n)] s: &mut GlobalTensor<T>, #[shape(n)] a: &mut GlobalTensor<T>, #[shape(n)] b: &mut GlobalTensor<T>",
        stmts: "let v = x.at(r, ..).load(); s.at(r).store(v.sum(d)); a.at(r).store(v.amax(d)); b.at(r).store(v.amin(d));".into(),
        tensors: &[("s", Part::Col), ("a", Part::Col), ("b", Part::Col)],
        most: if dtype.is_float() { 4 * MOST } else { 2 * MOST },
    }
}

/// Computes two values from a row, one value of each row, and one row for all.
fn loaded(y: String, z: String) -> Body {
    Body {
        params:
            "#[shape(n)] c: &GlobalTensor<T>, #[shape(d)] g: &GlobalTensor<T>, y: &mut GlobalTensor<T>, z: &mut GlobalTensor<T>",
        stmts: format!("let v = x.at(r, ..).load(); let c = c.at(r).load(); let g = g.at(..).load(); y.at(r, ..).store({y}); z.at(r, ..).store({z});"),
        tensors: &[("c", Part::Col), ("g", Part::Row), ("y", Part::Full), ("z", Part::Full)],
        most: MOST,
    }
}

/// Computes them with the largest and the smallest element of each row in place of a loaded value.
fn computed(y: String, z: String) -> Body {
    Body {
        params: "#[shape(d)] g: &GlobalTensor<T>, y: &mut GlobalTensor<T>, z: &mut GlobalTensor<T>",
        stmts: format!(
            "let v = x.at(r, ..).load(); let g = g.at(..).load(); let m = v.amax(d) - v.sum(d); let l = v.amin(d); y.at(r, ..).store({y}); z.at(r, ..).store({z});"
        ),
        tensors: &[("g", Part::Row), ("y", Part::Full), ("z", Part::Full)],
        most: MOST,
    }
}

/// Runs every aimed kernel on a chip for an element type.
pub fn judge(
    chip: &'static Chip,
    dtype: DType,
    forms: &Forms,
    p: &mut Picks<'_>,
) -> Result<(), String> {
    bodies(dtype, p).iter().try_for_each(|body| {
        let text = text(body, dtype);
        let shapes = shapes(chip, dtype, body, p);
        let mut case = Case {
            name: "sample".into(),
            chip,
            text,
            tensors: Vec::new(),
            attrs: Vec::new(),
            exact: true,
            seed: 7,
        };
        let kernel = case
            .checked()
            .map_err(|why| format!("refused: {why}\n{}", case.text))?;
        shapes.into_iter().try_for_each(|(rows, cols)| {
            case.tensors = tensors(body, dtype, (rows, cols));
            case.attrs = vec![("rows".into(), Value::Int(rows as i64))];
            let wrong = wrong(&case, &kernel, forms);
            wrong.map_or(Ok(()), |why| {
                Err(format!(
                    "{} {rows} x {cols}: {why}\n{}",
                    chip.name, case.text
                ))
            })
        })
    })
}

/// Writes the kernel; all rows are one tile.
fn text(body: &Body, dtype: DType) -> String {
    let Body { params, stmts, .. } = body;
    let head = format!(
        "#[kernel]\npub fn sample(#[shape(n, d)] x: &GlobalTensor<T>, {params}, rows: usize) {{\n"
    );
    let walk = "    for r in tiles(n).block_dim(1).buffer_num(1).size(rows) {\n        ";
    format!("{head}{walk}{stmts}\n    }}\n}}\n").replace("<T>", &format!("<{dtype}>"))
}

/// Returns the difference between simulator and interpreter.
fn wrong(case: &Case, kernel: &CheckedKernel, forms: &Forms) -> Option<String> {
    let first = counted(case, kernel, Overflow::InfNan, forms.of(case));
    match &first {
        // Fewer rows of that length would fit.
        Err(why) if why.contains("J0606") => None,
        Err(why) => Some(why.clone()),
        Ok(_) => compare(
            case,
            &first,
            "interpreter",
            &run(case, kernel, Overflow::InfNan, Some(&Tile::default())),
        ),
    }
}

/// Returns each length with numbers of rows that fit in a tile: one, eight, and some drawn ones.
fn shapes(chip: &Chip, dtype: DType, body: &Body, p: &mut Picks<'_>) -> Vec<(usize, usize)> {
    let lanes = (chip.data_block_bytes / dtype.bytes()) as usize;
    // Without DataCopyPad rows, and the values of all rows, are whole data blocks.
    let whole = chip.arch == Arch::M200;
    let values = whole
        && body
            .tensors
            .iter()
            .any(|(_, part)| matches!(part, Part::Col));
    let mut shapes = Vec::new();
    for (blocks, more) in BLOCKS {
        let cols = blocks * lanes
            + if whole {
                more.next_multiple_of(lanes)
            } else {
                *more
            };
        let fits = |rows: &usize| {
            rows * cols.next_multiple_of(lanes) <= body.most * 4 / dtype.bytes() as usize
        };
        let given = ROWS.iter().map(|rows| {
            if values {
                rows.next_multiple_of(lanes)
            } else {
                *rows
            }
        });
        let mut given: Vec<usize> = given.filter(fits).collect();
        given.dedup();
        let drawn: Vec<usize> = (0..DRAWN)
            .filter(|_| !given.is_empty())
            .map(|_| *p.one(&given))
            .collect();
        let rows: BTreeSet<usize> = given
            .iter()
            .copied()
            .filter(|rows| [1, 8].contains(rows))
            .chain(drawn)
            .collect();
        shapes.extend(rows.into_iter().map(|rows| (rows, cols)));
    }
    shapes
}

fn tensors(body: &Body, dtype: DType, (rows, cols): (usize, usize)) -> Vec<Tensor> {
    let x = ("x", Part::Full);
    let of = |(name, part): &(&str, Part)| Tensor {
        name: name.to_string(),
        dtype,
        shape: match part {
            Part::Full => vec![rows, cols],
            Part::Row => vec![cols],
            Part::Col => vec![rows],
        },
        written: body.params.contains(&format!("{name}: &mut")),
    };
    std::iter::once(&x).chain(body.tensors).map(of).collect()
}
