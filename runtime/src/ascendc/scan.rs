//! Finds the kernel functions of an AscendC source, which a launch can call.

/// A kernel function: `extern "C" __global__ __aicore__ void add(GM_ADDR x, int32_t n)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelFunction {
    pub name: String,
    /// The parameters of a function template, as written: `typename T`, `int N`.
    pub template: Vec<String>,
    /// Type and name of each parameter, as written.
    pub parameters: Vec<(String, String)>,
}

/// Returns the functions under `__global__` that have a body or a declaration, in order and once
/// each.
pub fn scan(source: &str) -> Vec<KernelFunction> {
    let mut found: Vec<KernelFunction> = Vec::new();
    for function in every(source) {
        if found.iter().all(|f| f.name != function.name) {
            found.push(function);
        }
    }
    found
}

/// True if a text declares a kernel function in two ways, of which the preprocessor takes one.
pub fn has_variants(source: &str) -> bool {
    let all = every(source);
    let is_other = |a: &KernelFunction, b: &KernelFunction| {
        a.name == b.name
            && (a.template.len(), a.parameters.len()) != (b.template.len(), b.parameters.len())
    };
    let mut each = all.iter().enumerate();
    each.any(|(i, one)| all[..i].iter().any(|other| is_other(one, other)))
}

/// Returns every function under `__global__`.
fn every(source: &str) -> Vec<KernelFunction> {
    let text = without_macros(&blanked(source));
    let mut found = Vec::new();
    for (at, word) in text.match_indices("__global__") {
        if text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let Some(mut function) = function(&text[at + word.len()..]) else {
            continue;
        };
        function.template = template_parameters(&text[..at]);
        found.push(function);
    }
    found
}

/// Removes definitions of macros from a text, since a function in a macro is not defined yet.
fn without_macros(text: &str) -> String {
    let mut inside = false;
    let line = |line: &str| {
        let directive = line
            .trim_start()
            .strip_prefix('#')
            .is_some_and(|rest| rest.trim_start().starts_with("define"));
        let skipped = inside || directive;
        inside = skipped && line.trim_end().ends_with('\\');
        if skipped {
            "\n".to_string()
        } else {
            format!("{line}\n")
        }
    };
    text.lines().map(line).collect()
}

/// Parses the function after `__global__`: its name is the word before the first parenthesis that
/// is no attribute.
fn function(rest: &str) -> Option<KernelFunction> {
    let mut from = 0;
    loop {
        let open = from + rest[from..].find('(')?;
        if rest[from..open].contains([';', '{', '}', '#']) {
            return None;
        }
        let close = open + matching(&rest[open..])?;
        let head = rest[from..open].trim_end();
        let name: String = head
            .chars()
            .rev()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        let name: String = name.chars().rev().collect();
        // Attributes such as `__mix__(1, 2)` and `__attribute__((..))` come before the name.
        if name.is_empty() || name.starts_with("__") {
            from = close + 1;
            continue;
        }
        return Some(KernelFunction {
            name,
            template: Vec::new(),
            parameters: parameters(&rest[open + 1..close]),
        });
    }
}

/// Returns the parameters of the `template <..>` at the end of a text, words such as `inline`
/// aside.
fn template_parameters(before: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let head = before.trim_end_matches(|c: char| is_word(c) || c.is_whitespace());
    let Some(list) = head.strip_suffix('>') else {
        return Vec::new();
    };
    let mut depth = 1;
    let open = list.char_indices().rev().find_map(|(at, c)| {
        depth += match c {
            '>' => 1,
            '<' => -1,
            _ => 0,
        };
        (depth == 0).then_some(at)
    });
    match open {
        Some(at) if list[..at].trim_end().ends_with("template") => pieces(&list[at + 1..]),
        Some(_) | None => Vec::new(),
    }
}

/// Finds the parenthesis that closes the one at the start.
fn matching(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(i, c)| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        (depth == 0).then_some(i)
    })
}

/// Splits a list at the commas outside of brackets.
fn pieces(list: &str) -> Vec<String> {
    let mut depth = 0;
    let pieces = list.split(|c| {
        depth += match c {
            '<' | '(' => 1,
            '>' | ')' => -1,
            _ => 0,
        };
        c == ',' && depth == 0
    });
    let words = pieces.map(str::trim).filter(|piece| !piece.is_empty());
    words.map(str::to_string).collect()
}

