//! Kernels with changed functions, on shapes that reach the change.

use crate::tile::Tile;
use crate::{Array, Census, Form, Launch, RunError};
use jumar_dsl::check::{check, found_in, CheckedKernel};
use jumar_dsl::cost::estimate;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::front::parse_file;
use jumar_dsl::ir::{Lowered, Role};
use jumar_dsl::soc::Chip;
use jumar_dsl::tiling::{bind_attrs, evaluate, Value};
use ndarray::{ArrayD, Dimension, IxDyn};
use std::collections::BTreeMap;

/// A kernel whose functions are changed.
pub struct Subject {
    pub chip: &'static str,
    pub dtype: DType,
    text: &'static str,
    /// The most elements of a tile that fits.
    most: usize,
}

pub const SUBJECTS: &[Subject] = &[
    Subject {
        chip: "ascend910b1",
        dtype: DType::F32,
        text: REDUCED,
        most: 33_000,
    },
    Subject {
        chip: "ascend910b1",
        dtype: DType::I32,
        text: REDUCED,
        most: 18_000,
    },
    Subject {
        chip: "ascend910b1",
        dtype: DType::F16,
        text: ENDS,
        most: 60_000,
    },
    Subject {
        chip: "ascend910b1",
        dtype: DType::I32,
        text: ENDS,
        most: 18_000,
    },
    Subject {
        chip: "ascend910b1",
        dtype: DType::F32,
        text: ROW,
        most: 14_000,
    },
    Subject {
        chip: "ascend910b1",
        dtype: DType::F32,
        text: SIDES,
        most: 4_500,
    },
    Subject {
        chip: "ascend910b1",
        dtype: DType::F32,
        text: ALIKE,
        most: 7_000,
    },
    Subject {
        chip: "ascend310p",
        dtype: DType::F32,
        text: COMPUTED,
        most: 9_000,
    },
];

const REDUCED: &str =
    "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n)] s: &mut GlobalTensor<T>,
    #[shape(n)] a: &mut GlobalTensor<T>, #[shape(n)] b: &mut GlobalTensor<T>, rows: usize) {
    for r in tiles(n).block_dim(1).buffer_num(1).size(rows) { let v = x.at(r, ..).load();
    s.at(r).store(v.sum(d)); a.at(r).store(v.amax(d)); b.at(r).store(v.amin(d)); } }";

/// A kernel without sums, which halves do not hold. The smallest comes first, when its work space
/// is still empty.
const ENDS: &str = "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n)] b: &mut GlobalTensor<T>,
    #[shape(n)] a: &mut GlobalTensor<T>, rows: usize) { for r in tiles(n).block_dim(1).buffer_num(1).size(rows) {
    let v = x.at(r, ..).load(); b.at(r).store(v.amin(d)); a.at(r).store(v.amax(d)); } }";

const ROW: &str =
    "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(d)] g: &GlobalTensor<T>, y: &mut GlobalTensor<T>,
    z: &mut GlobalTensor<T>, rows: usize) { for r in tiles(n).block_dim(1).buffer_num(1).size(rows) {
    let v = x.at(r, ..).load(); let g = g.at(..).load(); y.at(r, ..).store(v - g); z.at(r, ..).store(g - v); } }";

const COMPUTED: &str = "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, z: &mut GlobalTensor<T>,
    rows: usize) { for r in tiles(n).block_dim(1).buffer_num(1).size(rows) { let v = x.at(r, ..).load();
    y.at(r, ..).store(v + v.amax(d)); z.at(r, ..).store(v.amin(d) - v); } }";

const SIDES: &str = "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n)] c: &GlobalTensor<T>,
    #[shape(d)] g: &GlobalTensor<T>, y: &mut GlobalTensor<T>, z: &mut GlobalTensor<T>, w: &mut GlobalTensor<T>,
    u: &mut GlobalTensor<T>, o: &mut GlobalTensor<T>, q: &mut GlobalTensor<T>, rows: usize) {
    for r in tiles(n).block_dim(1).buffer_num(1).size(rows) { let v = x.at(r, ..).load(); let c = c.at(r).load(); let g = g.at(..).load();
    y.at(r, ..).store(v - c); z.at(r, ..).store(c - v); w.at(r, ..).store(v - g); u.at(r, ..).store(g - v); o.at(r, ..).store(c.expand(d) - g); q.at(r, ..).store(g - c.expand(d)); } }";

