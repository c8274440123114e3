//! Cases that random texts do not reach: reserved words and ops as names, the deepest nesting,
//! kernels of thousands of lines.

use crate::support::notations::exported;
use jumar::dsl::front::parse_file;
use jumar::dsl::library::FUNCTIONS;
use jumar::dsl::ops::Op;
use jumar_llm::canon::Pool;
use jumar_llm::grammar::{grammar, Profile, DEPTH};
use jumar_llm::walk::{Compiled, Engine};

/// Words that Rust reserves, including weak ones and those of later editions.
const RESERVED: &[&str] = &[
    "abstract",
    "as",
    "async",
    "auto",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "macro_rules",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "raw",
    "ref",
    "return",
    "safe",
    "self",
    "Self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
    "_",
];

/// Places of a name, `@`; each text is valid with the name beside it.
const PLACES: &[(&str, &str)] = &[
    ("v0", "        let @ = x0.at(t0).load();\n"),
    ("k0", "        let @ = x0.at(t0).load();\n"),
    ("c0", "        let mut @ = full::<f32>((), 0.0);\n"),
    ("n0", "        let @ = 3;\n"),
    ("s0", "        let @ = 3.0;\n"),
    ("v0", "        y0.at(t0).store(@);\n"),
    ("v0", "        let v1 = @ + v0;\n"),
    ("v0", "        let v1 = v0.max(@);\n"),
    ("a0", "        let v1 = v0.sum(@);\n"),
    ("x0", "        let v1 = @.at(t0).load();\n"),
    ("i0", "        for @ in each(a0) {\n        }\n"),
    ("t0", "        for @ in tiles(a0) {\n        }\n"),
    ("b0", "        if @ {\n        }\n"),
    ("c0", "        @ = v0;\n"),
];

