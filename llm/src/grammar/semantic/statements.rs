//! Statements: facts, declarations, and definitions of names.

use super::super::blocks::Around;
use super::super::ebnf::Part;
use super::super::in_rules;
use super::super::write::quoted;
use super::axes::Set;
use super::counters::READ;
use super::parametric::Writer;
use crate::canon::{Head, OTHERS};
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::Ty;

/// The text of an alternative, and its condition.
pub(super) type Alternative = (String, Option<String>);

/// A statement that defines a name: the rule of its text, the bits that count the name, and its
/// condition.
pub(super) struct Definition {
    rule: String,
    range: String,
    condition: String,
    how: How,
}

/// How a name is defined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Let,
    Changing,
    /// A cross-core accumulator, which is declared outside of tile loops.
    Merged,
    /// A scalar that is read from a tile.
    Read,
    /// A definition that shadows an existing tile, because a class has few names.
    Again,
    /// A mutable definition that shadows an existing tile.
    ChangingAgain,
}

impl Writer {
    /// Writes facts, and the head of the loop over items.
    pub fn facts(&mut self, head: &Head) {
        let indent = indented(head.level);
        let mut alternatives = Vec::new();
        match &head.items {
            None => {
                alternatives.push((
                    format!("{indent} \"require(\" scond::_ \");\\n\" facts::_"),
                    None,
                ));
                alternatives.push(("declarations::_".into(), None));
            }
            // The names of an item are not in scope before the loop, so there are no facts.
            Some([plain, numbered]) => {
                alternatives.push((format!("{} declarations::_", quoted(plain)), None));
                if let Some(index) = self.counter("I") {
                    alternatives.push((
                        format!("{} declarations::incr({})", quoted(numbered), index.range()),
                        None,
                    ));
                }
            }
        }
        self.rule("facts", alternatives);
    }

    pub fn declarations(&mut self, level: usize) {
        let indent = quoted(&"    ".repeat(level));
        let mut alternatives = vec![(format!("begun{level}::_"), None)];
        if let Some(axis) = self.counter("A") {
            let range = axis.range();
            let text =
                format!("{indent} \"let \" {} \" = new_axis(\" size0::_ \");\\n\" declarations::incr({range})", new_name("A"));
            alternatives.push((text, Some(format!("lt({range}, {})", axis.most()))));
        }
        if let Some(work) = self.counter("Y") {
            let range = work.range();
            let needs = self.needs_of(&Part::Name("axes".into()));
            let more = self
                .condition(&needs)
                .map_or(String::new(), |c| format!(", {c}"));
            let lt = format!("lt({range}, {})", work.most());
            let condition = if more.is_empty() {
                lt
            } else {
                format!("and({lt}{more})")
            };
            let text = format!(
                "{indent} \"let \" {} \" = workspace::<f32>(\" axes::_ \");\\n\" declarations::incr({range})",
                new_name("Y")
            );
            alternatives.push((text, Some(condition)));
        }
        self.rule("declarations", alternatives);
    }

