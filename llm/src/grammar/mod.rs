//! Grammars of the language, for engines that constrain the output of a model.
//!
//! There is one set of productions (`tile.txt`) and a writer for each format. The literals come
//! from the tables of ops, functions, element types and chips. The `llm` profile is the canonical
//! form of [`crate::canon`]: names from pools, one op in each `let`, bounded nesting.
//!
//! Start reading at [`grammar`].

mod blocks;
mod ebnf;
pub(crate) mod full;
mod head;
mod semantic;
mod write;

pub use ebnf::{Grammar, Part};
pub(crate) use full::RESERVED;
pub use head::{names_in_words, of_head};
pub use semantic::{semantic, semantic_axes};
pub use write::Format;

use crate::canon::{Pool, OTHERS, TYPES};
use blocks::add_level;
use ebnf::numbers_below;
use jumar::dsl::dtype::{RoundMode, DTYPE_SETS, ELEMENTS};
use jumar::dsl::ir::Ty;
use jumar::dsl::items::{PlaceMethod, TileMethod};
use jumar::dsl::library::{Function, Takes, FUNCTIONS};
use jumar::dsl::ops::{AxisReduceOp, Op, UnaryOp};
use jumar::dsl::soc::Chip;
use std::collections::{BTreeMap, BTreeSet};

/// Levels of blocks in the `llm` profile.
pub const DEPTH: usize = 8;

/// Methods along an axis that keep the axis.
const SCANS: [TileMethod; 2] = [TileMethod::Cumsum, TileMethod::Cumprod];

/// The part of the language that a grammar covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Profile {
    /// All that the front end reads, with any names, nesting and layout.
    Full,
    /// The canonical form with all ops.
    Llm,
    /// The canonical form with only these ops; casts, loads, stores and arithmetic stay.
    Slice(BTreeSet<String>),
}

/// Why a grammar does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GrammarError {
    /// A slice names something that is no op of tiles.
    #[error("`{0}` is no op of a tile")]
    NoOp(String),
    /// A head has more axes than the grammar has classes for.
    #[error("the tensors have {found} axes, and sets of them are types of {most} at most")]
    Axes {
        /// The number of axes in the head.
        found: usize,
        /// The largest number of axes.
        most: usize,
    },
    /// The head's tensors give no classes of tiles.
    #[error("{0}")]
    Classes(&'static str),
}

/// Returns the grammar of a profile.
///
/// # Errors
/// [`GrammarError::NoOp`] for a slice with a name that is no op of tiles.
pub fn grammar(profile: &Profile) -> Result<Grammar, GrammarError> {
    if *profile == Profile::Full {
        return Ok(full::full());
    }
    let lists = lists(profile)?;
    let mut grammar = Grammar::read(
        &with_types(include_str!("tile.txt"), &TYPES, Kind::of),
        &lists,
    );
    for level in 1..=DEPTH {
        add_level(&mut grammar, level);
    }
    grammar.add("NONE", Part::nothing());
    for pool in Pool::all() {
        grammar.add(&pool.token(), names_of(pool));
    }
    Ok(grammar.pruned())
}

/// Returns the names of a pool.
fn names_of(pool: Pool) -> Part {
    Part::Row(vec![
        Part::Literal(pool.letters()),
        numbers_below(pool.most()),
    ])
}

/// The kind of the elements of a type, over all instances.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Float,
    Whole,
    /// Floats in some instances and integers in others.
    Open,
    /// A kind that nothing determines.
    Any,
}

impl Kind {
    /// Returns the kind of a type without knowledge of the instances.
    fn of(ty: Ty) -> Kind {
        match ty {
            Ty::Is(of) if of.is_float() => Kind::Float,
            Ty::Is(_) | Ty::Mask => Kind::Whole,
            Ty::Param(_) | Ty::Wide(_) => Kind::Any,
        }
    }
}

