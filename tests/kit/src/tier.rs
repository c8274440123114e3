//! Gate and night: how many cases a sweep runs, and which.
//!
//! `JUMAR_TIER` is `gate` (the default) or `night`. Each sweep has a switch, such as `JUMAR_CASES`,
//! with its number for one run.
//!
//! A seed draws the cases. It is a hash of the product's sources, so one commit draws equal cases
//! on every machine, and a change draws others. No clock is read. A failure prints its seed, and
//! `JUMAR_SEED` draws those cases again. A finding then becomes a named case.

use crate::files::{below, workspace};
use std::env;
use std::fs;
use std::sync::OnceLock;

/// How much of the suites runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Before a change lands: every suite, sweeps at a tenth.
    Gate,
    /// By `.ci/night`: every case.
    Night,
}

impl Tier {
    /// Returns the tier of this process.
    ///
    /// # Panics
    /// `JUMAR_TIER` names no tier.
    pub fn current() -> Tier {
        let Some(name) = env::var_os("JUMAR_TIER") else {
            return Tier::Gate;
        };
        match name.to_string_lossy().as_ref() {
            "gate" => Tier::Gate,
            "night" => Tier::Night,
            other => panic!("JUMAR_TIER is `gate` or `night`, found `{other}`: `JUMAR_TIER=gate cargo test --workspace`"),
        }
    }

    /// True in the night.
    pub fn is_night() -> bool {
        Tier::current() == Tier::Night
    }
}

/// Returns the number of cases of a sweep: its switch, or the number of the tier.
///
/// # Panics
/// The switch is no number.
pub fn cases(switch: &str, gate: u64, night: u64) -> u64 {
    number(switch).unwrap_or(match Tier::current() {
        Tier::Gate => gate,
        Tier::Night => night,
    })
}

/// True if C++ is compiled with sanitizers, too: in the night, and with `JUMAR_SANITIZE=1`. The
/// gate compiles the machine once, without them.
///
/// # Panics
/// The switch is no number.
pub fn sanitizes() -> bool {
    cases("JUMAR_SANITIZE", 0, 1) > 0
}

/// Returns the seed of every sweep: `JUMAR_SEED`, or the hash of the sources.
///
/// # Panics
/// `JUMAR_SEED` is no number.
pub fn seed() -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    *SEED.get_or_init(|| number("JUMAR_SEED").unwrap_or_else(hash_of_sources))
}

/// Returns a seed as the 32 bytes with which random generators begin.
pub fn seed_bytes(seed: u64) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes
}

/// Returns the share of items that a sweep runs: one in so many, 0 for none. All run in the night
/// and with the switch at `all`, none with `none`, and one in `part` otherwise.
///
/// # Panics
/// The switch is neither `all` nor `none`.
fn share(switch: &str, part: u64) -> u64 {
    match env::var(switch).as_deref() {
        Ok("all") => 1,
        Ok("none") => 0,
        Ok(other) => panic!("{switch} is `all` or `none`, found `{other}`"),
        Err(_) if Tier::is_night() => 1,
        Err(_) => part,
    }
}

/// True for the items that run: all, none, or one in `part` by the hash of their text and the seed.
///
/// # Panics
/// The switch is neither `all` nor `none`.
pub fn is_drawn(switch: &str, part: u64, item: &str) -> bool {
    match share(switch, part) {
        0 => false,
        share => hash(seed(), item.as_bytes()).is_multiple_of(share),
    }
}

/// Returns the items that run, by [`is_drawn`]. Where it draws none, all items with the text of the
/// first one run. With the switch at `none`, none do.
///
/// # Panics
/// The switch is neither `all` nor `none`.
pub fn drawn<T>(switch: &str, part: u64, all: Vec<T>, text: impl Fn(&T) -> String) -> Vec<T> {
    let runs = |item: &T| is_drawn(switch, part, &text(item));
    let least = (share(switch, part) > 0 && !all.iter().any(runs))
        .then(|| all.first().map(&text))
        .flatten();
    all.into_iter()
        .filter(|item| runs(item) || least == Some(text(item)))
        .collect()
}

/// Reads a switch that is a number.
fn number(switch: &str) -> Option<u64> {
    let text = env::var(switch).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{switch} is a number, found `{text}`")),
    )
}

/// Returns the 64-bit FNV-1a hash, begun at a number. Its bits are mixed, so each part of them is
/// even.
pub fn hash(begin: u64, bytes: &[u8]) -> u64 {
    let mut h = 0xcbf2_9ce4_8422_2325 ^ begin;
    for &b in bytes {
        h = (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    // The finalizer of MurmurHash3 for 64 bits.
    h = (h ^ (h >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    h = (h ^ (h >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ (h >> 33)
}

/// The product's sources; sweeps look for mistakes in their changes.
const SOURCES: [&str; 8] = [
    "dsl/src",
    "macros/src",
    "codegen/src",
    "runtime",
    "llm/src",
    "llm/tasks",
    "cli/src",
    "src",
];

fn hash_of_sources() -> u64 {
    let root = workspace();
    let ends = ["rs", "h", "hpp", "cpp", "toml", "txt", "md"];
    let mut files: Vec<_> = SOURCES
        .iter()
        .flat_map(|folder| below(&root.join(folder), &ends))
        .collect();
    files.sort();
    let all = files.iter().fold(0, |h, path| {
        let text = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let name = path
            .strip_prefix(&root)
            .expect("a file of the workspace")
            .to_string_lossy()
            .replace('\\', "/");
        hash(hash(h, name.as_bytes()), &text)
    });
    // A short number is easily typed again.
    all % 1_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_even_in_every_part() {
        for part in [2, 8, 10] {
            let drawn = (0..8000u64)
                .filter(|n| hash(7, n.to_string().as_bytes()).is_multiple_of(part))
                .count() as u64;
            assert!(
                drawn.abs_diff(8000 / part) < 8000 / part / 5,
                "{drawn} of 8000 where one in {part} is meant"
            );
        }
    }

    #[test]
    fn the_seed_is_the_same_twice() {
        assert_eq!(hash_of_sources(), hash_of_sources());
    }
}
