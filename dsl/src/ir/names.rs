//! Unique names and their stems.

/// Returns `name`, with a number where it is taken.
pub fn unique(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut unique = name.to_string();
    let mut n = 2;
    while taken(&unique) {
        unique = format!("{name}_{n}");
        n += 1;
    }
    unique
}

/// Returns a name without the number that makes it unique.
pub fn stem(name: &str) -> &str {
    let digits = name.trim_end_matches(|c: char| c.is_ascii_digit());
    digits
        .strip_suffix('_')
        .filter(|stem| !stem.is_empty() && digits.len() < name.len())
        .unwrap_or(name)
}