/// Expands the pattern between `@begin` and `@end` for each element type.
fn with_types(text: &str, params: &[impl AsRef<str>], kind: impl Fn(Ty) -> Kind) -> String {
    let (before, rest) = text.split_once("@begin\n").unwrap_or((text, ""));
    let (pattern, behind) = rest.split_once("@end\n").unwrap_or(("", rest));
    let mut out = before.to_string();
    for (letters, ty) in OTHERS {
        // The rules of a type parameter that the kernel lacks match no text.
        let text = type_text(*ty, params).unwrap_or_else(|| "?".to_string());
        let upper = letters.to_uppercase();
        for line in pattern.lines() {
            let (op, shift, not, scalar, float) = match kind(*ty) {
                Kind::Float => ("FOP", "NONE", "FNOT", "fs", "hv@"),
                Kind::Whole => ("KOP", "SHIFT", "KNOT", "ks", "NONE"),
                Kind::Open => ("FOP", "NONE", "FNOT", "ks", "NONE"),
                Kind::Any => ("KOP", "SHIFT", "KNOT", "hs", "hv@"),
            };
            let line = line
                .replace(" OP@", &format!(" {op}"))
                .replace("SHIFT@", shift)
                .replace("NOT@", not)
                .replace("HS@", scalar)
                .replace("FLOAT@", float);
            let line = line
                .replace("%type@", &text)
                .replace("H@", &format!("H{upper}"))
                .replace("W@", &format!("W{upper}"));
            out += &line.replace('@', &format!("_{}", in_rules(letters)));
            out.push('\n');
        }
    }
    let some = |rule: &str, takes: &dyn Fn(Ty) -> bool| {
        let own = OTHERS.iter().filter(|(_, ty)| takes(*ty));
        own.map(|(letters, _)| format!("{rule}_{}", in_rules(letters)))
            .collect::<Vec<_>>()
            .join(" | ")
    };
    out += &format!(
        "hf: {}\n",
        some("hv", &|ty| matches!(kind(ty), Kind::Float | Kind::Any))
    );
    for rule in [
        "hv",
        "hlet",
        "hmut",
        "hacross",
        "hmutacross",
        "hset",
        "hcompare",
        "hpair",
    ] {
        out += &format!("{rule}: {}\n", some(rule, &|_| true));
    }
    out + behind
}

/// Returns the suffix of an element type in names of rules.
fn in_rules(letters: &str) -> &str {
    if letters.is_empty() {
        "p"
    } else {
        letters
    }
}

/// Writes an element type with these names of type parameters.
fn type_text(ty: Ty, params: &[impl AsRef<str>]) -> Option<String> {
    let param = |at: u8| params.get(usize::from(at)).map(AsRef::as_ref);
    Some(match ty {
        Ty::Is(of) => of.name().to_string(),
        Ty::Param(at) => param(at)?.to_string(),
        Ty::Wide(at) => format!("{}::Wide", param(at)?),
        Ty::Mask => "bool".to_string(),
    })
}

/// Returns the literals of each list, from the tables.
fn lists(profile: &Profile) -> Result<BTreeMap<&'static str, Vec<String>>, GrammarError> {
    let has = |name: &str| match profile {
        Profile::Full | Profile::Llm => true,
        Profile::Slice(ops) => ops.contains(name),
    };
    if let Profile::Slice(ops) = profile {
        let known: BTreeSet<&str> = tile_methods().collect();
        if let Some(unknown) = ops.iter().find(|op| !known.contains(op.as_str())) {
            return Err(GrammarError::NoOp(unknown.clone()));
        }
    }
    let open = |name: &str| format!(".{name}(");
    let shut = |name: &str| format!(".{name}()");
    let ops = |takes: &dyn Fn(Op) -> bool| -> Vec<&'static str> {
        Op::all()
            .filter(|def| takes(def.op) && has(def.name))
            .map(|def| def.name)
            .collect()
    };
    let functions = |takes: &dyn Fn(&Function) -> bool| -> Vec<&'static str> {
        FUNCTIONS
            .iter()
            .filter(|f| takes(f) && has(f.name))
            .map(|f| f.name)
            .collect()
    };
    let all = |names: Vec<&'static str>, how: &dyn Fn(&str) -> String| {
        names.into_iter().map(how).collect::<Vec<_>>()
    };
    let tiles = |f: &Function, count: usize| {
        !f.gives_mask
            && f.args.len() == count
            && f.args.iter().all(|(_, takes)| *takes == Takes::Tile)
    };
    let is_sum =
        |op: AxisReduceOp| !op.is_place() && !matches!(op, AxisReduceOp::Any | AxisReduceOp::All);
    let plain = SCANS
        .map(TileMethod::name)
        .into_iter()
        .filter(|name| has(name))
        .collect::<Vec<_>>();
    let stored = PlaceMethod::ALL
        .iter()
        .copied()
        .filter(|method| !matches!(method, PlaceMethod::Load | PlaceMethod::LoadOr));
    Ok(BTreeMap::from([
        (
            "unary",
            all(
                ops(&|op| matches!(op, Op::Unary(op) if op != UnaryOp::Neg)),
                &shut,
            ),
        ),
        (
            "binary",
            all(
                vec!["max", "min"]
                    .into_iter()
                    .filter(|name| has(name))
                    .collect(),
                &open,
            ),
        ),
        (
            "compare",
            all(ops(&|op| matches!(op, Op::Compare(_))), &open),
        ),
        (
            "reductions",
            all(
                ops(&|op| matches!(op, Op::AxisReduce(op) if is_sum(op))),
                &open,
            ),
        ),
        (
            "places",
            all(
                ops(&|op| matches!(op, Op::AxisReduce(op) if op.is_place())),
                &open,
            ),
        ),
        (
            "asks",
            all(
                ops(&|op| matches!(op, Op::AxisReduce(AxisReduceOp::Any | AxisReduceOp::All))),
                &open,
            ),
        ),
        (
            "functions0",
            all(functions(&|f| f.args.is_empty() && !f.gives_mask), &shut),
        ),
        (
            "functions_s",
            all(
                functions(&|f| matches!(f.args, [(_, Takes::Number)])),
                &open,
            ),
        ),
        ("functions1", all(functions(&|f| tiles(f, 1)), &open)),
        ("functions2", all(functions(&|f| tiles(f, 2)), &open)),
        (
            "functions2k",
            all(functions(&|f| tiles(f, 2) && f.set == "Number"), &open),
        ),
        (
            "tests",
            all(functions(&|f| f.gives_mask && f.args.is_empty()), &shut),
        ),
        ("scans", all(plain, &open)),
        (
            "stores",
            all(stored.map(PlaceMethod::name).collect(), &open),
        ),
        ("typeparams", TYPES.map(String::from).to_vec()),
        (
            "dtypes",
            ELEMENTS.iter().map(|d| d.name().to_string()).collect(),
        ),
        (
            "bounds",
            DTYPE_SETS.iter().map(|set| set.name.to_string()).collect(),
        ),
        (
            "chips",
            Chip::all()
                .iter()
                .map(|chip| chip.name.to_string())
                .collect(),
        ),
        (
            "modes",
            RoundMode::ALL
                .iter()
                .map(|mode| mode.name().to_string())
                .collect(),
        ),
    ]))
}

