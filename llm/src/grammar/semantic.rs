//! The semantic mask: the grammar of one task's body, in which a name is used where it is defined, within its scope, as what it is.
//!
//! The head is a literal: it says which tensors, axes and attributes there are, of which types. What the body defines is numbered in order within
//! its scope, so that a few bits for each pool, the number of names defined so far, say which names there are: they are the parameter of llguidance's
//! parametric rules. A block is called with the parameter of its beginning, and what stands behind it with that of before. An alternative
//! whose classes have no name yet is not offered, so that no choice is a dead end.
//!
//! Which axes a tile has is no part of it: sets of axes of all values do not fit in 64 bits. Of a tensor that may be left out only `or_full` is offered.

use super::ebnf::{is_token, Grammar, Part};
use super::write::{lark, quoted, regex};
use super::{lists, with_types, GrammarError, Kind, Profile};
use crate::canon::{Head, HeadTensor, Pool, OTHERS};
use jumar::dsl::dtype::{DType, ELEMENTS};
use jumar::dsl::ir::{Role, Ty};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Bits of the parameter.
const BITS: u32 = 64;
/// Levels of blocks in the body.
const LEVELS: usize = 7;
/// Axes that one loop cuts at most.
const MOST_CUT: usize = 4;
/// Axes of a view at most.
const MOST_VIEWED: usize = 4;

/// What the engine must know of a pool: which bits count its names.
struct Counter {
    token: String,
    pool: Pool,
    from: u32,
    bits: u32,
}

/// Names that have to be there, one set of them at least.
type Needs = BTreeSet<BTreeSet<String>>;

/// The semantic grammar of a head, in llguidance's Lark.
///
/// # Errors
/// Those of [`super::grammar`].
pub fn semantic(head: &Head, profile: &Profile) -> Result<String, GrammarError> {
    let lists = lists(profile)?;
    let mut grammar = Grammar::read(&with_types(include_str!("tile.txt"), &head.types, |ty| kind(head, ty)), &lists);
    let types = types_of(head);
    let concrete = ELEMENTS.iter().map(|d| d.name().to_string());
    let params = head.types.iter().flat_map(|name| [name.clone(), format!("{name}::Wide")]);
    grammar.set("TY", Part::one_of(concrete.chain(params)));
    let counters = counters(&types, head);
    grammar.set("axis", Part::Name("A".to_string()));
    grammar.set("NONE", Part::nothing());
    replace_names(&mut grammar, head, &counters);
    replace_places(&mut grammar, head, &lists["stores"]);
    Ok(Writer::new(grammar.pruned(), counters, &types).text(head))
}

/// The element types that a body of this head computes with besides `f32`, `i32` and masks.
fn types_of(head: &Head) -> Vec<usize> {
    let mut own: Vec<usize> = Vec::new();
    for tensor in &head.tensors {
        let wide = match tensor.ty {
            Ty::Param(at) if head.open.contains(&at) => Some(Ty::Wide(at)),
            Ty::Param(_) => None,
            Ty::Is(_) | Ty::Wide(_) | Ty::Mask => None,
        };
        let found = [Some(tensor.ty), wide].into_iter().flatten().filter_map(|ty| OTHERS.iter().position(|(_, own)| *own == ty));
        own.extend(found);
    }
    own.sort_unstable();
    own.dedup();
    own
}

/// What the elements of a type are in the instances of this head.
fn kind(head: &Head, ty: Ty) -> Kind {
    match ty {
        Ty::Param(at) | Ty::Wide(at) if head.whole.contains(&at) => Kind::Whole,
        Ty::Param(at) | Ty::Wide(at) if head.open.contains(&at) => Kind::Open,
        Ty::Param(_) | Ty::Wide(_) => Kind::Float,
        Ty::Is(_) | Ty::Mask => Kind::of(ty),
    }
}

