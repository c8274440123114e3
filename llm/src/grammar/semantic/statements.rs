//! Statements: what defines a name, and the blocks in which it is one.

use super::super::ebnf::Part;
use super::super::in_rules;
use super::super::write::quoted;
use super::counters::given;
use super::parametric::{Needs, Writer};
use crate::canon::{Head, OTHERS};
use std::collections::BTreeSet;

/// Levels of blocks in the body.
pub(super) const LEVELS: usize = 7;
/// Axes that one loop cuts at most.
const MOST_CUT: usize = 4;

impl Writer {
    /// Facts, and the head of the loop over items.
    pub fn facts(&mut self, head: &Head) {
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

    pub fn declarations(&mut self, level: usize) {
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
    pub fn level(&mut self, level: usize, is_last: bool, head: &Head) {
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
            let (upper, letters) = (OTHERS[at].0.to_uppercase(), in_rules(OTHERS[at].0));
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