const ALIKE: &str = "#[kernel] pub fn k(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(n)] c: &GlobalTensor<T>,
    #[shape(d)] g: &GlobalTensor<T>, y: &mut GlobalTensor<T>, z: &mut GlobalTensor<T>, rows: usize) {
    for r in tiles(n).block_dim(1).buffer_num(1).size(rows) { let v = x.at(r, ..).load(); let c = c.at(r).load(); let g = g.at(..).load();
    y.at(r, ..).store(v.gt(0.0).select(c, g)); z.at(r, ..).store(v + g); } }";

/// Data blocks of a row, and the elements after them.
const COLS: &[(usize, usize)] = &[
    (0, 1),
    (0, 5),
    (1, 0),
    (1, 1),
    (1, 3),
    (2, 0),
    (2, 1),
    (3, 0),
    (3, 3),
    (4, 1),
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
    (72, 0),
    (128, 0),
    (130, 7),
    (200, 0),
    (255, 0),
    (255, 1),
    (256, 0),
    (257, 3),
    (300, 0),
    (512, 0),
    (513, 0),
    (514, 3),
    (1024, 1),
];

const ROWS: &[usize] = &[
    1, 2, 3, 5, 6, 7, 8, 9, 13, 14, 16, 17, 18, 33, 255, 256, 300, 510, 511, 1020, 1021,
];

/// A kernel with the expected results of every shape.
pub struct Bench {
    pub kernel: CheckedKernel,
    pub shots: Vec<Shot>,
    /// Findings about the original kernel: it is not proved that rows of the given size fit.
    pub found: Vec<String>,
}

/// One launch of a kernel.
pub struct Shot {
    rows: usize,
    given: Vec<(String, Role, Array)>,
    /// The interpreter's results, in the order of the outputs.
    pub wanted: Vec<Array>,
    /// The statements that run, by function, with their counts.
    pub runs: BTreeMap<Form, u64>,
    /// The predicted cycles.
    pub cycles: Option<f64>,
}

impl Subject {
    pub fn bench(&self) -> Bench {
        let chip = Chip::by_name(self.chip).expect("a chip");
        let text = self.text.replace("<T>", &format!("<{}>", self.dtype));
        let parsed = parse_file(&text)
            .unwrap_or_else(|(d, _)| panic!("{}", d.message))
            .remove(0);
        let kernel = parsed
            .kernel
            .unwrap_or_else(|| panic!("{:?}", parsed.diagnostics));
        let kernel =
            check(&kernel, chip).unwrap_or_else(|d| panic!("{}: {}", d[0].code, d[0].message));
        let shots = self
            .shapes(chip)
            .into_iter()
            .filter_map(|shape| self.shot(&kernel, shape))
            .collect();
        let found = found_in(&kernel.instances()[0]);
        Bench {
            kernel,
            shots,
            found,
        }
    }

    /// Returns the shapes, small ones first.
    fn shapes(&self, chip: &Chip) -> Vec<(usize, usize)> {
        let lanes = (chip.data_block_bytes / self.dtype.bytes()) as usize;
        let exact = |more: usize| {
            if self.chip == "ascend310p" {
                more.next_multiple_of(lanes)
            } else {
                more
            }
        };
        let cols = COLS
            .iter()
            .map(|(blocks, more)| blocks * lanes + exact(*more));
        let all = cols.flat_map(|cols| ROWS.iter().map(move |rows| (*rows, cols)));
        let mut all: Vec<_> = all
            .filter(|(rows, cols)| rows * cols.next_multiple_of(lanes) <= self.most)
            .collect();
        all.sort_by_key(|(rows, cols)| rows * cols);
        all.dedup();
        all
    }