/// Which bits count what; each pool has what it needs at least, and more in turns while there are bits left.
fn counters(types: &[usize], head: &Head) -> Vec<Counter> {
    let mut wanted: Vec<(String, Pool, u32, u32)> = vec![
        ("V".into(), Pool::Value, 4, 7),
        ("K".into(), Pool::Whole, 2, 5),
        ("M".into(), Pool::Mask, 2, 5),
        ("S".into(), Pool::Float, 3, 5),
        ("N".into(), Pool::Size, 3, 5),
        ("C".into(), Pool::MutValue, 2, 4),
        ("T".into(), Pool::Run, 2, 3),
        ("I".into(), Pool::Index, 2, 3),
        ("A".into(), Pool::Axis, 2, 4),
        ("J".into(), Pool::Int, 2, 4),
        ("D".into(), Pool::MutWhole, 1, 2),
        ("G".into(), Pool::MutMask, 1, 2),
        ("B".into(), Pool::Bool, 1, 3),
        ("Y".into(), Pool::Out, 1, 2),
        ("UN".into(), Pool::MutSize, 1, 2),
        ("US".into(), Pool::MutFloat, 1, 2),
        ("UJ".into(), Pool::MutInt, 1, 1),
    ];
    for at in types {
        let letters = OTHERS[*at].0.to_uppercase();
        wanted.insert(1, (format!("H{letters}"), Pool::Other(*at), 2, 5));
        wanted.push((format!("W{letters}"), Pool::MutOther(*at), 1, 2));
    }
    // Of a tensor that may be left out whether it is there, in a block that asks.
    for tensor in head.tensors.iter().filter(|t| t.optional) {
        wanted.insert(0, (given(tensor), Pool::In, 1, 1));
    }
    let mut bits: Vec<u32> = wanted.iter().map(|(_, _, least, _)| *least).collect();
    // What does not fit at all has no names.
    while bits.iter().sum::<u32>() > BITS {
        let last = bits.iter().rposition(|bits| *bits > 0).unwrap_or(0);
        bits[last] = 0;
    }
    loop {
        let before = bits.iter().sum::<u32>();
        for (bits_of, (_, _, _, most)) in wanted.iter().zip(0..).map(|((a, b, c, d), nth)| (nth, (a, b, c, d))) {
            if bits.iter().sum::<u32>() < BITS && bits[bits_of] > 0 && bits[bits_of] < *most {
                bits[bits_of] += 1;
            }
        }
        if bits.iter().sum::<u32>() == before {
            break;
        }
    }
    let mut from = 0;
    let mut all = Vec::new();
    for ((token, pool, ..), bits) in wanted.into_iter().zip(bits) {
        all.push(Counter { token, pool, from, bits });
        from += bits;
    }
    all.retain(|counter| counter.bits > 0);
    all
}

impl Counter {
    fn range(&self) -> String {
        format!("[{}:{}]", self.from, self.from + self.bits)
    }
    /// How many names it counts.
    fn most(&self) -> usize {
        ((1usize << self.bits) - 1).min(self.pool.most())
    }
}

/// The token of the name of a tensor that may be left out.
fn given(tensor: &HeadTensor) -> String {
    format!("GIVEN_{}", tensor.name.to_uppercase())
}

/// Names of the head in place of tokens that are no counters; the rules of those that are the writer makes.
fn replace_names(grammar: &mut Grammar, head: &Head, counters: &[Counter]) {
    for counter in counters {
        grammar.set(&counter.token, Part::Literal(counter.pool.letters()));
    }
    let counted = |token: &str| counters.iter().any(|counter| counter.token == token);
    for (token, _) in super::TOKENS {
        if !counted(token) {
            grammar.set(token, Part::nothing());
        }
    }
    for (letters, _) in OTHERS {
        for token in [format!("H{}", letters.to_uppercase()), format!("W{}", letters.to_uppercase())] {
            if !counted(&token) {
                grammar.set(&token, Part::nothing());
            }
        }
    }
    // A comparison with a variant is one of those that there are.
    let compared: Vec<Part> = head
        .choices
        .iter()
        .flat_map(|(name, of, variants)| {
            variants.iter().flat_map(move |v| [" == ", " != "].map(|sign| Part::Literal(format!("{name}{sign}{of}::{v}"))))
        })
        .collect();
    grammar.set("chosen", Part::Choice(compared));
    let asked = head.tensors.iter().filter(|t| t.optional);
    grammar.set(
        "asked",
        Part::Choice(asked.flat_map(|t| [".is_some()", ".is_none()"].map(|how| Part::Literal(t.name.clone() + how))).collect()),
    );
    // Lists of numbers are names of their elements.
    for list in ["LN", "LJ", "LS"] {
        grammar.set(list, Part::nothing());
    }
}