    /// Writes the definitions of names, each in a rule of its own.
    pub fn definitions(&mut self) -> Vec<Definition> {
        let (classes, one) = match &self.universe {
            None => (vec![String::new()], String::new()),
            Some(universe) => (
                universe.sets.iter().map(|set| set.suffix()).collect(),
                Set::EMPTY.suffix(),
            ),
        };
        let tiles = [("V", "C", "fx"), ("K", "D", "kx"), ("M", "G", "mx")]
            .map(|(own, changing, right)| (own.into(), changing.into(), right.into()));
        let typed = self.types.iter().map(|at| {
            let (upper, rule) = (OTHERS[*at].0.to_uppercase(), in_rules(OTHERS[*at].0));
            (
                format!("H{upper}"),
                format!("W{upper}"),
                format!("hx_{rule}"),
            )
        });
        let tiles: Vec<(String, String, String)> = tiles.into_iter().chain(typed).collect();
        let mut rows: Vec<(String, String, How, &str)> = Vec::new();
        for class in &classes {
            for (own, changing, right) in &tiles {
                rows.push((own.clone() + class, right.clone() + class, How::Let, ""));
                rows.push((
                    changing.clone() + class,
                    right.clone() + class,
                    How::Changing,
                    "",
                ));
                if self.universe.is_some() {
                    rows.push((own.clone() + class, right.clone() + class, How::Again, ""));
                    rows.push((
                        changing.clone() + class,
                        right.clone() + class,
                        How::ChangingAgain,
                        "",
                    ));
                }
            }
        }
        let mut plain = |all: &[(&str, &str)], how: How, of: &str, typed: &'static str| {
            rows.extend(
                all.iter()
                    .map(|(token, right)| (token.to_string(), right.to_string() + of, how, typed)),
            );
        };
        plain(
            &[("N", "nx"), ("J", "jtyped"), ("S", "sx"), ("B", "bx")],
            How::Let,
            "",
            "",
        );
        plain(
            &[("UN", "nx"), ("UJ", "jtyped"), ("US", "sx")],
            How::Changing,
            "",
            "",
        );
        // A literal without a type would be a `usize`.
        plain(&[("J", "jx")], How::Let, "", ": i32");
        plain(&[("UJ", "jx")], How::Changing, "", ": i32");
        plain(&[("C", "fa"), ("D", "ka")], How::Merged, "", "");
        plain(
            &[("S", "fv"), ("J", "kv"), ("B", "mv")],
            How::Read,
            &one,
            "",
        );
        // An `i64` is read as a size.
        for at in self
            .types
            .iter()
            .filter(|at| OTHERS[**at].1 == Ty::Is(DType::I64))
        {
            plain(
                &[("N", &format!("hv_{}", in_rules(OTHERS[*at].0)))],
                How::Read,
                &one,
                "",
            );
        }
        rows.iter()
            .filter_map(|(token, right, how, typed)| self.definition(token, right, *how, typed))
            .collect()
    }

    /// Writes one definition. Returns `None` if its pool has no names or its right side matches no
    /// text.
    fn definition(
        &mut self,
        token: &str,
        right: &str,
        how: How,
        typed: &str,
    ) -> Option<Definition> {
        let (range, most) = self
            .counter(token)
            .map(|counter| (counter.range(), counter.most()))?;
        let needs = self.needs.get(right).filter(|needs| !needs.is_empty())?;
        let is_again = matches!(how, How::Again | How::ChangingAgain);
        let free = if is_again {
            format!("gt({range}, 0)")
        } else {
            format!("lt({range}, {most})")
        };
        let condition = self
            .condition(needs)
            .map_or(free.clone(), |more| format!("and({free}, {more})"));
        let (kind, mutable) = match how {
            How::Let | How::Read => ("let", ""),
            How::Changing | How::Merged => ("mut", "\"mut \" "),
            How::Again => ("again", ""),
            How::ChangingAgain => ("mutagain", "\"mut \" "),
        };
        let name = if is_again {
            format!("use_{}::_", token.to_lowercase())
        } else {
            new_name(token)
        };
        // Reading a scalar also sets the bit of `READ`, so its end belongs to the rule behind it.
        let end = if how == How::Read { "" } else { " \";\\n\"" };
        let rule = format!("{kind}_{}_{right}", token.to_lowercase());
        self.rule(
            &rule,
            vec![(
                format!("\"let \" {mutable}{name} \"{typed} = \" {right}::_{end}"),
                None,
            )],
        );
        Some(Definition {
            rule,
            range,
            condition,
            how,
        })
    }

    /// Writes a rule of statements, and its variant behind the reading of a scalar.
    pub fn statements(&mut self, own: &str, alternatives: Vec<Alternative>) {
        self.rule(own, alternatives);
        if let Some(read) = self.counter(READ).map(|counter| counter.from) {
            let end = "\".scalar();\\n\"";
            let first = (
                format!("{end} {own}::set_bit({read})"),
                Some(format!("bit_clear({read})")),
            );
            self.rule(
                &behind_read(own),
                vec![
                    first,
                    (format!("{end} {own}::_"), Some(format!("bit_set({read})"))),
                ],
            );
        }
    }

    /// Writes statements without blocks; `own` is the rule of the statements behind them.
    pub fn plain(
        &self,
        around: Around,
        own: &str,
        level: usize,
        definitions: &[Definition],
    ) -> Vec<Alternative> {
        let indent = indented(level);
        let may_stand =
            |definition: &&Definition| definition.how != How::Merged || around.is_outside();
        let defined = definitions.iter().filter(may_stand).map(
            |Definition {
                 rule,
                 range,
                 condition,
                 how,
             }| {
                let behind = if *how == How::Read {
                    behind_read(own)
                } else {
                    own.to_string()
                };
                let then = match how {
                    How::Let | How::Changing | How::Merged | How::Read => {
                        format!("{behind}::incr({range})")
                    }
                    How::Again | How::ChangingAgain => format!("{behind}::_"),
                };
                (
                    format!("{indent} {rule}::_ {then}"),
                    Some(condition.clone()),
                )
            },
        );
        let mut all: Vec<Alternative> = defined.collect();
        let acts = if around.is_outside() {
            &["act"][..]
        } else {
            &["act", "change"]
        };
        for act in acts {
            if let Some(needs) = self.needs.get(*act).filter(|needs| !needs.is_empty()) {
                all.push((format!("{indent} {act}::_ {own}::_"), self.condition(needs)));
            }
        }
        all
    }
}

/// Returns the rule of the statements behind the reading of a scalar.
pub(super) fn behind_read(own: &str) -> String {
    format!("read_{own}")
}

/// Writes the indentation of a level.
pub(super) fn indented(level: usize) -> String {
    quoted(&"    ".repeat(level))
}

/// Returns the rule of the next name of a pool.
pub(super) fn new_name(token: &str) -> String {
    format!("new_{}::_", token.to_lowercase())
}
