//! Small changes of a text, by tokens and by lines.

use std::ops::Range;

/// Random numbers that are equal on every machine (SplitMix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        let mut random = Random(seed ^ 0x2545_f491_4f6c_dd1d);
        random.next();
        random
    }
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
    pub fn of<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.below(list.len())]
    }
}

/// Numbers at edges of types and sizes.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "8",
    "15",
    "16",
    "31",
    "32",
    "33",
    "63",
    "64",
    "100",
    "255",
    "256",
    "1000",
    "4095",
    "4096",
    "65535",
    "65536",
    "196608",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "-1",
    "-8",
    "-2147483648",
    "-9223372036854775808",
    "0.0f",
    "1.5f",
    "-0.0f",
    "inff",
    "3.0e38f",
    "0.0",
    "1e-40",
    "1e300",
    "99999999999999999999",
];

/// Returns the places of the tokens of a text: words with their signs, strings, and single
/// characters.
fn places(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut end = start + c.len_utf8();
        if c == '"' {
            for (i, c) in chars.by_ref() {
                end = i + c.len_utf8();
                if c == '"' {
                    break;
                }
            }
        } else if glued(c) {
            while let Some((i, c)) = chars.next_if(|(_, c)| word(*c)) {
                end = i + c.len_utf8();
            }
        }
        found.push(start..end);
    }
    found
}

fn word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// True for a character of a word, or the sign before an id.
fn glued(c: char) -> bool {
    word(c) || "$%*&#!@-".contains(c)
}

/// Returns the tokens of a text.
pub fn tokens(text: &str) -> Vec<String> {
    places(text)
        .into_iter()
        .map(|at| text[at].to_string())
        .collect()
}

/// Returns the kind of a token; mutations mostly exchange tokens of one kind.
fn kind(token: &str) -> (char, bool) {
    let first = token.chars().next().unwrap_or(' ');
    let kind = if first.is_ascii_digit() {
        '0'
    } else if first.is_alphabetic() || first == '_' {
        'a'
    } else {
        first
    };
    (kind, token.len() > 1)
}

/// Makes one to three changes.
pub fn mutate(text: &str, words: &[String], random: &mut Random) -> String {
    let mut text = text.to_string();
    for _ in 0..=random.below(3) {
        let changed = if random.below(4) == 0 {
            lines(&text, random)
        } else {
            token(&text, words, random)
        };
        text = changed.unwrap_or(text);
    }
    text
}

fn token(text: &str, words: &[String], random: &mut Random) -> Option<String> {
    let all = places(text);
    let at = all.get(random.below(all.len()))?.clone();
    let own = &text[at.clone()];
    let new = match random.below(10) {
        0 => String::new(),
        1 => format!("{own} {own}"),
        2 => random.of(words).clone(),
        3 => text[random.of(&all).clone()].to_string(),
        4 | 5 => {
            let numbers: Vec<_> = all
                .iter()
                .filter(|at| text.as_bytes()[at.start].is_ascii_digit())
                .collect();
            let at = (*numbers.get(random.below(numbers.len()))?).clone();
            return Some(splice(text, at, NUMBERS[random.below(NUMBERS.len())]));
        }
        6 => {
            let like: Vec<_> = words.iter().filter(|w| kind(w) == kind(own)).collect();
            (*like.get(random.below(like.len()))?).clone()
        }
        _ => {
            let like: Vec<_> = all
                .iter()
                .filter(|at| kind(&text[(*at).clone()]) == kind(own))
                .collect();
            text[(*like.get(random.below(like.len()))?).clone()].to_string()
        }
    };
    Some(splice(text, at, &new))
}

/// Replaces each integer of the text, one at a time.
pub fn with_each_number<'a>(text: &'a str, new: &'a str) -> impl Iterator<Item = String> + 'a {
    let is_number = |at: &Range<usize>| {
        text[at.clone()]
            .bytes()
            .all(|b| b.is_ascii_digit() || b == b'_')
            && text.as_bytes()[at.start] != b'_'
    };
    places(text)
        .into_iter()
        .filter(is_number)
        .map(move |at| splice(text, at, new))
}

fn splice(text: &str, at: Range<usize>, new: &str) -> String {
    format!("{}{new}{}", &text[..at.start], &text[at.end..])
}

fn lines(text: &str, random: &mut Random) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let (a, b) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(4) {
        0 => drop(lines.remove(a)),
        1 => lines.insert(b, lines[a]),
        2 => lines.swap(a, b),
        _ => {
            let line = lines.remove(a);
            lines.insert(b.min(lines.len()), line);
        }
    }
    Some(lines.join("\n"))
}