/// Tensors with as many indices as they have, each in the class of its elements.
fn replace_places(grammar: &mut Grammar, head: &Head, stores: &[String]) {
    let name = |rule: &str| Part::Name(rule.to_string());
    let text = |text: &str| Part::Literal(text.to_string());
    for rank in 0..=8usize.max(MOST_VIEWED) {
        let more = Part::Times(
            Box::new(Part::Row(vec![text(", "), name("idx")])),
            rank.saturating_sub(1) as u32,
            Some(rank.saturating_sub(1) as u32),
        );
        let at = match rank {
            0 => text(".at()"),
            1 => Part::Row(vec![text(".at("), name("idx"), text(")")]),
            _ => Part::Row(vec![text(".at("), name("idx"), more, text(")")]),
        };
        grammar.set(&format!("at{rank}"), at);
    }
    let mut viewed = Vec::new();
    for rank in 1..=MOST_VIEWED {
        let axes = match rank {
            1 => Part::Row(vec![text(".view("), name("axis"), text(")")]),
            _ => {
                let more = Part::Row(vec![text(", "), name("axis")]);
                Part::Row(vec![
                    text(".view("),
                    text("("),
                    name("axis"),
                    Part::Times(Box::new(more), rank as u32 - 1, Some(rank as u32 - 1)),
                    text("))"),
                ])
            }
        };
        viewed.push(Part::Row(vec![axes, name(&format!("at{rank}"))]));
    }
    grammar.set("viewed", Part::Choice(viewed));
    let place = |tensor: &HeadTensor| {
        let full = Part::Row(vec![text(".or_full("), name("number0"), text(")")]);
        let seen = || Part::Choice(vec![name(&format!("at{}", tensor.rank)), name("viewed")]);
        match (tensor.optional, tensor.role) {
            (false, _) => Part::Row(vec![text(&tensor.name), seen()]),
            (true, Role::In) => Part::Choice(vec![
                Part::Row(vec![text(&tensor.name), full, seen()]),
                Part::Row(vec![Part::Name(given(tensor)), seen()]),
            ]),
            (true, Role::Out | Role::InOut) => Part::Row(vec![Part::Name(given(tensor)), seen()]),
        }
    };
    let load = |places: Vec<Part>, how: Part| match places.is_empty() {
        true => Part::nothing(),
        false => Part::Row(vec![Part::Choice(places), how]),
    };
    let how = || Part::Choice(vec![text(".load()"), Part::Row(vec![text(".load_or("), name("number0"), text(")")])]);
    let of = |ty: Ty, takes: &dyn Fn(&HeadTensor) -> bool| {
        head.tensors.iter().filter(|t| t.ty == ty && takes(t)).map(place).collect::<Vec<_>>()
    };
    let read = |_: &HeadTensor| true;
    let work = Part::Row(vec![name("Y"), name("viewed_work")]);
    let plain = (1..=MOST_VIEWED).map(|rank| name(&format!("at{rank}")));
    grammar.set("viewed_work", Part::Choice(plain.chain([name("viewed")]).collect()));
    let f32s = [of(Ty::Is(DType::F32), &read), vec![work.clone()]].concat();
    grammar.set("load_f32", load(f32s, how()));
    grammar.set("load_i32", load(of(Ty::Is(DType::I32), &read), how()));
    let mut stored = vec![Part::Row(vec![work, Part::one_of(stores.iter().cloned()), name("fv"), text(");\n")])];
    for (letters, ty) in OTHERS {
        let rule = if letters.is_empty() { "p" } else { letters };
        grammar.set(&format!("load_{rule}"), load(of(*ty, &read), how()));
    }
    for tensor in head.tensors.iter().filter(|t| t.role != Role::In) {
        let class = match tensor.ty {
            Ty::Is(DType::F32) => "fv".to_string(),
            Ty::Is(DType::I32) => "kv".to_string(),
            Ty::Is(DType::Bool) | Ty::Mask => "mv".to_string(),
            ty => match OTHERS.iter().find(|(_, own)| *own == ty) {
                Some((letters, _)) => format!("hv_{}", if letters.is_empty() { "p" } else { letters }),
                None => continue,
            },
        };
        stored.push(Part::Row(vec![place(tensor), Part::one_of(stores.iter().cloned()), Part::Name(class), text(");\n")]));
    }
    grammar.set("stored", Part::Choice(stored));
    let written = |t: &&HeadTensor| t.role != Role::In && !t.optional;
    grammar.set("appendable", Part::Choice(head.tensors.iter().filter(written).map(|t| text(&t.name)).collect()));
}

