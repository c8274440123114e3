//! Nested blocks by level, and the places where a tile loop is allowed.
//!
//! A kernel has a tile loop. An outermost tile loop is divided among the cores and may state how.
//! It may be under branches and in loops over numbers. An inner tile loop is directly in an outer
//! one and contains none. So the statements of a block depend on what encloses it.

use super::ebnf::{Grammar, Part};
use super::DEPTH;

/// The surroundings of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// No tile loop.
    Nothing,
    /// No tile loop, and none inside.
    Quiet,
    /// A tile loop, directly.
    Tiles,
    /// A tile loop, and a branch or loop in it.
    Deep,
}

impl Around {
    pub const ALL: [Around; 4] = [Around::Nothing, Around::Quiet, Around::Tiles, Around::Deep];

    /// The name of such blocks in rules.
    pub fn name(self) -> &'static str {
        match self {
            Around::Nothing => "top",
            Around::Quiet => "quiet",
            Around::Tiles => "tiled",
            Around::Deep => "deep",
        }
    }

    /// Returns the surroundings of a block under a branch, or in a loop over numbers.
    pub fn inside(self) -> Around {
        match self {
            Around::Nothing | Around::Quiet => self,
            Around::Tiles | Around::Deep => Around::Deep,
        }
    }

    /// Returns the surroundings of the block of a tile loop, if one is allowed.
    pub fn tiled(self) -> Option<Around> {
        match self {
            Around::Nothing => Some(Around::Tiles),
            Around::Tiles => Some(Around::Deep),
            Around::Quiet | Around::Deep => None,
        }
    }

    /// True outside of tile loops, where cross-core accumulators are declared.
    pub fn is_outside(self) -> bool {
        matches!(self, Around::Nothing | Around::Quiet)
    }
}

fn text(text: impl Into<String>) -> Part {
    Part::Literal(text.into())
}

fn name(rule: impl Into<String>) -> Part {
    Part::Name(rule.into())
}

fn any(part: Part) -> Part {
    Part::Times(Box::new(part), 0, None)
}

fn block(around: Around, level: usize) -> Part {
    name(format!("block_{}{level}", around.name()))
}

/// Returns the rule of a block that contains a tile loop.
fn begun(level: usize) -> Part {
    name(format!("begun{level}"))
}

/// Adds the rules of blocks of one level.
pub(super) fn add_level(grammar: &mut Grammar, level: usize) {
    for around in Around::ALL {
        let rule = format!("statement_{}{level}", around.name());
        grammar.add(&rule, statement(around, level));
        grammar.add(&format!("block_{}{level}", around.name()), any(name(rule)));
    }
    if level < DEPTH {
        let (quiet, top) = (
            name(format!("statement_quiet{level}")),
            name(format!("statement_top{level}")),
        );
        grammar.add(
            &format!("begun{level}"),
            Part::Row(vec![any(quiet), first(level), any(top)]),
        );
    }
    if level <= 3 {
        add_declarations(grammar, level);
    }
    if level <= 2 {
        add_body(grammar, level);
    }
}

fn statement(around: Around, level: usize) -> Part {
    let line = |rule: &str| Part::Row(vec![spaces(level), name(rule)]);
    let mut all = vec![line("let"), line("act")];
    all.push(line(if around.is_outside() {
        "across"
    } else {
        "change"
    }));
    if level < DEPTH {
        let inside = || block(around.inside(), level + 1);
        all.push(headed(level, "for", inside()));
        all.push(branch(level, inside(), maybe(otherwise(level, inside()))));
        all.extend(
            around
                .tiled()
                .map(|own| headed(level, tiles(around), block(own, level + 1))),
        );
    }
    Part::Choice(all)
}

/// Returns the rule of the head of a tile loop.
fn tiles(around: Around) -> &'static str {
    if around.is_outside() {
        "tilefor"
    } else {
        "innerfor"
    }
}

/// Returns the first statement of a block that contains a tile loop.
fn first(level: usize) -> Part {
    let mut all = vec![headed(level, "tilefor", block(Around::Tiles, level + 1))];
    if level + 1 < DEPTH {
        all.push(headed(level, "for", begun(level + 1)));
        all.push(branch(
            level,
            begun(level + 1),
            maybe(otherwise(level, block(Around::Nothing, level + 1))),
        ));
        all.push(branch(
            level,
            block(Around::Quiet, level + 1),
            otherwise(level, begun(level + 1)),
        ));
    }
    Part::Choice(all)
}

fn spaces(level: usize) -> Part {
    text("    ".repeat(level))
}

fn headed(level: usize, head: &str, block: Part) -> Part {
    Part::Row(vec![
        spaces(level),
        name(head),
        block,
        spaces(level),
        text("}\n"),
    ])
}

fn branch(level: usize, then: Part, otherwise: Part) -> Part {
    Part::Row(vec![
        spaces(level),
        name("if"),
        then,
        otherwise,
        spaces(level),
        text("}\n"),
    ])
}

fn otherwise(level: usize, block: Part) -> Part {
    Part::Row(vec![spaces(level), text("} else {\n"), block])
}

fn maybe(part: Part) -> Part {
    Part::Times(Box::new(part), 0, Some(1))
}

/// Adds the body: facts, declarations and statements, or the loop over items around declarations
/// and statements.
fn add_body(grammar: &mut Grammar, level: usize) {
    grammar.add(
        &format!("param{level}"),
        Part::Row(vec![spaces(level), name("param"), text(",\n")]),
    );
    let rest = |level: usize| Part::Row(vec![name(format!("declarations{level}")), begun(level)]);
    let items = Part::Row(vec![
        spaces(level),
        name("zip"),
        rest(level + 1),
        spaces(level),
        text("}\n"),
    ]);
    let facts = any(Part::Row(vec![spaces(level), name("require")]));
    grammar.add(
        &format!("body{level}"),
        Part::Row(vec![facts, Part::Choice(vec![rest(level), items])]),
    );
}

fn add_declarations(grammar: &mut Grammar, level: usize) {
    let many = |rule: &str| any(Part::Row(vec![spaces(level), name(rule)]));
    grammar.add(
        &format!("declarations{level}"),
        Part::Row(vec![many("newaxis"), many("work")]),
    );
}
