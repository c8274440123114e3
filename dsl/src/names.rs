//! Conversions between spellings of names.

/// Returns the snake_case of a PascalCase name, as CANN's operator build derives it.
///
/// An underscore stands before each capital that follows no capital or precedes a small letter:
/// `AddAB` becomes `add_ab`.
pub fn snake_of_pascal(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let capital = |i: usize| letters.get(i).is_some_and(char::is_ascii_uppercase);
    let mut out = String::new();
    for (i, c) in letters.iter().enumerate() {
        let small_follows = letters.get(i + 1).is_some_and(char::is_ascii_lowercase);
        if i > 0 && capital(i) && (!capital(i - 1) || small_follows) {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