/// Writes parametric rules.
struct Writer {
    grammar: Grammar,
    counters: Vec<Counter>,
    types: Vec<usize>,
    /// What a rule needs to have any text.
    needs: BTreeMap<String, Needs>,
    /// Rules in which a counter is asked.
    asks: BTreeSet<String>,
    out: String,
    lifted: usize,
    names: BTreeMap<String, Vec<String>>,
}

impl Writer {
    fn new(grammar: Grammar, counters: Vec<Counter>, types: &[usize]) -> Writer {
        let mut writer = Writer {
            grammar,
            counters,
            types: types.to_vec(),
            needs: BTreeMap::new(),
            asks: BTreeSet::new(),
            out: String::new(),
            lifted: 0,
            names: BTreeMap::new(),
        };
        writer.find_asks();
        writer
    }

    fn counter(&self, token: &str) -> Option<&Counter> {
        self.counters.iter().find(|counter| counter.token == token)
    }

    /// Rules that reach a counter.
    fn find_asks(&mut self) {
        self.asks = self.counters.iter().map(|counter| counter.token.clone()).collect();
        loop {
            let before = self.asks.len();
            for (name, part) in self.grammar.rules() {
                let mut found = false;
                part.names(&mut |own| found |= self.asks.contains(own));
                if found {
                    self.asks.insert(name.to_string());
                }
            }
            if self.asks.len() == before {
                return;
            }
        }
    }

    /// What a part needs, as far as that of rules is known.
    fn needs_of(&self, part: &Part) -> Needs {
        let nothing = || Needs::from([BTreeSet::new()]);
        match part {
            Part::Literal(_) | Part::Class(_) => nothing(),
            Part::Name(name) => match self.counter(name) {
                Some(_) if self.names.get(name).is_some_and(|own| !own.is_empty()) => nothing(),
                Some(_) => Needs::from([BTreeSet::from([name.clone()])]),
                None if !self.asks.contains(name) => nothing(),
                None => self.needs.get(name).cloned().unwrap_or_default(),
            },
            Part::Row(parts) => parts.iter().map(|part| self.needs_of(part)).fold(nothing(), |a, b| {
                least(a.iter().flat_map(|x| b.iter().map(move |y| x.union(y).cloned().collect())).collect())
            }),
            Part::Choice(parts) => least(parts.iter().flat_map(|part| self.needs_of(part)).collect()),
            Part::Times(_, 0, _) => nothing(),
            Part::Times(part, ..) => self.needs_of(part),
        }
    }

    fn find_needs(&mut self) {
        loop {
            let before = self.needs.clone();
            for (name, part) in self.grammar.rules().map(|(name, part)| (name.to_string(), part.clone())).collect::<Vec<_>>() {
                if self.asks.contains(&name) && self.counter(&name).is_none() {
                    let needs = self.needs_of(&part);
                    self.needs.insert(name, needs);
                }
            }
            if self.needs == before {
                return;
            }
        }
    }

    /// A condition on the parameter; none where nothing is needed.
    fn condition(&self, needs: &Needs) -> Option<String> {
        if needs.iter().any(BTreeSet::is_empty) {
            return None;
        }
        let one = |token: &String| format!("gt({}, 0)", self.counter(token).map(Counter::range).unwrap_or_default());
        let joined = |how: &str, all: Vec<String>| all.into_iter().reduce(|a, b| format!("{how}({a}, {b})")).unwrap_or_default();
        let sets = needs.iter().map(|set| joined("and", set.iter().map(one).collect())).collect();
        Some(joined("or", sets))
    }

