//! Draws launches for the judge: sizes, attributes and elements that promises and requirements of a
//! kernel allow.
//!
//! Elements are quarters, ties and numbers near the literals of the kernel. Conditions and
//! comparisons then have both outcomes.

use super::number::Number;
use super::run::Draw;
use super::Subject;
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::tile::Body;
use jumar_dsl::ir::{
    dim_size, AxFrom, BinOp, Kernel, Operand, ParamKind, Role, Scalar, ScalarTy, StmtKind,
    StoreHow, TileExpr, TileStmt,
};
use jumar_dsl::tiling::{eval, Env, Value};

/// The most elements of a draw.
const MOST: i64 = 12_000;
/// The largest literal near which loops are cut.
const FAR: i64 = 4_000;

/// A generator of random numbers (SplitMix64).
pub(super) struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: i64) -> i64 {
        (self.next() % n.max(1) as u64) as i64
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as i64) as usize]
    }

    /// Returns the integers below `n` in random order.
    fn shuffled(&mut self, n: i64) -> Vec<i64> {
        let mut all: Vec<i64> = (0..n).collect();
        for last in (1..all.len()).rev() {
            all.swap(last, self.below(last as i64 + 1) as usize);
        }
        all
    }
}

/// The numbers that a kernel decides by.
#[derive(Debug, Default)]
pub(super) struct Literals {
    /// Integers, near which loops are cut.
    pub lengths: Vec<i64>,
    /// All of the numbers.
    values: Vec<f64>,
}

impl Literals {
    /// Collects the literals in conditions, comparisons, bounds, quotients and remainders.
    pub fn of(body: &Body) -> Literals {
        let mut all = Literals::default();
        body.walk(&mut |s| {
            s.scalars(&mut |scalar| all.scalar(scalar));
            let StmtKind::Do(TileStmt::Def {
                expr: TileExpr::Op { args, .. },
                ..
            }) = &s.kind
            else {
                return;
            };
            for arg in args {
                if let Operand::Scalar { value } = arg {
                    all.note(value);
                }
            }
        });
        all.lengths.sort_unstable();
        all.lengths.dedup();
        all.lengths.truncate(4);
        all.values.truncate(8);
        all
    }

    fn scalar(&mut self, s: &Scalar) {
        s.walk(&mut |part| {
            let Scalar::Bin(op, a, b) = part else { return };
            let decides = match op {
                BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or => false,
                BinOp::Div
                | BinOp::Rem
                | BinOp::CeilDiv
                | BinOp::Min
                | BinOp::Max
                | BinOp::AlignUp => true,
                BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne => true,
            };
            if decides {
                self.note(a);
                self.note(b);
            }
        });
    }

    fn note(&mut self, s: &Scalar) {
        let value = match (s, s.value()) {
            (Scalar::Cast(_, inner), _) => return self.note(inner),
            (_, Some(Value::Int(v))) => v as f64,
            (_, Some(Value::I32(v))) => f64::from(v),
            (_, Some(Value::F32(v))) => f64::from(v),
            (_, Some(Value::Bool(_)) | None) => return,
        };
        if !value.is_finite() || value.abs() > 1e6 {
            return;
        }
        if !self.values.contains(&value) {
            self.values.push(value);
        }
        if value.fract() == 0.0 && (2.0..=FAR as f64).contains(&value) {
            self.lengths.push(value as i64);
        }
    }
}

/// Makes the `nth` draw, or `None` if no random sizes suit the kernel.
pub(super) fn draw(
    of: Subject<'_>,
    literals: &Literals,
    nth: usize,
    random: &mut Random,
) -> Option<Draw> {
    let kernel = of.kernel;
    (0..200).find_map(|attempt| {
        let attrs = attrs(kernel, random);
        let dims: Vec<i64> = kernel
            .sig
            .axes
            .iter()
            .map(|_| size(literals, nth, attempt, random))
            .collect();
        allowed(of, &dims, &attrs)?;
        let tensors = tensors(of, &dims, &attrs, (literals, nth), random)?;
        Some(Draw {
            dims,
            attrs,
            tensors,
        })
    })
}

