//! Grammars: each is one that its engine takes, the canonical form of every kernel is in it byte by byte, and what it lets through parses.

mod support;

use jumar::dsl::diag::Diagnostic;
use jumar::dsl::front::parse_file;
use jumar_llm::canon::{canonical, head, Names};
use jumar_llm::grammar::{grammar, semantic, Format, Grammar, Profile};
use llguidance::Matcher;
use support::{all_tasks, taken, texts, Engine};

fn llm() -> Grammar {
    grammar(&Profile::Llm).expect("a grammar")
}

/// Every kernel of the project in canonical form with names of pools.
fn corpus() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = all_tasks().iter().map(|t| (t.stem.clone(), t.answer().to_string())).collect();
    all.extend(texts());
    let mut found = Vec::new();
    for (name, text) in all {
        match canonical(&text, Names::Pools) {
            Ok(kernels) => found.extend(kernels.into_iter().map(|(kernel, text)| (format!("{name} {kernel}"), text))),
            Err(e) => assert!(e.to_string().contains("queue level"), "{name}: {e}"),
        }
    }
    found
}

#[test]
fn every_kernel_in_canonical_form_is_accepted_byte_by_byte() {
    let matcher = Engine::bytes().matcher(&Format::Lark.write(&llm()));
    let (mut failed, corpus) = (Vec::new(), corpus());
    for (name, text) in &corpus {
        let (bytes, ends) = taken(&matcher, text);
        if !ends {
            let line = text[..bytes].lines().count().max(1) - 1;
            let rest: String = text.lines().nth(line).unwrap_or_default().to_string();
            failed.push(format!("{name}: {bytes} of {} bytes, at: {rest}", text.len()));
        }
    }
    assert!(failed.is_empty(), "{} of {}:\n{}", failed.len(), corpus.len(), failed.join("\n"));
}

/// What a text has become where one word of it is another one, and none of the language.
const MUTATIONS: &[(&str, &str)] = &[
    (".load()", ".load().exp()"),
    (".store(", ".write("),
    ("let ", "let r"),
    (" + ", " +  "),
    ("tiles(", "row_tiles("),
    ("GlobalTensor<", "LocalTensor<"),
    (".cast::<", ".to::<"),
    ("for t0", "while t0"),
    (".at(", "["),
    ("    }\n", "    \n"),
    ("#[kernel]\n", ""),
    ("fn op_", "fn "),
    ("let v0 = ", "let v999 = "),
    (";\n", "\n"),
    (".amax(", ".amax((), "),
    ("f32", "f64"),
];

#[test]
fn other_texts_are_refused() {
    let matcher = Engine::bytes().matcher(&Format::Lark.write(&llm()));
    let (mut counts, corpus) = (vec![0; MUTATIONS.len()], corpus());
    for (name, text) in &corpus {
        for (nth, (from, to)) in MUTATIONS.iter().enumerate() {
            if text.contains(from) {
                let mutant = text.replacen(from, to, 1);
                assert!(!taken(&matcher, &mutant).1, "{name} with `{to}` for `{from}` is accepted:\n{mutant}");
                counts[nth] += 1;
            }
        }
    }
    assert!(counts.iter().all(|n| *n >= 3), "{counts:?} of {}", corpus.len());
}

/// Random bytes that a grammar lets through, with a leaning to what ends lines and begins others.
struct Walk {
    state: u64,
}

impl Walk {
    fn next(&mut self, below: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as usize % below.max(1)
    }

    /// A text, or `None` where it does not end in so many bytes.
    fn text(&mut self, fresh: &Matcher, most: usize) -> Option<String> {
        let (mut matcher, mut text, goal) = (fresh.deep_clone(), Vec::new(), 100 + self.next(1500));
        while text.len() < most {
            if matcher.is_stopped() {
                break;
            }
            let forced = matcher.compute_ff_bytes();
            if !forced.is_empty() {
                text.extend(&forced);
                let tokens: Vec<u32> = forced.iter().map(|b| u32::from(*b)).collect();
                matcher.consume_tokens(&tokens).expect("forced bytes go through");
                continue;
            }
            let ends = matcher.is_accepting().expect("the engine goes on");
            if ends {
                return String::from_utf8(text).ok();
            }
            let mask = matcher.compute_mask().expect("a mask");
            let all: Vec<u8> = (0..=255u8).filter(|b| mask.is_allowed(u32::from(*b))).collect();
            assert!(!all.is_empty(), "a dead end behind:\n{}", String::from_utf8_lossy(&text));
            // Lines end soon; blocks go on up to a length, and then close.
            let begins = text.iter().rev().find(|b| **b != b' ').is_none_or(|b| *b == b'\n');
            let (sign, of): (&[u8], usize) = match (begins, text.len() < goal) {
                (true, true) => (b" lifrv", 8),
                (true, false) => (b"}", 8),
                (false, true) => (b";)\n", 2),
                (false, false) => (b";)\n{}", 4),
            };
            let leaning: Vec<u8> = all.iter().copied().filter(|b| sign.contains(b)).collect();
            let leans = !leaning.is_empty() && (of == 2 || self.next(of) != 0) && (of != 2 || self.next(2) == 0);
            let from = if leans { &leaning } else { &all };
            let byte = from[self.next(from.len())];
            text.push(byte);
            matcher.consume_token(u32::from(byte)).expect("an allowed byte goes through");
        }
        matcher.is_accepting().unwrap_or(false).then(|| String::from_utf8(text).ok()).flatten()
    }
}

