//! Texts that a grammar lets through, byte by byte: how far it takes one, and random ones.
//!
//! The engine is llguidance over single bytes. A walk that takes every byte alike never ends, so this one leans to what ends lines and begins others,
//! and from a length on to what closes blocks. It tells how a grammar fares, and is a model that knows nothing.

use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, TokEnv};
use llguidance::{Matcher, ParserFactory};

/// Bytes of a walk, at most.
pub const MOST_BYTES: usize = 20_000;

/// What takes grammars.
pub struct Engine(ParserFactory);

/// A grammar at the beginning of a text.
pub struct Compiled(Matcher);

/// A random text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The text.
    pub text: String,
    /// Whether it is whole.
    pub ended: bool,
}

impl Engine {
    /// Over the tokens of a vocabulary.
    ///
    /// # Errors
    /// What the engine says.
    pub fn new(vocabulary: &TokEnv) -> Result<Engine, String> {
        let mut factory = ParserFactory::new_simple(vocabulary).map_err(|e| e.to_string())?;
        factory.quiet();
        Ok(Engine(factory))
    }

    /// Over single bytes.
    ///
    /// # Errors
    /// What the engine says.
    pub fn bytes() -> Result<Engine, String> {
        Engine::new(&ApproximateTokEnv::single_byte_env())
    }

    /// The parser of a grammar in Lark, for masks over tokens.
    ///
    /// # Errors
    /// What is wrong with the grammar.
    pub fn matcher(&self, lark: &str) -> Result<Matcher, String> {
        let matcher = Matcher::new(
            self.0
                .create_parser(TopLevelGrammar::from_lark(lark.to_string())),
        );
        matcher.get_error().map_or(Ok(matcher), Err)
    }

    /// A grammar in Lark.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn compiled(&self, lark: &str) -> Result<Compiled, String> {
        self.matcher(lark).map(Compiled)
    }
}

impl Compiled {
    /// Another one, which shares nothing with this one.
    pub fn fresh(&self) -> Compiled {
        Compiled(self.0.deep_clone())
    }

    /// How many bytes of a text a grammar takes, and whether it may end there.
    ///
    /// # Errors
    /// Where the engine gives up.
    pub fn taken(&self, text: &str) -> Result<(usize, bool), String> {
        let mut matcher = self.0.deep_clone();
        let tokens: Vec<u32> = text.bytes().map(u32::from).collect();
        let count = matcher.try_consume_tokens(&tokens).map_err(said)?;
        Ok((
            count,
            count == tokens.len() && matcher.is_accepting().map_err(said)?,
        ))
    }

    /// The random text of a seed, the same for the same one.
    ///
    /// # Errors
    /// Where the engine gives up, or a grammar has a place from which no text goes on.
    pub fn walk(&self, seed: u64) -> Result<Walk, String> {
        let (mut matcher, mut dice, mut text) = (self.0.deep_clone(), Dice::new(seed), Vec::new());
        let goal = 100 + dice.below(1500);
        while text.len() < MOST_BYTES && !matcher.is_stopped() {
            let forced = matcher.compute_ff_bytes();
            if !forced.is_empty() {
                text.extend(&forced);
                let tokens: Vec<u32> = forced.iter().map(|b| u32::from(*b)).collect();
                matcher.consume_tokens(&tokens).map_err(said)?;
                continue;
            }
            if matcher.is_accepting().map_err(said)? {
                break;
            }
            let mask = matcher.compute_mask().map_err(said)?;
            let allowed: Vec<u8> = (0..=255u8)
                .filter(|b| mask.is_allowed(u32::from(*b)))
                .collect();
            let Some(byte) = dice.byte(&allowed, &text, goal) else {
                return Err(format!(
                    "no text goes on behind:\n{}",
                    String::from_utf8_lossy(&text)
                ));
            };
            text.push(byte);
            matcher.consume_token(u32::from(byte)).map_err(said)?;
        }
        let ended = matcher.is_accepting().map_err(said)?;
        // A walk that is cut may be cut within a letter.
        Ok(Walk {
            text: String::from_utf8_lossy(&text).into_owned(),
            ended,
        })
    }
}

fn said(e: impl std::fmt::Display) -> String {
    e.to_string()
}

/// Random numbers.
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Dice {
        // A state of 0 would stay 0.
        Dice(
            (0x9e37_79b9_7f4a_7c15 ^ seed.wrapping_add(1).wrapping_mul(0xbf58_476d_1ce4_e5b9))
                .max(1),
        )
    }

    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % most.max(1)
    }

    /// One of the bytes that are allowed behind a text; none where none is.
    fn byte(&mut self, allowed: &[u8], text: &[u8], goal: usize) -> Option<u8> {
        // Most of what is defined are tiles.
        if text.ends_with(b"let ") {
            return self.leaning(allowed, b"vhkmc", 4);
        }
        // Lines end soon; blocks go on up to a length, and then close.
        let begins = text
            .iter()
            .rev()
            .find(|b| **b != b' ')
            .is_none_or(|b| *b == b'\n');
        let (signs, of): (&[u8], usize) = match (begins, text.len() < goal) {
            (true, true) => (b" lifrv", 8),
            (true, false) => (b"}", 8),
            (false, true) => (b";)\n", 2),
            (false, false) => (b";)\n{}", 4),
        };
        self.leaning(allowed, signs, of)
    }

    /// One of those that are allowed, and of some of them where there are any, but for once in so many times.
    fn leaning(&mut self, allowed: &[u8], signs: &[u8], of: usize) -> Option<u8> {
        let leaning: Vec<u8> = allowed
            .iter()
            .copied()
            .filter(|b| signs.contains(b))
            .collect();
        let leans = !leaning.is_empty() && self.below(of) != 0;
        let from = if leans { &leaning } else { allowed };
        from.get(self.below(from.len())).copied()
    }
}