fn parameters(list: &str) -> Vec<(String, String)> {
    let words = pieces(list).into_iter().filter(|piece| piece != "void");
    words
        .map(|piece| {
            let start = piece
                .rfind(|c: char| !c.is_alphanumeric() && c != '_')
                .map_or(0, |i| i + 1);
            (
                piece[..start]
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" "),
                piece[start..].to_string(),
            )
        })
        .collect()
}

/// True if a text defines a `main`.
pub fn has_main(source: &str) -> bool {
    let code = blanked(source);
    let found = code.match_indices("main").any(|(at, word)| {
        let before = code[..at].trim_end();
        let returns = ["int", "int32_t"].iter().any(|ty| {
            before
                .strip_suffix(ty)
                .is_some_and(|head| !head.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        });
        returns && before.len() < at && code[at + word.len()..].trim_start().starts_with('(')
    });
    found
}

/// Blanks comments and the insides of strings; every other byte keeps its offset.
pub fn blanked(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let blank = |out: &mut String, c: char| {
        out.extend(std::iter::repeat_n(
            if c == '\n' { '\n' } else { ' ' },
            c.len_utf8(),
        ))
    };
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('/', Some('/')) => {
                out.push(' ');
                while let Some(c) = chars.next_if(|c| *c != '\n') {
                    blank(&mut out, c);
                }
            }
            ('/', Some('*')) => {
                chars.next();
                out.push_str("  ");
                let mut last = ' ';
                for c in chars.by_ref() {
                    blank(&mut out, c);
                    if (last, c) == ('*', '/') {
                        break;
                    }
                    last = c;
                }
            }
            // A digit separator as in `1'000` is no quote.
            ('"' | '\'', _) if c == '"' || !out.ends_with(|c: char| c.is_alphanumeric()) => {
                out.push(c);
                let mut escaped = false;
                for inside in chars.by_ref() {
                    if inside == c && !escaped {
                        out.push(c);
                        break;
                    }
                    blank(&mut out, inside);
                    escaped = inside == '\\' && !escaped;
                }
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_kernels_and_their_parameters() {
        let text = r#"
// extern "C" __global__ void no(GM_ADDR x);
const char *s = "__global__ void no(GM_ADDR x) {}"; /* __global__ void no2(int a) */
extern "C" __global__ __aicore__ void add(GM_ADDR x, __gm__ uint8_t *y,
    const Tiling<int, 4> tiling, int32_t n)
{
}
__global__ __vector__ void none() {}
__global__ __mix__(1, 2) void mixed(GM_ADDR x) {}
extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y);
#include <vector>
__global__ __aicore__ void plain(GM_ADDR x) {}
template <typename T, int N = 4, typename U = Pair<T, N>>
inline __global__ __aicore__ void made(GM_ADDR x) {}
template <> __global__ __aicore__ void special<int>(GM_ADDR x) {}
"#;
        let found = scan(text);
        let names: Vec<&str> = found.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["add", "none", "mixed", "plain", "made"]);
        let own_words: Vec<Vec<String>> = found.iter().map(|f| f.template.clone()).collect();
        let [.., made] = &own_words[..] else {
            panic!("five kernels")
        };
        assert_eq!(
            made[..],
            ["typename T", "int N = 4", "typename U = Pair<T, N>"]
        );
        assert!(own_words[..4].iter().all(Vec::is_empty));
        let own = |a: &str, b: &str| (a.to_string(), b.to_string());
        assert_eq!(
            found[0].parameters,
            [
                own("GM_ADDR", "x"),
                own("__gm__ uint8_t *", "y"),
                own("const Tiling<int, 4>", "tiling"),
                own("int32_t", "n")
            ]
        );
        assert!(found[1].parameters.is_empty());
        assert!(has_variants(text), "`add` has four parameters, or two");
        assert!(!has_variants(
            &text[..text.rfind("extern").expect("the second one")]
        ));
    }

    #[test]
    fn blanks_keep_every_byte_in_its_place() {
        let text = "a /* é\n */ b // 'x\n\"q\\\"z\" /**/ c";
        assert_eq!(blanked(text), "a      \n    b      \n\"    \"      c");
        assert_eq!(blanked(text).len(), text.len());
    }

    #[test]
    fn a_main_is_a_function_that_returns_int() {
        for text in [
            "int main()",
            "int32_t main(int32_t argc, char *argv[])",
            "}\nint\nmain (void)",
        ] {
            assert!(has_main(text), "{text}");
        }
        for text in [
            "// int main()",
            "print main(x)",
            "int domain()",
            "void main_loop()",
            "x.main()",
            "int main;",
        ] {
            assert!(!has_main(text), "{text}");
        }
    }
}