fn size(literals: &Literals, nth: usize, attempt: usize, random: &mut Random) -> i64 {
    let about = if nth % 2 == 1 && attempt < 60 {
        literals.lengths.as_slice()
    } else {
        &[]
    };
    if !about.is_empty() && random.below(2) == 0 {
        let c = random.of(about);
        return random.of(&[c - 1, c, c + 1, 2 * c, 2 * c + 1, 3 * c + 1]);
    }
    match attempt {
        0..=80 => random.of(&[3, 4, 5, 6, 7, 8, 9, 1, 2]),
        _ => random.of(&[1, 2, 3, 4, 6, 7, 8, 9, 12, 16, 24, 32, 33, 48, 64, 96, 128]),
    }
}

fn attrs(kernel: &Kernel, random: &mut Random) -> Vec<Option<Value>> {
    let one = |param: &jumar_dsl::ir::Param, random: &mut Random| match &param.kind {
        ParamKind::Tensor { optional: true, .. } => Some(Value::Bool(random.below(3) > 0)),
        ParamKind::Tensor {
            optional: false, ..
        } => None,
        ParamKind::Attr { ty, choices, .. } => {
            let own = param.kind.default_value().filter(|_| random.below(2) == 0);
            Some(own.unwrap_or_else(|| match ty {
                _ if param.per == jumar_dsl::ir::Per::Place => {
                    Value::whole(*ty, 0).unwrap_or(Value::Int(0))
                }
                ScalarTy::Index if !choices.is_empty() => {
                    Value::Int(random.below(choices.len() as i64))
                }
                ScalarTy::Index => Value::Int(random.of(&[0, 1, 2, 3, 4, 5, 8])),
                ScalarTy::I32 => Value::I32(random.of(&[0, 1, 2, 3, 4, -1, 5])),
                ScalarTy::F32 => Value::F32(random.of(&[1.0, 0.5, 2.0, -1.0, 0.25, 3.0, 0.0])),
                ScalarTy::Bool => Value::Bool(random.below(2) == 0),
            }))
        }
    };
    kernel
        .sig
        .params
        .iter()
        .map(|param| one(param, random))
        .collect()
}

/// Returns `Some` if sizes and attributes meet the kernel's requirements.
fn allowed(of: Subject<'_>, dims: &[i64], attrs: &[Option<Value>]) -> Option<()> {
    let Subject {
        kernel,
        body,
        instance,
        chip,
    } = of;
    let env = Env {
        dims,
        attrs,
        chip,
        vars: Vec::new(),
        block: None,
    };
    let binding = &kernel.sig.instances[instance];
    let whole = |s: &Scalar| {
        eval(&s.clone().sized(binding), &env)
            .ok()
            .and_then(|v| v.as_int().ok())
    };
    let holds = |s: &Scalar| {
        eval(&s.clone().sized(binding), &env)
            .ok()
            .and_then(|v| v.as_bool().ok())
            == Some(true)
    };
    let mut elements = 0;
    for (id, ..) in kernel.sig.tensors() {
        let sizes: Option<Vec<i64>> = kernel
            .sig
            .shape(id)
            .iter()
            .map(|dim| whole(&dim_size(dim)).filter(|n| *n >= 0))
            .collect();
        elements += sizes?.iter().product::<i64>();
    }
    let extents = body.axes.iter().all(|decl| match &decl.from {
        // Extents that only a core knows are checked where it runs.
        AxFrom::Whole { extent } => whole(extent).is_none_or(|n| n >= 0),
        AxFrom::Run { .. } | AxFrom::Hull { .. } => true,
    });
    (elements <= MOST && extents && kernel.sig.facts.iter().all(|fact| holds(&fact.cond)))
        .then_some(())
}

/// The distribution of a tensor's elements.
#[derive(Clone, Copy)]
enum Data {
    Quarters,
    Ties,
    Positive,
    AboutLiterals,
    Small,
}

type Tensors = Vec<Option<Vec<Option<Number>>>>;