/// Returns the names that a slice may have.
fn tile_methods() -> impl Iterator<Item = &'static str> {
    let is_tiled = |op: Op| matches!(op, Op::Unary(_) | Op::Compare(_) | Op::AxisReduce(_));
    let ops = Op::all()
        .filter(move |def| is_tiled(def.op))
        .map(|def| def.name);
    ops.chain(["max", "min"])
        .chain(SCANS.map(TileMethod::name))
        .chain(FUNCTIONS.iter().map(|f| f.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jumar::dsl::items;

    /// Items that the canonical form does not need, with their replacement.
    const OTHERWISE: &[(&str, &str)] = &[
        ("dump", "nothing, which changes no result"),
        ("wide", "a cast"),
        (
            "reinterpret_cast",
            "nothing yet: what its two types are the grammar would have to hold together",
        ),
        ("is_empty", "a comparison of the product of the axes"),
        (
            "div_exact",
            "a choice between the quotient and an index outside",
        ),
        (
            "get_block_idx",
            "nothing: at tile level no number of a block is asked for",
        ),
        (
            "get_block_num",
            "nothing: at tile level no number of a block is asked for",
        ),
    ];

    /// Returns methods and functions as calls in the literals of a grammar.
    fn called(grammar: &Grammar) -> BTreeSet<String> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut all = BTreeSet::new();
        for (_, part) in grammar.rules() {
            part.literals(&mut |text| {
                if let Some(word) = text
                    .strip_prefix('.')
                    .filter(|word| !word.is_empty() && word.chars().all(is_word))
                {
                    all.insert(word.to_string());
                }
                for (at, _) in text.match_indices(['(', ':']) {
                    let word = text[..at]
                        .rsplit(|c| !is_word(c))
                        .next()
                        .unwrap_or_default();
                    if word.starts_with(|c: char| c.is_ascii_lowercase()) {
                        all.insert(word.to_string());
                    }
                }
            });
        }
        all
    }

    #[test]
    fn the_productions_have_every_item_of_tiles_and_no_other() {
        let called = called(&grammar(&Profile::Llm).expect("a grammar"));
        let levels = |item: &&items::Item| item.level != Some(jumar::dsl::ir::Level::Queue);
        let missing: Vec<&str> = items::all()
            .filter(levels)
            .map(|item| item.name)
            .filter(|name| !called.contains(*name))
            .collect();
        let left: BTreeSet<&str> = OTHERWISE.iter().map(|(name, _)| *name).collect();
        assert_eq!(missing.iter().copied().collect::<BTreeSet<_>>(), left);
        // Words before a parenthesis or a colon that are no calls: attributes, paths, types.
        let other = [
            "f32",
            "i32",
            "in",
            "shape",
            "list",
            "index",
            "default",
            "instances",
            "chips",
            "jumar",
            "prelude",
        ];
        let ops: BTreeSet<&str> = Op::all()
            .map(|def| def.name)
            .chain(FUNCTIONS.iter().map(|f| f.name))
            .collect();
        let known: BTreeSet<&str> = items::all()
            .map(|item| item.name)
            .chain(ops)
            .chain(other)
            .collect();
        let unknown: Vec<&String> = called
            .iter()
            .filter(|name| !known.contains(name.as_str()))
            .collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
