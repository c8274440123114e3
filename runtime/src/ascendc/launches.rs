//! Converts the launch brackets of a single-source file, which C++ does not know:
//! `add<<<blocks, nullptr, stream>>>(x, y)`.

use super::scan::{blanked, KernelFunction};
use std::fmt::Write;
use std::ops::Range;

/// Replaces each launch by a call of `ascendc_cpu::Launch` and keeps line numbers. Returns `None`
/// for a text without launches.
pub(super) fn as_calls(source: &str) -> Option<String> {
    let code = blanked(source);
    let mut out = String::with_capacity(source.len());
    let mut done = 0;
    let mut from = 0;
    while let Some(open) = code[from..].find("<<<").map(|i| from + i) {
        from = open + 3;
        let (Some(callee), Some(close)) = (
            callee_before(&code[..open]),
            closing(&code[from..]).map(|i| from + i),
        ) else {
            continue;
        };
        let (name, config) = (source[callee..open].trim_end(), &source[from..close]);
        out.push_str(&source[done..callee]);
        let _ = write!(out, "ascendc_cpu::Launch(\"{name}\", [&](auto... launched) {{ {name}(launched...); }}, {config})");
        done = close + 3;
        from = done;
        for zero in zeros(&code[done..]) {
            out.push_str(&source[done..from + zero.start]);
            out.push_str("ascendc_cpu::Zero()");
            done = from + zero.end;
        }
    }
    (done > 0).then(|| {
        out.push_str(&source[done..]);
        out
    })
}

/// Finds the arguments of a call that are `0` or `NULL`. The parameter decides whether they are
/// numbers or null pointers; a forwarding function would make them numbers.
fn zeros(call: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let Some(open) = call
        .find('(')
        .filter(|open| call[..*open].trim().is_empty())
    else {
        return found;
    };
    let mut start = open + 1;
    let mut depth = 1;
    for (i, c) in call.char_indices().skip_while(|(i, _)| *i <= open) {
        if depth == 1 && matches!(c, ',' | ')') {
            let argument = call[start..i].trim();
            if argument == "0" || argument == "NULL" {
                let at = start + call[start..i].find(argument).unwrap_or(0);
                found.push(at..at + argument.len());
            }
            start = i + 1;
        }
        depth += match c {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        };
        if depth == 0 {
            break;
        }
    }
    found
}

/// Finds the start of the function's name before the brackets, with its namespaces and template
/// arguments.
fn callee_before(code: &str) -> Option<usize> {
    let mut end = code.trim_end().len();
    if code[..end].ends_with('>') {
        let mut depth = 0;
        end = code[..end].char_indices().rev().find_map(|(i, c)| {
            depth += match c {
                '>' => 1,
                '<' => -1,
                _ => 0,
            };
            (depth == 0).then_some(i)
        })?;
    }
    let head = code[..end].trim_end();
    // In a macro `##` joins parts of a name.
    let name = head
        .rfind(|c: char| !c.is_alphanumeric() && !"_:#".contains(c))
        .map_or(0, |i| i + 1);
    (name < head.len()).then_some(name)
}

/// Finds the `>>>` that closes the brackets, outside of parentheses.
fn closing(code: &str) -> Option<usize> {
    let mut depth = 0;
    code.char_indices().find_map(|(i, c)| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        (depth == 0 && code[i..].starts_with(">>>")).then_some(i)
    })
}

/// Returns the header `aclrtlaunch_NAME.h` that the toolkit's build makes for a kernel.
pub(super) fn stub(kernel: &KernelFunction) -> String {
    let name = &kernel.name;
    let parameters: Vec<String> = kernel
        .parameters
        .iter()
        .map(|(ty, name)| format!("{ty} {name}"))
        .collect();
    format!(
        "#pragma once\n#include \"acl/acl.h\"\n#include \"ascendc/launch.h\"\n#include \"kernel_operator.h\"\n\
         extern \"C\" __global__ __aicore__ void {name}({});\n\
         template <typename... A>\nuint32_t aclrtlaunch_{name}(uint32_t blockDim, aclrtStream, A... a)\n{{\n    \
         return ascendc_cpu::LaunchStub(\"{name}\", &{name}, blockDim, a...);\n}}\n",
        parameters.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_become_calls_and_the_rest_stays() {
        let launch = |name: &str, config: &str| {
            format!("ascendc_cpu::Launch(\"{name}\", [&](auto... launched) {{ {name}(launched...); }}, {config})")
        };
        for (text, name, config, rest) in [
            (
                "add<<<8, nullptr, stream>>>(x, y);",
                "add",
                "8, nullptr, stream",
                "(x, y);",
            ),
            (
                "ns::add<A<2>, 4><<<f(1 >> 2), 0>>>(x);",
                "ns::add<A<2>, 4>",
                "f(1 >> 2), 0",
                "(x);",
            ),
            ("add_##T<<<1>>>(x);", "add_##T", "1", "(x);"),
            (
                "add <<<n,\n  nullptr>>> (x);",
                "add",
                "n,\n  nullptr",
                " (x);",
            ),
            (
                "add<<<1>>>(0, f(0), NULL , {0}, 10, x);",
                "add",
                "1",
                "(ascendc_cpu::Zero(), f(0), ascendc_cpu::Zero() , {0}, 10, x);",
            ),
        ] {
            assert_eq!(
                as_calls(&format!("{{ {text} }}")),
                Some(format!("{{ {}{rest} }}", launch(name, config)))
            );
        }
        for plain in [
            "// add<<<8>>>(x)",
            "const char *s = \"k<<<1>>>\";",
            "std::cout << x;",
            "<<<",
            "1 <<<",
        ] {
            assert_eq!(as_calls(plain), None, "{plain}");
        }
    }
}