fn tensors(
    of: Subject<'_>,
    dims: &[i64],
    attrs: &[Option<Value>],
    (literals, nth): (&Literals, usize),
    random: &mut Random,
) -> Option<Tensors> {
    let Subject {
        kernel,
        body,
        instance,
        chip,
    } = of;
    const ALL: [Data; 5] = [
        Data::Quarters,
        Data::Ties,
        Data::Positive,
        Data::AboutLiterals,
        Data::Small,
    ];
    let env = Env {
        dims,
        attrs,
        chip,
        vars: Vec::new(),
        block: None,
    };
    let binding = &kernel.sig.instances[instance];
    let whole = |s: &Scalar| {
        eval(&s.clone().sized(binding), &env)
            .ok()
            .and_then(|v| v.as_int().ok())
    };
    let (mut appended, mut is_once) = (Vec::new(), false);
    body.walk(&mut |s| {
        if let StmtKind::Do(TileStmt::Append { to, .. }) = &s.kind {
            appended.extend(to.param());
        }
        is_once |= matches!(
            s.kind,
            StmtKind::Do(TileStmt::Store {
                how: StoreHow::Disjoint,
                ..
            })
        );
    });
    let mut made: Tensors = kernel.sig.params.iter().map(|_| None).collect();
    for (id, _, role, ty) in kernel.sig.tensors() {
        if kernel.sig.is_optional(id) && attrs[id.index()] == Some(Value::Bool(false)) {
            continue;
        }
        let sizes: Option<Vec<i64>> = kernel
            .sig
            .shape(id)
            .iter()
            .map(|dim| whole(&dim_size(dim)))
            .collect();
        let len = usize::try_from(sizes?.iter().product::<i64>()).ok()?;
        let dtype = ty.resolve(binding);
        let below = kernel
            .sig
            .promise(id)
            .map(|s| whole(s).filter(|n| *n > 0 || len == 0));
        let data = if nth < ALL.len() {
            ALL[nth]
        } else {
            random.of(&ALL)
        };
        let one = |random: &mut Random| match (role, &below) {
            (Role::Out, _) if !appended.contains(&id) => None,
            (Role::Out, _) => Some(Number::ZERO),
            (_, Some(below)) => Some(Number::whole(random.below(below.unwrap_or(1)))),
            (_, None) => Some(element(dtype, data, literals, random)),
        };
        if below == Some(None) {
            return None;
        }
        let below = below.flatten().unwrap_or(0);
        made[id.index()] = Some(match is_once && len as i64 <= below && below <= MOST {
            // A store with `store_disjoint` needs distinct indices.
            true => random
                .shuffled(below)
                .into_iter()
                .take(len)
                .map(|at| Some(Number::whole(at)))
                .collect(),
            false => (0..len).map(|_| one(random)).collect(),
        });
    }
    Some(made)
}

fn element(dtype: DType, data: Data, literals: &Literals, random: &mut Random) -> Number {
    match dtype {
        DType::F16 | DType::Bf16 | DType::F32 => Number::of(match data {
            Data::Quarters => random.below(65) as f64 / 4.0 - 8.0,
            Data::Ties => random.below(3) as f64 - 1.0,
            Data::Positive => (1 + random.below(32)) as f64 / 4.0,
            Data::AboutLiterals if !literals.values.is_empty() && random.below(3) > 0 => {
                random.of(&literals.values) + random.of(&[-1.0, -0.25, 0.0, 0.25, 1.0])
            }
            Data::AboutLiterals => random.below(17) as f64 / 4.0 - 2.0,
            Data::Small => random.of(&[0.125, 0.25, 0.375, 0.5, 0.0]),
        }),
        DType::Bool => Number::truth(random.below(3) == 0),
        DType::U8 | DType::U16 | DType::U32 => Number::whole(random.below(7)),
        DType::I8 | DType::I16 | DType::I32 | DType::I64 | DType::Bits => match data {
            Data::Ties => Number::whole(random.below(3) - 1),
            Data::Positive | Data::Small => Number::whole(random.below(7)),
            Data::Quarters | Data::AboutLiterals => Number::whole(random.below(13) - 6),
        },
    }
}
