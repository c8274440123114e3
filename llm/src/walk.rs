//! Grammars run by llguidance over single bytes: how far a grammar takes a text, and random texts
//! that it accepts.
//!
//! A walk that chooses every byte with equal weight never ends. This one prefers the bytes that end
//! lines and begin others, and after some length the bytes that close blocks. It measures a
//! grammar, and serves as a model without knowledge.

use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, TokEnv};
use llguidance::{Matcher, ParserFactory};

/// The limit of a walk in bytes.
pub const MOST_BYTES: usize = 20_000;

/// A factory of llguidance parsers.
pub struct Engine(ParserFactory);

/// A compiled grammar at the beginning of a text.
pub struct Compiled(Matcher);

/// A random text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    pub text: String,
    /// True if the text is complete, and not cut at the limit.
    pub ended: bool,
}

impl Engine {
    /// Creates an engine over the tokens of a vocabulary.
    ///
    /// # Errors
    /// Reports what the engine says.
    pub fn new(vocabulary: &TokEnv) -> Result<Engine, String> {
        let mut factory = ParserFactory::new_simple(vocabulary).map_err(|e| e.to_string())?;
        factory.quiet();
        Ok(Engine(factory))
    }

    /// Creates an engine over single bytes.
    ///
    /// # Errors
    /// Reports what the engine says.
    pub fn bytes() -> Result<Engine, String> {
        Engine::new(&ApproximateTokEnv::single_byte_env())
    }

    /// Creates the matcher of a grammar in Lark, for masks over tokens.
    ///
    /// # Errors
    /// Says what is wrong with the grammar.
    pub fn matcher(&self, lark: &str) -> Result<Matcher, String> {
        let matcher = Matcher::new(
            self.0
                .create_parser(TopLevelGrammar::from_lark(lark.to_string())),
        );
        matcher.get_error().map_or(Ok(matcher), Err)
    }

    /// Compiles a grammar in Lark.
    ///
    /// # Errors
    /// Says what is wrong with the grammar.
    pub fn compiled(&self, lark: &str) -> Result<Compiled, String> {
        self.matcher(lark).map(Compiled)
    }
}

impl Compiled {
    /// Returns an independent copy.
    pub fn fresh(&self) -> Compiled {
        Compiled(self.0.deep_clone())
    }

    /// Returns how many bytes of a text the grammar takes, and if the text may end there.
    ///
    /// # Errors
    /// If the engine gives up.
    pub fn taken(&self, text: &str) -> Result<(usize, bool), String> {
        let mut matcher = self.0.deep_clone();
        let tokens: Vec<u32> = text.bytes().map(u32::from).collect();
        let count = matcher.try_consume_tokens(&tokens).map_err(said)?;
        Ok((
            count,
            count == tokens.len() && matcher.is_accepting().map_err(said)?,
        ))
    }

    /// Returns the random text of a seed, which is reproducible.
    ///
    /// # Errors
    /// If the engine gives up, or if the grammar has a state without any continuation.
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
        // A walk that is cut at the limit may end within a character.
        Ok(Walk {
            text: String::from_utf8_lossy(&text).into_owned(),
            ended,
        })
    }
}

fn said(e: impl std::fmt::Display) -> String {
    e.to_string()
}

/// An xorshift generator.
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

    /// Picks one of the allowed bytes, or `None` if there is none.
    fn byte(&mut self, allowed: &[u8], text: &[u8], goal: usize) -> Option<u8> {
        // Names of tiles are the most frequent definitions.
        if text.ends_with(b"let ") {
            return self.leaning(allowed, b"vhkmc", 4);
        }
        // Lines end soon; blocks continue up to the goal, and then close.
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

    /// Picks an allowed byte, and prefers those of `signs` in all but one of `of` cases.
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
