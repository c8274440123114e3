//! Blocks, level by level, by their surroundings.

use super::super::blocks::Around;
use super::counters::given;
use super::parametric::Writer;
use super::statements::{indented, new_name, Alternative, Definition};
use crate::canon::Head;

/// Levels of blocks in the body.
pub(super) const LEVELS: usize = 7;
/// The limit of axes that one loop cuts.
const MOST_CUT: usize = 4;

/// The place of a statement with blocks: its level, and the rule of the statements behind it.
#[derive(Clone, Copy)]
struct At<'a> {
    level: usize,
    behind: &'a str,
}

impl Writer {
    /// Writes the blocks of the body, from its level on.
    pub fn blocks(&mut self, head: &Head, definitions: &[Definition]) {
        let base = head.level + usize::from(head.items.is_some());
        for level in base..base + LEVELS {
            let is_last = level + 1 == base + LEVELS;
            // The body itself is in no loop, and each loop is one level deeper.
            let reached = |around: &Around| match around {
                Around::Nothing | Around::Quiet => true,
                Around::Tiles => level > base,
                Around::Deep => level > base + 1,
            };
            for around in Around::ALL.into_iter().filter(reached) {
                self.block(around, level, is_last, head, definitions);
            }
            if !is_last {
                self.begun(level, level + 2 < base + LEVELS, head, definitions);
            }
        }
    }

    fn block(
        &mut self,
        around: Around,
        level: usize,
        is_last: bool,
        head: &Head,
        definitions: &[Definition],
    ) {
        let own = format!("{}{level}", around.name());
        let mut all = vec![("\"\"".to_string(), None)];
        all.extend(self.plain(around, &own, level, definitions));
        if !is_last {
            let (at, inner) = (
                At {
                    level,
                    behind: &own,
                },
                format!("{}{}", around.inside().name(), level + 1),
            );
            all.extend(self.branches(
                head,
                at,
                &inner,
                &format!("({})?", otherwise(level, &inner)),
            ));
            all.extend(self.counted(at, &inner));
            if let Some(block) = around.tiled() {
                let block = format!("{}{}", block.name(), level + 1);
                all.extend(self.tiled(at, around.is_outside(), &block));
            }
        }
        self.statements(&own, all);
    }

    /// Writes a block that contains a tile loop: no statement in front of the first tile loop may
    /// contain one.
    fn begun(&mut self, level: usize, is_deeper: bool, head: &Head, definitions: &[Definition]) {
        let (own, top) = (format!("begun{level}"), format!("top{level}"));
        let (quiet, begun, any) = (
            format!("quiet{}", level + 1),
            format!("begun{}", level + 1),
            format!("top{}", level + 1),
        );
        let (before, behind) = (
            At {
                level,
                behind: &own,
            },
            At {
                level,
                behind: &top,
            },
        );
        let mut all = self.plain(Around::Quiet, &own, level, definitions);
        all.extend(self.branches(
            head,
            before,
            &quiet,
            &format!("({})?", otherwise(level, &quiet)),
        ));
        all.extend(self.counted(before, &quiet));
        all.extend(self.heads_of_tiles(behind, true));
        if is_deeper {
            all.extend(self.branches(
                head,
                behind,
                &begun,
                &format!("({})?", otherwise(level, &any)),
            ));
            all.extend(self.branches(head, behind, &quiet, &otherwise(level, &begun)));
            all.extend(self.counted(behind, &begun));
        }
        self.statements(&own, all);
    }

    /// Writes branches with a block, and with an else block or without.
    fn branches(&self, head: &Head, at: At<'_>, then: &str, otherwise: &str) -> Vec<Alternative> {
        let (indent, behind) = (indented(at.level), at.behind);
        let conds = self.needs.get("cond").cloned().unwrap_or_default();
        let end = format!("{otherwise} {indent} \"}}\\n\" {behind}::_");
        let mut all = vec![(
            format!("{indent} \"if \" cond::_ \" {{\\n\" {then}::_ {end}"),
            self.condition(&conds),
        )];
        for tensor in head.tensors.iter().filter(|t| t.optional) {
            let Some(flag) = self.counter(&given(tensor)) else {
                continue;
            };
            let (x, from) = (&tensor.name, flag.from);
            let text = format!(
                "{indent} \"if \" \"let Some({x}) = {x} {{\\n\" {then}::set_bit({from}) {end}"
            );
            all.push((text, Some(format!("bit_clear({from})"))));
        }
        all
    }

    /// Writes a loop over numbers.
    fn counted(&self, at: At<'_>, block: &str) -> Option<Alternative> {
        let (range, most) = self
            .counter("I")
            .map(|counter| (counter.range(), counter.most()))?;
        let (indent, behind, i) = (indented(at.level), at.behind, new_name("I"));
        let head = format!("{indent} \"for \" {i} \" in \" int::_ \"..\" int::_ \" {{\\n\"");
        Some((
            format!("{head} {block}::incr({range}) {indent} \"}}\\n\" {behind}::_"),
            Some(format!("lt({range}, {most})")),
        ))
    }