const HEAD: &str = "\
use jumar::prelude::*;
#[kernel]
pub fn op_k(
    #[shape(a0)] x0: &GlobalTensor<f32>,
    #[shape(a0, a1, a2)] x1: &GlobalTensor<f32>,
    #[shape(a0)] y0: &mut GlobalTensor<f32>,
) {
";

fn kernel(body: &str) -> String {
    format!("{HEAD}    for t0 in tiles(a0) {{\n{body}    }}\n}}\n")
}

fn exports() -> Vec<(&'static str, Compiled)> {
    let engine = Engine::bytes().expect("an engine");
    let all = exported(&grammar(&Profile::Llm).expect("a grammar"));
    all.into_iter()
        .map(|(format, text)| (format, engine.compiled(&text).expect("a grammar")))
        .collect()
}

fn takes(grammar: &Compiled, text: &str) -> bool {
    grammar.taken(text).expect("the engine goes on").1
}

/// Returns ops and functions of all levels, and other words of the language.
fn words() -> Vec<String> {
    let own = [
        "tiles",
        "each",
        "at",
        "load",
        "store",
        "full",
        "cast",
        "expand",
        "pick",
        "select",
        "view",
        "workspace",
        "kernel",
    ];
    let ops = Op::all()
        .map(|def| def.name)
        .chain(FUNCTIONS.iter().map(|f| f.name));
    let mut all: Vec<String> = RESERVED
        .iter()
        .copied()
        .chain(ops)
        .chain(own)
        .map(String::from)
        .collect();
    all.sort();
    all.dedup();
    all
}

#[test]
fn reserved_words_and_ops_are_no_names() {
    let words = words();
    for (format, grammar) in exports() {
        for (name, place) in PLACES {
            let text = |name: &str| kernel(&place.replace('@', name));
            assert!(
                takes(&grammar, &text(name)),
                "{format}: `{name}` is one:\n{}",
                text(name)
            );
            // A condition accepts the literals `true` and `false`, which are not names.
            let is_value =
                |word: &&String| *name == "b0" && matches!(word.as_str(), "true" | "false");
            for word in words.iter().filter(|word| !is_value(word)) {
                assert!(
                    !takes(&grammar, &text(word)),
                    "{format}: `{word}` is none:\n{}",
                    text(word)
                );
            }
        }
        // Names of the head.
        for (name, own) in [("a0", "shape(a0)"), ("x0", "x0: &"), ("op_k", "op_k(")] {
            for word in &words {
                let text = kernel("").replacen(own, &own.replace(name, word), 1);
                assert!(
                    !takes(&grammar, &text),
                    "{format}: `{word}` is none:\n{text}"
                );
            }
        }
    }
}

#[test]
fn no_pool_spells_a_word_of_rust_or_of_the_language() {
    let words = words();
    for pool in Pool::all() {
        for name in (0..pool.most()).map(|nth| format!("{}{nth}", pool.letters())) {
            assert!(!words.contains(&name), "{pool:?} gives `{name}`");
        }
    }
}

/// Two pools with one name would be two classes for one text.
#[test]
fn no_two_pools_have_a_name_in_common() {
    let mut seen = std::collections::BTreeMap::new();
    for pool in Pool::all() {
        for name in (0..pool.most()).map(|nth| format!("{}{nth}", pool.letters())) {
            let before = seen.insert(name.clone(), pool);
            assert!(before.is_none(), "`{name}` is of {pool:?} and {before:?}");
        }
    }
}

/// Deep nesting, which no grammar accepts but a file may contain.
#[test]
fn what_nests_by_the_thousand_is_refused_and_overflows_nothing() {
    let many = |text: &str| text.repeat(20_000);
    for deep in [
        format!("        let n0 = {}1{};\n", many("("), many(")")),
        format!("        let v1 = {}v0;\n", many("-")),
        format!("        let v1 = v0{};\n", many(".abs()")),
        format!("        let v1 = v0{};\n", many(" + v0")),
        format!("{}{}", many("if true {\n"), many("}\n")),
    ] {
        let (d, _) = parse_file(&kernel(&deep)).expect_err("it nests too deeply");
        assert!(d.message.contains("nests too deeply"), "{}", d.message);
    }
}

/// Nests this many loops over numbers in a tile loop.
fn nested(loops: usize) -> String {
    let (mut open, mut close) = (String::new(), String::new());
    for level in 0..loops {
        let (indent, over) = (
            "    ".repeat(level + 1),
            if level == 0 { "each(a0)" } else { "0..a0" },
        );
        open += &format!("{indent}for i{level} in {over} {{\n");
        close = format!("{indent}}}\n{close}");
    }
    format!(
        "{HEAD}{open}{}let n0 = 1;\n{close}}}\n",
        "    ".repeat(loops + 1)
    )
}

/// Bodies with tile loops in various places; the flag says if such a kernel is valid.
const LOOPS: &[(bool, &str)] = &[
    (true, "for t0 in tiles(a0) {"),
    (true, "for t0 in tiles(a0).buffer_num(8) { for t1 in tiles(a1) {"),
    (true, "if a0 < 3 { for t0 in tiles(a0).exact() { let n0 = 1; for t1 in tiles(a1) {"),
    (true, "for i0 in 0..3 { let n0 = 1; for i1 in 0..3 { for t0 in tiles(a0) { if a0 < 3 { for i2 in 0..3 {"),
    (true, "for t0 in tiles(a0) { for t1 in tiles(a1) { for i0 in 0..3 {"),
    (true, "let mut c0 = across_cores::<f32>((), 0.0); for t0 in tiles(a0) {"),
    (true, "for t0 in tiles(a0) { for t1 in tiles(a1).any_cut() {"),
    (false, "let n0 = 1;"),
    (false, "for i0 in 0..3 { if a0 < 3 {"),
    (false, "for t0 in tiles(a0) { for t1 in tiles(a1) { for t2 in tiles(a2) {"),
    (false, "for t0 in tiles(a0) { for t1 in tiles(a1).exact() {"),
    (false, "for t0 in tiles(a0).any_cut() {"),
    (false, "for t0 in tiles(a0) { let mut c0 = across_cores::<f32>((), 0.0);"),
    (false, "for t0 in tiles(a0).buffer_num(0) {"),
    (false, "for t0 in tiles(a0).buffer_num(9) {"),
];

/// Loops that the front end accepts and the grammar does not cover.
const NARROWER: &[&str] = &[
    "for t0 in tiles(a0) { if a0 < 3 { for t1 in tiles(a1) {",
    "for t0 in tiles(a0) { for i0 in 0..3 { for t1 in tiles(a1) {",
];

/// Writes a body with one statement or block head a line, and closes all blocks.
fn laid_out(body: &str) -> String {
    let (mut text, mut level) = (HEAD.to_string(), 1);
    for line in body.split_inclusive(['{', ';']).map(str::trim) {
        text += &format!("{}{line}\n", "    ".repeat(level));
        level += usize::from(line.ends_with('{'));
    }
    (0..level)
        .rev()
        .for_each(|level| text += &format!("{}}}\n", "    ".repeat(level)));
    text
}

#[test]
fn tile_loops_stand_where_the_front_end_has_them() {
    let said = |text: &str| {
        let parsed = parse_file(text)
            .unwrap_or_else(|(d, _)| panic!("{}:\n{text}", d.message))
            .remove(0);
        let codes = ["J0109", "J0103", "J0305", "J0601"];
        parsed
            .diagnostics
            .into_iter()
            .find(|d| codes.contains(&d.code.as_str()))
            .map(|d| d.message)
    };
    let narrower = NARROWER.iter().map(|body| (true, false, *body));
    for (is_one, is_taken, body) in LOOPS
        .iter()
        .map(|(is_one, body)| (*is_one, *is_one, *body))
        .chain(narrower)
    {
        let text = laid_out(body);
        assert_eq!(said(&text).is_none(), is_one, "{:?}:\n{text}", said(&text));
        for (format, grammar) in exports() {
            assert_eq!(takes(&grammar, &text), is_taken, "{format}:\n{text}");
        }
    }
}

#[test]
fn blocks_nest_as_deep_as_they_go_and_no_deeper() {
    for (format, grammar) in exports() {
        for loops in 1..DEPTH {
            let text = nested(loops);
            assert!(takes(&grammar, &text), "{format}, {loops} loops:\n{text}");
            assert!(parse_file(&text).is_ok(), "{loops} loops");
        }
        for loops in [DEPTH, DEPTH + 1, 50] {
            assert!(!takes(&grammar, &nested(loops)), "{format}: {loops} loops");
        }
    }
}

/// Kernels of two thousand statements: mutable values, nested blocks, and names up to the last of
/// their pool.
#[test]
fn two_thousand_statements_are_within_the_limits_of_engine_and_front_end() {
    let changes = "        c0 = c0 + v0;\n".repeat(2000);
    let first = "        let v0 = x0.at(t0).load();\n        let mut c0 = full::<f32>(t0, 0.0);\n";
    let last = "        y0.at(t0).store(c0);\n";
    let blocks: String = (0..500)
        .map(|nth| {
            format!("        if a0 < {nth} {{\n            let v1 = v0 * {nth}.5;\n            c0 = c0 + v1;\n        }}\n")
        })
        .collect();
    let most = Pool::Value.most() as u32;
    let row: String = (1..most)
        .map(|nth| format!("        let v{nth} = v{}.exp();\n", nth - 1))
        .collect();
    let texts = [
        ("changes", kernel(&format!("{first}{changes}{last}"))),
        ("blocks", kernel(&format!("{first}{blocks}{last}"))),
        (
            "names",
            kernel(&format!("{first}{row}        c0 = v{};\n{last}", most - 1)),
        ),
    ];
    for (format, grammar) in exports() {
        for (what, text) in &texts {
            assert!(
                takes(&grammar, text),
                "{format}, {what}: {} bytes",
                text.len()
            );
        }
        let beyond = kernel(&format!("{first}        let v{most} = v0.exp();\n{last}"));
        assert!(!takes(&grammar, &beyond), "{format}: one name more");
    }
    for (what, text) in &texts {
        let parsed = parse_file(text)
            .unwrap_or_else(|(d, _)| panic!("{what}: {}", d.message))
            .remove(0);
        let found: Vec<&str> = parsed
            .diagnostics
            .iter()
            .map(|d| d.message.as_str())
            .collect();
        assert!(parsed.kernel.is_some(), "{what}: {found:?}");
    }
}