    /// One rule: its alternatives with their conditions.
    fn rule(&mut self, name: &str, alternatives: Vec<(String, Option<String>)>) {
        let alternatives = match &alternatives[..] {
            // An engine loses a step of a rule that is always one other rule: two conditions that no parameter fails are none.
            [(text, None)] => {
                vec![(text.clone(), Some("bit_clear(0)".to_string())), (text.clone(), Some("bit_set(0)".to_string()))]
            }
            _ => alternatives,
        };
        let _ = write!(self.out, "{name}::_: ");
        for (nth, (text, condition)) in alternatives.iter().enumerate() {
            let text = if text.is_empty() { "\"\"" } else { text };
            let condition = condition.as_ref().map_or(String::new(), |condition| format!("  %if {condition}"));
            let _ = writeln!(self.out, "{}{text}{condition}", if nth == 0 { "" } else { "    | " });
        }
    }

    /// A part in a rule that asks: choices that hang from names become rules of their own, since conditions stand at alternatives of rules alone.
    fn inside(&mut self, part: &Part) -> String {
        let mut found = false;
        part.names(&mut |own| found |= self.asks.contains(own));
        if !found {
            return lark(part, true);
        }
        match part {
            Part::Name(name) => format!("{}::_", self.called(name)),
            Part::Row(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.inside(part)).collect();
                format!("({})", parts.join(" "))
            }
            Part::Choice(_) => self.lift(part),
            Part::Times(inner, min, max) => {
                let text = self.lift(inner);
                let times = match (min, max) {
                    (0, Some(1)) => "?".to_string(),
                    (0, None) => "*".to_string(),
                    (1, None) => "+".to_string(),
                    (min, Some(max)) => format!("{{{min},{max}}}"),
                    (min, None) => format!("{{{min},}}"),
                };
                format!("({text}){times}")
            }
            Part::Literal(_) | Part::Class(_) => lark(part, true),
        }
    }

    fn lift(&mut self, part: &Part) -> String {
        self.lifted += 1;
        let name = format!("part{}", self.lifted);
        // The rules inside are written first.
        let alternatives = self.alternatives(part);
        self.rule(&name, alternatives);
        format!("{name}::_")
    }

    fn alternatives(&mut self, part: &Part) -> Vec<(String, Option<String>)> {
        let all: Vec<Part> = match part {
            Part::Choice(parts) => parts.clone(),
            other => vec![other.clone()],
        };
        let mut found = Vec::new();
        for part in all {
            let needs = self.needs_of(&part);
            if needs.is_empty() {
                continue;
            }
            let condition = self.condition(&needs);
            let text = match &part {
                Part::Row(parts) if !parts.is_empty() => parts.iter().map(|part| self.inside(part)).collect::<Vec<_>>().join(" "),
                part => self.inside(part),
            };
            found.push((text, condition));
        }
        found
    }

    fn text(mut self, head: &Head) -> String {
        self.head_names(head);
        self.find_needs();
        let mut body = String::new();
        std::mem::swap(&mut self.out, &mut body);
        let _ = writeln!(self.out, "start: {} facts::0x0 {}", quoted(&head.text), quoted(&head.tail));
        self.names_rules(head);
        let reached = self.reached();
        for (name, part) in reached {
            if self.counter(&name).is_some() {
                continue;
            }
            match self.asks.contains(&name) {
                true => {
                    let alternatives = self.alternatives(&part);
                    if !alternatives.is_empty() {
                        self.rule(&name, alternatives);
                    }
                }
                false if is_token(&name) => {
                    let _ = writeln!(self.out, "{name}: /{}/", regex(&part, false));
                }
                false => {
                    let _ = writeln!(self.out, "{name}: {}", lark(&part, false));
                }
            }
        }
        self.facts(head);
        let level = head.level + usize::from(head.items.is_some());
        self.declarations(level);
        for own in level..level + LEVELS {
            self.level(own, own + 1 == level + LEVELS, head);
        }
        self.out
    }

    /// Names of the head, which are always there.
    fn head_names(&mut self, head: &Head) {
        for (name, pool) in &head.scalars {
            let token = match pool {
                Pool::Size => "N",
                Pool::Int => "J",
                Pool::Float => "S",
                Pool::Bool => "B",
                _ => continue,
            };
            self.names.entry(token.to_string()).or_default().push(name.clone());
        }
        self.names.entry("A".to_string()).or_default().extend(head.axes.iter().cloned());
    }

    /// Of each counter a rule of the names that there are.
    fn names_rules(&mut self, head: &Head) {
        let mut taken: BTreeSet<String> = self.names.values().flatten().cloned().collect();
        taken.extend(self.grammar_literals());
        let mut rules = Vec::new();
        for counter in &self.counters {
            if let Some(name) = counter.token.strip_prefix("GIVEN_") {
                let own =
                    head.tensors.iter().find(|t| t.name.to_uppercase() == name).map(|t| quoted(&t.name)).unwrap_or_default();
                rules.push((self.called(&counter.token), vec![(own, Some(format!("bit_set({})", counter.from)))]));
                continue;
            }
            let mut alternatives: Vec<(String, Option<String>)> =
                self.names.get(&counter.token).into_iter().flatten().map(|name| (quoted(name), None)).collect();
            let (letters, range) = (counter.pool.letters(), counter.range());
            let free = (0..).map(|nth| format!("{letters}{nth}")).filter(|name| !taken.contains(name)).take(counter.most());
            for (nth, name) in free.enumerate() {
                alternatives.push((quoted(&name), Some(format!("gt({range}, {nth})"))));
            }
            let free = (0..).map(|nth| format!("{letters}{nth}")).filter(|name| !taken.contains(name)).take(counter.most());
            let new: Vec<(String, Option<String>)> =
                free.enumerate().map(|(nth, name)| (quoted(&name), Some(format!("eq({range}, {nth})")))).collect();
            rules.push((format!("new_{}", counter.token.to_lowercase()), new));
            rules.push((self.called(&counter.token), alternatives));
        }
        for (name, alternatives) in rules {
            self.rule(&name, alternatives);
        }
    }

    /// Names of tensors, which no pool may give.
    fn grammar_literals(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (_, part) in self.grammar.rules() {
            part.literals(&mut |text| {
                if text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                    found.push(text.to_string());
                }
            });
        }
        found
    }

    /// The name of a rule that asks; that of the names of a pool begins with a small letter, as no token does.
    fn called(&self, name: &str) -> String {
        match self.counter(name) {
            Some(_) => format!("use_{}", name.to_lowercase()),
            None => name.to_string(),
        }
    }

    /// The rules that statements start from.
    fn reached(&self) -> Vec<(String, Part)> {
        let mut roots: Vec<String> = [
            "fx", "fa", "kx", "ka", "mx", "nx", "jx", "sx", "bx", "act", "cond", "int", "jint", "range", "part", "size0", "axes",
            "fv", "kv", "hv", "mv", "how", "entry", "axis", "scond", "cutrange",
        ]
        .map(String::from)
        .to_vec();
        for at in &self.types {
            let letters = type_letters(*at);
            roots.extend([format!("hx_{letters}"), format!("ha_{letters}"), format!("hv_{letters}")]);
        }
        self.grammar.reached_from(&roots).into_iter().map(|(name, part)| (name.to_string(), part.clone())).collect()
    }

    /// Facts, and the head of the loop over items.
    fn facts(&mut self, head: &Head) {
        let indent = quoted(&"    ".repeat(head.level));
        let mut alternatives = vec![(format!("{indent} \"require(\" scond::_ \");\\n\" facts::_"), None)];
        match &head.items {
            None => alternatives.push(("declarations::_".into(), None)),
            Some([plain, numbered]) => {
                alternatives.push((format!("{} declarations::_", quoted(plain)), None));
                if let Some(index) = self.counter("I") {
                    alternatives.push((format!("{} declarations::incr({})", quoted(numbered), index.range()), None));
                }
            }
        }
        self.rule("facts", alternatives);
    }

    fn declarations(&mut self, level: usize) {
        let indent = quoted(&"    ".repeat(level));
        let mut alternatives = vec![(format!("statements{level}::_"), None)];
        if let Some(axis) = self.counter("A") {
            let range = axis.range();
            let text =
                format!("{indent} \"let \" {} \" = new_axis(\" size0::_ \");\\n\" declarations::incr({range})", new_name("A"));
            alternatives.push((text, Some(format!("lt({range}, {})", axis.most()))));
        }
        if let Some(work) = self.counter("Y") {
            let range = work.range();
            let needs = self.needs_of(&Part::Name("axes".into()));
            let more = self.condition(&needs).map_or(String::new(), |c| format!(", {c}"));
            let lt = format!("lt({range}, {})", work.most());
            let condition = if more.is_empty() { lt } else { format!("and({lt}{more})") };
            let text = format!(
                "{indent} \"let \" {} \" = workspace::<f32>(\" axes::_ \");\\n\" declarations::incr({range})",
                new_name("Y")
            );
            alternatives.push((text, Some(condition)));
        }
        self.rule("declarations", alternatives);
    }

    /// The statements of a level.
    fn level(&mut self, level: usize, is_last: bool, head: &Head) {
        let (own, indent) = (format!("statements{level}"), quoted(&"    ".repeat(level)));
        let mut all: Vec<(String, Option<String>)> = vec![("\"\"".into(), None)];
        let mut defines: Vec<(String, String, &str)> = vec![
            ("V".into(), "(fx::_)".into(), ""),
            ("K".into(), "(kx::_)".into(), ""),
            ("M".into(), "(mx::_)".into(), ""),
            ("C".into(), "(FXA)".into(), "\"mut \" "),
            ("D".into(), "(KXA)".into(), "\"mut \" "),
            ("G".into(), "(mx::_)".into(), "\"mut \" "),
            ("N".into(), "(nx::_)".into(), ""),
            ("J".into(), "(jx::_)".into(), ""),
            ("S".into(), "(sx::_)".into(), ""),
            ("B".into(), "(bx::_)".into(), ""),
            ("UN".into(), "(nx::_)".into(), "\"mut \" "),
            ("UJ".into(), "(jx::_)".into(), "\"mut \" "),
            ("US".into(), "(sx::_)".into(), "\"mut \" "),
        ];
        for at in self.types.clone() {
            let (upper, letters) = (OTHERS[at].0.to_uppercase(), type_letters(at));
            defines.push((format!("H{upper}"), format!("(hx_{letters}::_)"), ""));
            defines.push((format!("W{upper}"), format!("(hx_{letters}::_)"), "\"mut \" "));
        }
        for (token, right, mutable) in defines {
            let Some(counter) = self.counter(&token) else { continue };
            let (range, most) = (counter.range(), counter.most());
            let rule = right.trim_matches(|c| c == '(' || c == ')').trim_end_matches("::_").to_string();
            let (rights, needs) = match rule.as_str() {
                "FXA" => (vec!["fx", "fa"], Needs::from([BTreeSet::new()])),
                "KXA" => (vec!["kx", "ka"], Needs::from([BTreeSet::new()])),
                _ => (vec![rule.as_str()], self.needs.get(&rule).cloned().unwrap_or_default()),
            };
            for right in rights {
                let needs = match self.needs.get(right) {
                    Some(own) => own.clone(),
                    None => needs.clone(),
                };
                if needs.is_empty() {
                    continue;
                }
                let lt = format!("lt({range}, {most})");
                let condition = match self.condition(&needs) {
                    Some(more) => format!("and({lt}, {more})"),
                    None => lt,
                };
                let right = if self.asks.contains(right) { format!("{right}::_") } else { right.to_string() };
                let text =
                    format!("{indent} \"let \" {mutable}{} \" = \" {right} \";\\n\" {own}::incr({range})", new_name(&token));
                all.push((text, Some(condition)));
            }
        }
        // Reading a number of a tile.
        for (token, from) in [("S", "fv"), ("J", "kv"), ("B", "mv")] {
            let (Some(counter), Some(needs)) = (self.counter(token), self.needs.get(from).cloned()) else { continue };
            let (range, most) = (counter.range(), counter.most());
            if let (false, Some(more)) = (needs.is_empty(), self.condition(&needs)) {
                let text =
                    format!("{indent} \"let \" {} \" = \" {from}::_ \".scalar();\\n\" {own}::incr({range})", new_name(token));
                all.push((text, Some(format!("and(lt({range}, {most}), {more})"))));
            }
        }
        let acts = self.needs.get("act").cloned().unwrap_or_default();
        if !acts.is_empty() {
            all.push((format!("{indent} act::_ {own}::_"), self.condition(&acts)));
        }
        if !is_last {
            let next = format!("statements{}::_", level + 1);
            let conds = self.needs.get("cond").cloned().unwrap_or_default();
            let ifs = format!(
                "{indent} \"if \" cond::_ \" {{\\n\" {next} ({indent} \"}} else {{\\n\" {next})? {indent} \"}}\\n\" {own}::_"
            );
            all.push((ifs, self.condition(&conds)));
            for tensor in head.tensors.iter().filter(|t| t.optional) {
                let Some(flag) = self.counter(&given(tensor)) else { continue };
                let (x, there) = (&tensor.name, format!("statements{}::set_bit({})", level + 1, flag.from));
                let text = format!("{indent} \"if \" \"let Some({x}) = {x} {{\\n\" {there} ({indent} \"}} else {{\\n\" {next})? {indent} \"}}\\n\" {own}::_");
                all.push((text, Some(format!("bit_clear({})", flag.from))));
            }
            let around = level == head.level + usize::from(head.items.is_some());
            self.loops(level, &indent, around);
            all.push((format!("{indent} \"for \" loop{level}::_ {own}::_"), None));
        }
        self.rule(&own, all);
    }

    /// Heads of loops with their blocks.
    fn loops(&mut self, level: usize, indent: &str, is_outermost: bool) {
        let (Some(run), Some(index)) = (self.counter("T"), self.counter("I")) else { return };
        let (run, index) = ((run.range(), run.most()), (index.range(), index.most()));
        let next = |how: &str| format!("statements{}::{how}", level + 1);
        let end = format!("{indent} \"}}\\n\"");
        // What a loop inside another one may say of its size is said before.
        let how = if is_outermost { "how::_ " } else { "" };
        let (t, i) = (new_name("T"), new_name("I"));
        let below = |of: &(String, usize)| Some(format!("lt({}, {})", of.0, of.1));
        let single = vec![
            (
                format!(
                    "{t} \" in tiles(\" range::_ \")\" (\".size(\" int::_ \")\")? {how}\" {{\\n\" {} {end}",
                    next(&format!("incr({})", run.0))
                ),
                below(&run),
            ),
            (
                format!("{i} \" in each(\" range::_ \")\" {how}\" {{\\n\" {} {end}", next(&format!("incr({})", index.0))),
                below(&index),
            ),
            (
                format!("{i} \" in \" int::_ \"..\" int::_ \" {{\\n\" {} {end}", next(&format!("incr({})", index.0))),
                below(&index),
            ),
            (format!("\"(\" cut{level}_::_"), None),
        ];
        self.rule(&format!("loop{level}"), single);
        let mut open = vec![String::new()];
        while let Some(kinds) = open.pop() {
            let mut all = Vec::new();
            let comma = if kinds.is_empty() { "" } else { "\", \" " };
            if kinds.len() >= 2 {
                let parts: Vec<&str> =
                    kinds.chars().map(|kind| if kind == 't' { "cutrange::_" } else { "\"each(\" cutrange::_ \")\"" }).collect();
                let text = format!("\") in tiles((\" {} \"))\" {how}\" {{\\n\" {} {end}", parts.join(" \", \" "), next("_"));
                all.push((text, None));
            }
            if kinds.len() < MOST_CUT {
                for (kind, name, of) in [('t', &t, &run), ('i', &i, &index)] {
                    let more = format!("{kinds}{kind}");
                    all.push((format!("{comma}{name} cut{level}_{more}::incr({})", of.0), below(of)));
                    open.push(more);
                }
            }
            self.rule(&format!("cut{level}_{kinds}"), all);
        }
    }
}

/// The rule of the next name of a pool.
fn new_name(token: &str) -> String {
    format!("new_{}::_", token.to_lowercase())
}

fn type_letters(at: usize) -> &'static str {
    let letters = OTHERS[at].0;
    if letters.is_empty() {
        "p"
    } else {
        letters
    }
}

/// Without the sets that contain another one.
fn least(all: Needs) -> Needs {
    let is_least = |set: &BTreeSet<String>| !all.iter().any(|other| other != set && other.is_subset(set));
    all.iter().filter(|set| is_least(set)).cloned().collect()
}
