//! Names: makes C++ identifiers of the kernel's snake_case names that are unique and have no other
//! meaning.
//!
//! Members are lowerCamelCase with a trailing underscore, locals lowerCamelCase, types PascalCase.
//! A name that C++, AscendC or the C library already uses gets a number, and so does the second of
//! two equal names.

use crate::reserved::{LIBRARY, OPERATOR_PARAMS, RESERVED, TOOLKIT_TYPES};
use jumar_dsl::dtype::DType;
use jumar_dsl::ir::{ParamId, Role, Signature};
use jumar_dsl::names::snake_of_pascal;
use std::borrow::Cow;
use std::fmt::Write;
use std::rc::Rc;

/// True if C++ or a header gives this identifier another meaning.
pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED.binary_search(&name).is_ok()
}

/// True for a function of the C library or a macro of its headers, in each of its spellings: `exp`,
/// `expf`, `strtol_l`.
fn is_library(name: &str) -> bool {
    let variant = ["_r", "_l", "_unlocked"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(name);
    let suffixes = ["", "f", "l", "f32", "f32x", "f64", "f64x", "f128", "64"];
    suffixes
        .iter()
        .filter_map(|end| variant.strip_suffix(end))
        .any(|stem| LIBRARY.contains(&stem))
}

/// Replaces everything that C++ could not spell.
fn ascii(name: &str) -> Cow<'_, str> {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.chars().all(plain) {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match plain(c) {
            true => out.push(c),
            false => write!(out, "u{:x}", u32::from(c)).expect("a string takes every text"),
        }
    }
    Cow::Owned(out)
}

/// Splits a snake_case name.
fn words(ascii: &str) -> impl Iterator<Item = &str> {
    ascii.split('_').filter(|w| !w.is_empty())
}

/// Joins words by underscores, without those at the ends.
pub(crate) fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for word in words(&ascii(name)) {
        if !out.is_empty() {
            out.push('_');
        }
        out.push_str(word);
    }
    out
}

/// Appends a word with its first letter in another case.
fn push(word: &str, first: impl Fn(&char) -> char, out: &mut String) {
    let mut letters = word.chars();
    out.extend(letters.next().map(|c| first(&c)));
    out.push_str(letters.as_str());
}

/// Converts `total_length` to `totalLength`.
pub(crate) fn camel(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for (i, w) in words(&ascii(name)).enumerate() {
        match i {
            // Both `GAMMA` and `gammaRow` begin with a small letter; a word of capitals becomes
            // small.
            0 if w.bytes().all(|c| !c.is_ascii_lowercase()) => {
                out.extend(w.chars().map(|c| c.to_ascii_lowercase()))
            }
            0 => push(w, char::to_ascii_lowercase, &mut out),
            _ => push(w, char::to_ascii_uppercase, &mut out),
        }
    }
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, 'v');
    }
    out
}

/// Returns the operator type of a kernel: the author's, unless C or C++ uses the name of its kernel
/// function. The default is `AddRmsNormCustom`, in the style of CANN's own samples. A list of
/// CANN's operators would not help, since new releases add more.
pub(crate) fn op_type(prefix: &str, given: Option<&str>) -> String {
    let wish = given.map_or_else(
        || format!("{}Custom", prefix.strip_suffix("Custom").unwrap_or(prefix)),
        pascal,
    );
    let stem = snake_of_pascal(&wish);
    if symbol(&stem) == stem {
        wish
    } else {
        format!("{wish}Custom")
    }
}

/// Converts `add_rms_norm` to `AddRmsNorm`.
pub(crate) fn pascal(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    words(&ascii(name)).for_each(|w| push(w, char::to_ascii_uppercase, &mut out));
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, 'K');
    }
    out
}

/// Returns the name of a template parameter. `T` and `T1` stay, and a longer name gets a suffix,
/// since AscendC may have a type of that name.
pub(crate) fn type_param(name: &str) -> String {
    let name = pascal(name);
    match name[1..].chars().all(|c| c.is_ascii_digit()) {
        true => name,
        false => format!("{name}Dtype"),
    }
}

/// Converts `add_rms_norm` to `ADD_RMS_NORM`.
pub(crate) fn screaming(name: &str) -> String {
    snake(name).to_ascii_uppercase()
}

/// Returns the name of the C symbol and of the files: the kernel's own, unless C or C++ uses it.
pub(crate) fn symbol(name: &str) -> String {
    let name = snake(name).to_ascii_lowercase();
    let digit = name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit());
    let name = if digit { format!("k{name}") } else { name };
    if is_reserved(&name) || is_library(&name) || TOOLKIT_TYPES.contains(&pascal(&name).as_str()) {
        format!("{name}_custom")
    } else {
        name
    }
}

/// Joins the conditions of a case to a part of a name: `with_bias_not_tanh`. Too long a result is
/// replaced by the number of the case.
pub(crate) fn case_words(conditions: &[&str], case: usize) -> String {
    /// The most letters of such a part.
    const MOST: usize = 40;
    let word = |condition: &&str| match (
        condition.strip_suffix(".is_some()"),
        condition.strip_suffix(".is_none()"),
    ) {
        (Some(tensor), _) => format!("with_{tensor}"),
        (_, Some(tensor)) => format!("without_{tensor}"),
        (None, None) => {
            let said = condition
                .replace('!', " not ")
                .replace(|c: char| !c.is_ascii_alphanumeric(), " ");
            said.split_whitespace().collect::<Vec<_>>().join("_")
        }
    };
    let words = conditions.iter().map(word).collect::<Vec<_>>().join("_");
    if words.len() <= MOST {
        words
    } else {
        format!("case{}", case + 1)
    }
}