    /// Runs a shape; `None` where the tile does not fit.
    fn shot(&self, kernel: &CheckedKernel, (rows, cols): (usize, usize)) -> Option<Shot> {
        let given: Vec<_> = kernel
            .kernel()
            .sig
            .tensors()
            .map(|(id, param, role, _)| {
                let dims = kernel.kernel().sig.shape(id).len();
                let shape = match (dims, param.name.as_str()) {
                    (2, _) => vec![rows, cols],
                    (_, "g") => vec![cols],
                    _ => vec![rows],
                };
                (param.name.clone(), role, numbers(self.dtype, &shape))
            })
            .collect();
        let mut shot = Shot {
            rows,
            given,
            wanted: Vec::new(),
            runs: BTreeMap::new(),
            cycles: None,
        };
        let (census, tile) = (Census::default(), Tile::default());
        let made = match shot.run(Launch::new(kernel).census(&census)) {
            Err(e) if e.code() == Code::J0606 => return None,
            made => made.unwrap_or_else(|e| panic!("{rows} x {cols}: {e}")),
        };
        shot.wanted = shot
            .run(Launch::new(kernel).backend(&tile))
            .unwrap_or_else(|e| panic!("{rows} x {cols}: {e}"));
        assert!(
            made == shot.wanted,
            "{rows} x {cols}: simulator and interpreter differ"
        );
        shot.runs = census.runs();
        shot.cycles = shot.cycles(&kernel.instances()[0], kernel.chip());
        Some(shot)
    }
}

/// Makes rows whose largest and smallest element occur once each, at the ends and between them.
/// Some rows have no element above 0, some none below.
fn numbers(dtype: DType, shape: &[usize]) -> Array {
    let cols = *shape.last().unwrap_or(&1);
    let number = |at: &[usize]| {
        let (row, col) = if at.len() == 2 {
            (at[0], at[1])
        } else {
            (3, at[0])
        };
        let mixed = (row * 7919 + col * 104_729 + col / 7 * 31) % 13;
        let base = [-30, 30, 0][row % 3];
        let place = |turn: usize| {
            [
                cols - 1,
                0,
                (row * 667 + 519) % cols,
                (row * 331 + cols / 2) % cols,
            ][(row + turn + cols) % 4]
        };
        let peak = if col == place(0) {
            20
        } else if col == place(2) {
            -20
        } else {
            0
        };
        base + mixed as i32 - 6 + peak
    };
    let shape = IxDyn(shape);
    match dtype {
        DType::I32 => ArrayD::from_shape_fn(shape, |at| match (at[0] + cols) % 7 {
            // Only the ends of the type itself test this; sums of small numbers do not reach them.
            5 if at.ndim() == 2 => i32::MIN,
            6 if at.ndim() == 2 => i32::MAX,
            _ => number(at.slice()),
        })
        .into(),
        DType::F16 => {
            ArrayD::from_shape_fn(shape, |at| half::f16::from_f32(number(at.slice()) as f32)).into()
        }
        _ => ArrayD::from_shape_fn(shape, |at| number(at.slice()) as f32).into(),
    }
}

impl Shot {
    pub fn reaches(&self, func: &str, statement: Option<usize>) -> bool {
        self.runs
            .iter()
            .any(|(form, n)| *n > 0 && form.func == func && Some(form.index) == statement)
    }

    /// Predicts cycles; `None` on a chip without published timing.
    pub fn cycles(&self, lowered: &Lowered, chip: &'static Chip) -> Option<f64> {
        let cols = self.given[0].2.shape()[1] as i64;
        let attrs = bind_attrs(
            &lowered.sig,
            None,
            &[("rows", Value::Int(self.rows as i64))],
        )
        .ok()?;
        let tiling = evaluate(lowered, chip, &[self.rows as i64, cols], &attrs).ok()?;
        estimate(lowered, chip, &tiling).ok().map(|e| e.vector)
    }

    pub fn run(&self, launch: Launch<'_>) -> Result<Vec<Array>, RunError> {
        let mut out: Vec<Array> = self
            .given
            .iter()
            .map(|(_, _, array)| Array::zeros(array.dtype(), array.shape()).expect("numbers"))
            .collect();
        let mut launch = launch.attr("rows", self.rows);
        for ((name, role, array), out) in self.given.iter().zip(&mut out) {
            launch = if *role == Role::In {
                launch.input(name, array)
            } else {
                launch.output(name, out)
            };
        }
        launch.run()?;
        let written = self
            .given
            .iter()
            .zip(out)
            .filter(|((_, role, _), _)| *role != Role::In);
        Ok(written.map(|(_, out)| out).collect())
    }
}