/// How many walks: `JUMAR_WALKS`, or a few.
fn walks() -> usize {
    std::env::var("JUMAR_WALKS").map_or(200, |n| n.parse().expect("JUMAR_WALKS is a number"))
}

#[test]
fn what_goes_through_the_mask_parses() {
    let matcher = Engine::bytes().matcher(&Format::Lark.write(&llm()));
    let (mut ended, mut clean, mut bytes) = (0, 0, 0);
    for seed in 0..walks() as u64 {
        let mut walk = Walk { state: 0x9e37_79b9_7f4a_7c15 ^ (seed + 1).wrapping_mul(0xbf58_476d_1ce4_e5b9) };
        let Some(text) = walk.text(&matcher, 20_000) else { continue };
        ended += 1;
        bytes += text.len();
        match parse_file(&text) {
            Ok(parsed) => {
                assert_eq!(parsed.len(), 1, "{text}");
                clean += usize::from(parsed[0].kernel.is_some());
            }
            Err((d, _)) => panic!("{}:\n{text}", d.message),
        }
    }
    println!("{ended} of {} walks end, {clean} of them are clean, {} bytes each", walks(), bytes / ended.max(1));
    assert!(ended * 10 > walks() * 9, "{ended} of {} walks end", walks());
}

/// Each task with a signature, its semantic grammar and its answer in canonical form.
fn semantics() -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    for task in all_tasks() {
        let parsed = parse_file(task.answer()).unwrap_or_else(|(d, _)| panic!("{}", d.message)).remove(0);
        let signature = parsed.signature.expect("an answer has a head");
        let head = head(&signature, Names::Author).unwrap_or_else(|e| panic!("{}: {e}", task.stem));
        let grammar = semantic(&head, &Profile::Llm).expect("a grammar");
        let answer = canonical(task.answer(), Names::Author).expect("a canonical form").remove(0).1;
        all.push((task.stem.clone(), grammar, answer));
    }
    all
}

#[test]
fn answers_are_in_the_semantic_grammar_of_their_task() {
    let engine = Engine::bytes();
    let (mut failed, mut count, mut bytes) = (Vec::new(), 0, 0);
    for (name, grammar, answer) in semantics() {
        count += 1;
        bytes += grammar.len();
        if std::env::var_os("JUMAR_SHOW").is_some() {
            println!("{grammar}");
        }
        let (taken, ends) = taken(&engine.matcher(&grammar), &answer);
        if !ends {
            let line = answer[..taken].matches('\n').count();
            failed.push(format!(
                "{name}: {taken} of {} bytes, at: {}",
                answer.len(),
                answer.lines().nth(line).unwrap_or_default()
            ));
        }
    }
    println!("{} of {count} accepted, {} bytes a grammar", count - failed.len(), bytes / count.max(1));
    // Workspaces are of `f32` under the mask; one answer has one of `f16`.
    failed.retain(|line| !line.starts_with("top_k_v3: "));
    assert!(failed.is_empty(), "{} of {count}:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn what_goes_through_the_semantic_mask_is_defined_and_typed() {
    let engine = Engine::bytes();
    let (mut ended, mut all, mut codes) = (0, 0, std::collections::BTreeMap::new());
    let (mut wrong, mut lines) = (0, 0);
    for (nth, (name, grammar, _)) in semantics().into_iter().enumerate().filter(|(nth, _)| nth % 15 == 0) {
        let matcher = engine.matcher(&grammar);
        for seed in 0..walks() as u64 / 10 {
            all += 1;
            let mut walk =
                Walk { state: 0x2545_f491_4f6c_dd1d ^ (nth as u64 * 1000 + seed + 1).wrapping_mul(0xbf58_476d_1ce4_e5b9) };
            let Some(text) = walk.text(&matcher, 20_000) else { continue };
            ended += 1;
            lines += text.lines().count();
            let parsed = parse_file(&text).unwrap_or_else(|(d, _)| panic!("{name}: {}:\n{text}", d.message)).remove(0);
            let found: std::collections::BTreeSet<&str> = parsed.diagnostics.iter().map(|d| d.code.as_str()).collect();
            for code in &found {
                *codes.entry(code.to_string()).or_insert(0) += 1;
            }
            // Numbers that leave their type are numbers, not types.
            let is_untyped = |d: &&Diagnostic| match d.code.as_str() {
                "J0101" | "J0102" | "J0103" | "J0201" | "J0202" | "J0203" => true,
                "J0208" => !d.message.contains(" is no `"),
                _ => false,
            };
            if let Some(first) = parsed.diagnostics.iter().find(is_untyped) {
                wrong += 1;
                if std::env::var_os("JUMAR_SHOW").is_some() {
                    println!("{} {}\n{text}", first.code, first.message);
                }
            }
        }
    }
    println!(
        "{ended} of {all} walks end; {wrong} are not defined or typed; {} lines each; codes: {codes:?}",
        lines / ended.max(1)
    );
    assert!(
        ended * 10 > all * 9 && wrong * 100 <= ended,
        "{ended} of {all} walks end; {wrong} are not defined or typed: {codes:?}"
    );
}