/// Joins the dtypes of an instance for a name: `f16`, `f16_f32`.
pub(crate) fn dtypes(binding: &[DType]) -> String {
    binding
        .iter()
        .map(|d| d.name())
        .collect::<Vec<_>>()
        .join("_")
}

/// Joins the dtypes of an instance for a comment: `f16`, `(f16, f32)`.
pub(crate) fn combination(binding: &[DType]) -> String {
    let list = binding
        .iter()
        .map(|d| d.name())
        .collect::<Vec<_>>()
        .join(", ");
    match binding.len() {
        0 | 1 => list,
        _ => format!("({list})"),
    }
}

/// Returns the names of the tensors in the struct of shapes and in an operator, whose build makes
/// macros in capitals from them: `ORIG_DTYPE_X`.
pub(crate) fn tensors(sig: &Signature) -> Vec<(ParamId, Role, String)> {
    let mut scope = Scope::of_any_case();
    OPERATOR_PARAMS.iter().for_each(|name| {
        scope.unique(name);
    });
    sig.tensors()
        .map(|(id, p, role, _)| (id, role, scope.unique(&camel(&p.name))))
        .collect()
}

/// The names taken in a region of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// Names in the order in which they were taken: a few dozen, usually of different lengths.
    taken: Vec<Rc<str>>,
    any_case: bool,
}

/// A number of names in a region, for releasing the later ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark(usize);

impl Scope {
    /// Makes a region where `names` are taken.
    pub(crate) fn with(names: &[&str]) -> Self {
        let mut scope = Scope::default();
        names.iter().for_each(|name| {
            scope.take(name);
        });
        scope
    }
    /// Makes a region where names that differ only in case are equal.
    pub(crate) fn of_any_case() -> Self {
        Scope {
            any_case: true,
            ..Scope::default()
        }
    }
    fn take(&mut self, name: &str) -> bool {
        let is_same = |other: &Rc<str>| {
            if self.any_case {
                other.eq_ignore_ascii_case(name)
            } else {
                **other == *name
            }
        };
        let new = !self.taken.iter().any(is_same);
        if new {
            self.taken.push(name.into());
        }
        new
    }
    /// Marks the names taken so far.
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.taken.len())
    }
    /// Releases the names that were taken since a mark.
    pub(crate) fn release(&mut self, mark: Mark) {
        self.taken.truncate(mark.0);
    }
    /// Takes `wish`, or `wish` with the least number that makes it unique.
    pub(crate) fn unique(&mut self, wish: &str) -> String {
        let mut name = wish.to_string();
        let mut n = 1;
        while is_reserved(&name) || !self.take(&name) {
            // A digit after a digit would read as another number.
            let gap = if wish.ends_with(|c: char| c.is_ascii_digit()) {
                "_"
            } else {
                ""
            };
            name = match wish.strip_suffix('_') {
                Some(stem) => format!("{stem}{n}_"),
                None => format!("{wish}{gap}{n}"),
            };
            n += 1;
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_case_and_stay_identifiers() {
        assert_eq!(camel("total_length"), "totalLength");
        assert_eq!(camel("r#type"), "type");
        assert_eq!(camel("GAMMA"), "gamma");
        assert_eq!(camel("_1"), "v1");
        assert_eq!(pascal("add_rms_norm"), "AddRmsNorm");
        assert_eq!(symbol("exp"), "exp_custom");
        assert!(camel("größe").is_ascii());
    }

    #[test]
    fn files_of_operators_are_named_as_the_build_looks_for_them() {
        for (kernel, op, stem) in [
            ("add_rms_norm", "AddRmsNorm", "add_rms_norm"),
            ("add_a_b", "AddAB", "add_ab"),
            ("a_b_add", "ABAdd", "ab_add"),
            ("x_y_z", "XYZ", "xyz"),
            ("add_n", "AddN", "add_n"),
            ("conv2_d", "Conv2D", "conv2_d"),
            ("conv2d_x", "Conv2dX", "conv2d_x"),
            ("top_2", "Top2", "top2"),
            ("swish", "Swish", "swish"),
        ] {
            assert_eq!(
                (
                    pascal(kernel).as_str(),
                    snake_of_pascal(&pascal(kernel)).as_str()
                ),
                (op, stem),
                "{kernel}"
            );
        }
    }

    #[test]
    fn operators_have_no_type_of_cann_but_where_the_author_says_so() {
        for (kernel, given, op) in [
            ("add_rms_norm", None, "AddRmsNormCustom"),
            ("add_custom", None, "AddCustom"),
            ("swish", Some("Swish"), "Swish"),
            ("swish", Some("MySwish2"), "MySwish2"),
            ("swish", Some("Exp"), "ExpCustom"),
            ("swish", Some("OpDef"), "OpDefCustom"),
        ] {
            assert_eq!(op_type(&pascal(kernel), given), op, "{kernel} {given:?}");
        }
    }

    #[test]
    fn reserved_words_are_sorted_for_the_search() {
        assert!(RESERVED.is_sorted() && RESERVED.iter().all(|word| is_reserved(word)));
    }

    #[test]
    fn a_scope_never_gives_one_name_twice_nor_a_reserved_word() {
        let mut scope = Scope::with(&["tiling"]);
        assert_eq!(scope.unique("tiling"), "tiling1");
        assert_eq!(scope.unique("for"), "for1");
        assert_eq!(scope.unique("x"), "x");
        assert_eq!(scope.unique("x"), "x1");
        assert_eq!(scope.unique("x_"), "x_");
        assert_eq!(scope.unique("x_"), "x1_");
        let mut macros = Scope::of_any_case();
        assert_eq!(
            (macros.unique("ab").as_str(), macros.unique("aB").as_str()),
            ("ab", "aB1")
        );
    }
}
