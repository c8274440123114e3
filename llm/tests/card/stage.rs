//! The kernel around an example of the card.
//!
//! The names of the common kernels are those that the card says: `x`, `y`, `w`, `s`, `z`, `ids`,
//! `table` and `h`, `r` of `tiles(n)`, and `v`. A parameter that nothing names is left out.
//!
//! | stage | the example |
//! |---|---|
//! | `row`, or none | stands in the loop over rows |
//! | `value` | is a tile in that loop |
//! | `top` | stands in the body of the kernel |
//! | `whole` | is a kernel, or a module |
//! | a text | stands at `@@` of that text |

use jumar_llm::card::Line;

const USE: &str = "use jumar::prelude::*;\n";

const INPUTS: [(&str, &str); 6] = [
    ("x", "#[shape(n, d)] x: &GlobalTensor<f32>"),
    ("h", "#[shape(n, d)] h: &GlobalTensor<f16>"),
    ("w", "#[shape(d)] w: &GlobalTensor<f32>"),
    ("s", "#[shape(n)] s: &GlobalTensor<f32>"),
    ("ids", "#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>"),
    ("table", "#[shape(m, d)] table: &GlobalTensor<f32>"),
];

const OUTPUTS: [(&str, &str); 2] = [
    ("y", "#[shape(n, d)] y: &mut GlobalTensor<f32>"),
    ("z", "#[shape(n)] z: &mut GlobalTensor<f32>"),
];

/// Returns a kernel in which `code` stands, an example of the line or its mistake.
pub fn kernel(line: &Line, code: &str) -> String {
    let mut code = code.trim().to_string();
    for (nth, _) in code.clone().match_indices("{ .. }").enumerate() {
        let inner = line.inner.get(nth).or(line.inner.last());
        let inner = inner.unwrap_or_else(|| panic!("`{code}` has no statements for `..`"));
        code = code.replacen("{ .. }", &format!("{{ {inner} }}"), 1);
    }
    let stage = line.stage.as_deref().unwrap_or("row");
    if stage.contains("@@") {
        return stage.replace("@@", &code);
    }
    let (mut body, mut out) = (code.clone(), line.out.clone());
    match stage {
        "whole" => return format!("{USE}{code}\n"),
        "value" => {
            body = format!("let u = {code};");
            out = out.or(Some("u".into()));
        }
        "row" | "top" => {}
        _ => panic!("`{stage}` is no stage"),
    }
    if let Some(out) = out {
        body += &format!("\n        y.at(r, ..).store({out});");
    }
    if stage != "top" {
        let v = match has_word(&body, "v") {
            true => "let v = x.at(r, ..).load();\n        ",
            false => "",
        };
        body = format!("for r in tiles(n) {{\n        {v}{body}\n    }}");
    }
    let before = line.before.as_deref().unwrap_or_default();
    body = format!("    {before}\n    {body}");
    let named =
        |(name, text): &(&'static str, &'static str)| has_word(&body, name).then_some(*text);
    let mut params: Vec<&str> = INPUTS.iter().filter_map(named).collect();
    params.extend(line.params.as_deref());
    if params.is_empty() {
        // An input gives the sizes; the name says that nothing reads it.
        params.push("#[shape(n, d)] _x: &GlobalTensor<f32>");
    }
    params.extend(OUTPUTS.iter().filter_map(named));
    format!(
        "{USE}#[kernel]\npub fn k({}) {{\n{body}\n}}\n",
        params.join(", ")
    )
}

/// True if a name stands in a text as a word of its own.
pub fn has_word(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !is_word(c)).any(|word| word == name)
}