    /// Writes a tile loop, with the rules of its head and block.
    fn tiled(&mut self, at: At<'_>, is_outermost: bool, block: &str) -> Option<Alternative> {
        self.tile_loops(at.level, is_outermost, block);
        self.heads_of_tiles(at, is_outermost)
    }

    /// Refers to a tile loop whose rules are written.
    fn heads_of_tiles(&self, at: At<'_>, is_outermost: bool) -> Option<Alternative> {
        if self.universe.is_some() {
            let (rule, indent, behind) =
                (loops(at.level, is_outermost), indented(at.level), at.behind);
            return Some((
                format!("{indent} \"for \" {rule}_::_ {behind}::_"),
                self.free_axis(),
            ));
        }
        let (run, index) = (self.counter("T")?, self.counter("I")?);
        let free = format!(
            "or(lt({}, {}), lt({}, {}))",
            run.range(),
            run.most(),
            index.range(),
            index.most()
        );
        let (rule, indent, behind) = (loops(at.level, is_outermost), indented(at.level), at.behind);
        Some((
            format!("{indent} \"for \" {rule}_::_ {behind}::_"),
            Some(free),
        ))
    }

    /// Writes heads of tile loops with their blocks.
    fn tile_loops(&mut self, level: usize, is_outermost: bool, block: &str) {
        if self.universe.is_some() {
            return self.loops_of_axes(level, is_outermost, block);
        }
        let (Some(run), Some(index)) = (self.counter("T"), self.counter("I")) else {
            return;
        };
        let (run, index) = ((run.range(), run.most()), (index.range(), index.most()));
        let rule = loops(level, is_outermost);
        let end = format!("{} \"}}\\n\"", indented(level));
        // Only an outermost loop states how it is divided among the cores.
        let how = if is_outermost { "how::_ " } else { "" };
        let (t, i) = (new_name("T"), new_name("I"));
        let left = |of: &(String, usize), more: usize| {
            format!("lt({}, {})", of.0, of.1.saturating_sub(more))
        };
        let below = |of: &(String, usize)| Some(left(of, 0));
        let size = "(\".size(\" size0::_ \")\")?";
        // A pattern of several names has at least two.
        let two = format!(
            "or(or({}, {}), and({}, {}))",
            left(&run, 1),
            left(&index, 1),
            left(&run, 0),
            left(&index, 0)
        );
        let mut single = vec![
            (format!("{t} \" in tiles(\" range::_ \")\" {size} {how}\" {{\\n\" {block}::incr({}) {end}", run.0), below(&run)),
            (format!("{i} \" in each(\" range::_ \")\" {how}\" {{\\n\" {block}::incr({}) {end}", index.0), below(&index)),
            (format!("\"(\" {rule}_of_::_"), Some(two)),
        ];
        if is_outermost {
            let split = self.splits().into_iter().map(|(axis, along)| {
                let text = format!("{t} \" in tiles(\" {axis} \")\" {size} {how}\".split(\" {along} \")\" \" {{\\n\"");
                (format!("{text} {block}::incr({}) {end}", run.0), below(&run))
            });
            single.extend(split);
        }
        self.rule(&format!("{rule}_"), single);
        let mut open = vec![String::new()];
        while let Some(kinds) = open.pop() {
            let mut all = Vec::new();
            let comma = if kinds.is_empty() { "" } else { "\", \" " };
            if kinds.len() >= 2 {
                let cut = |kind: char| {
                    if kind == 't' {
                        "cutrange::_"
                    } else {
                        "\"each(\" cutrange::_ \")\""
                    }
                };
                let parts: Vec<&str> = kinds.chars().map(cut).collect();
                let text = format!(
                    "\") in tiles((\" {} \"))\" {how}\" {{\\n\" {block}::_ {end}",
                    parts.join(" \", \" ")
                );
                all.push((text, None));
            }
            if kinds.len() < MOST_CUT {
                for (kind, name, of) in [('t', &t, &run), ('i', &i, &index)] {
                    let more = format!("{kinds}{kind}");
                    all.push((
                        format!("{comma}{name} {rule}_of_{more}::incr({})", of.0),
                        below(of),
                    ));
                    open.push(more);
                }
            }
            self.rule(&format!("{rule}_of_{kinds}"), all);
        }
    }
}

/// Returns the name of the rules of tile loops of a level.
pub(super) fn loops(level: usize, is_outermost: bool) -> String {
    format!("{}{level}", if is_outermost { "outer" } else { "inner" })
}

/// Writes an else block.
fn otherwise(level: usize, block: &str) -> String {
    format!("{} \"}} else {{\\n\" {block}::_", indented(level))
}
