//! The table of tools: `book/src/models/mcp.md` describes it correctly, and results keep the
//! schemas of their tools.

use jumar_kit::schema;
use jumar_llm::mcp::resources;
use jumar_llm::mcp::session::VERSIONS;
use jumar_llm::mcp::tools::{by_name, TOOLS};
use serde_json::{json, Value};
use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../book/src/models/mcp.md");

/// Returns the first two cells of each row in the table under a heading.
fn table(heading: &str) -> Vec<(&'static str, &'static str)> {
    let part = PAGE
        .split(&format!("\n{heading}\n"))
        .nth(1)
        .unwrap_or_else(|| panic!("no `{heading}`"));
    let rows = part
        .split("\n## ")
        .next()
        .unwrap_or_default()
        .lines()
        .filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        (cells[1].trim_matches('`'), cells[2])
    })
    .collect()
}

/// Returns the arguments of a tool as the page writes them.
fn written(tool: &Value) -> BTreeSet<String> {
    let schema = &tool["inputSchema"];
    let required: Vec<&str> = schema["required"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let names = schema["properties"].as_object().expect("properties").keys();
    names
        .map(|name| {
            format!(
                "`{name}{}`",
                if required.contains(&name.as_str()) {
                    ""
                } else {
                    "?"
                }
            )
        })
        .collect()
}

#[test]
fn the_page_lists_every_tool_with_its_arguments() {
    let rows = table("## Tools");
    let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), names);
    for (tool, (name, takes)) in TOOLS.iter().zip(rows) {
        let listed = tool.listed();
        let said: BTreeSet<String> = takes.split(", ").map(str::to_string).collect();
        assert_eq!(said, written(&listed), "{name}");
        for part in ["title", "description", "inputSchema", "outputSchema"] {
            assert!(!listed[part].is_null(), "{name} has no {part}");
        }
    }
}

#[test]
fn the_page_lists_every_resource_and_version() {
    let listed = resources::list();
    let uris: Vec<&str> = listed["resources"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|r| r["uri"].as_str())
        .collect();
    assert_eq!(
        table("## Resources")
            .iter()
            .map(|row| row.0)
            .collect::<Vec<_>>(),
        uris
    );
    for uri in uris {
        let page = resources::read(uri).unwrap_or_else(|| panic!("{uri}"));
        assert!(
            page["contents"][0]["text"]
                .as_str()
                .is_some_and(|text| text.len() > 1000),
            "{uri}"
        );
    }
    assert!(VERSIONS
        .iter()
        .all(|version| PAGE.contains(&format!("`{version}`"))));
}

const KERNEL: &str = "use jumar::prelude::*;
#[kernel]
pub fn gated(#[shape(n.., d)] x: &GlobalTensor<f16>, #[shape(n..)] #[index(d)] at: &GlobalTensor<i32>, y: &mut GlobalTensor<f16>, #[shape(n..)] m: Option<&mut GlobalTensor<f32>>, alphas: [f32; 2], fast: bool) {
    for r in tiles(n) {
        let v = x.at(r, ..).load().cast::<f32>();
        let k = at.at(r).load().cast::<f32>();
        let u = if fast { v * alphas[0] } else { v * alphas[1] };
        y.at(r, ..).store((u + k).cast::<f16>());
        if let Some(m) = m {
            m.at(r).store(u.amax(d));
        }
    }
}
";

#[test]
fn what_a_tool_gives_keeps_its_schema() {
    let wrong = KERNEL.replace("(u + k).cast::<f16>()", "u + k");
    let inputs =
        json!({"x": {"shape": [3, 40], "low": -2, "high": 2}, "at": {"shape": [3], "high": 40}});
    let attrs = json!({"alphas": [0.5, 2], "fast": true});
    for (name, arguments, gives) in [
        ("card", json!({}), "text"),
        (
            "card",
            json!({"tokens": 3000, "ops": ["exp"], "category": "loss", "without": "npukernelbench/swish"}),
            "text",
        ),
        ("grammar", json!({"format": "lark"}), "text"),
        ("grammar", json!({"format": "bnf", "ops": ["exp"]}), "text"),
        (
            "check",
            json!({"text": KERNEL, "chip": "ascend310p"}),
            "findings",
        ),
        ("check", json!({"text": wrong}), "findings"),
        ("fix", json!({"text": wrong}), "applied"),
        ("fmt", json!({"text": KERNEL}), "kernels"),
        (
            "emit",
            json!({"text": KERNEL, "kernel": "gated", "project": "msopgen"}),
            "files",
        ),
        ("emit", json!({"text": KERNEL, "project": "queue"}), "files"),
        (
            "run",
            json!({"text": KERNEL, "inputs": inputs, "attrs": attrs}),
            "outputs",
        ),
        (
            "run",
            json!({"text": KERNEL, "inputs": inputs, "attrs": attrs, "outputs": [{"name": "m"}], "backend": "tile", "seed": 3}),
            "outputs",
        ),
        (
            "cost",
            json!({"text": KERNEL, "shapes": {"x": [512, 64], "at": [512]}, "attrs": attrs}),
            "instances",
        ),
        ("explain", json!({"name": "J0101"}), "text"),
    ] {
        let tool = by_name(name).unwrap_or_else(|| panic!("{name}"));
        let listed = tool.listed();
        schema::check(&listed["inputSchema"], &arguments)
            .unwrap_or_else(|why| panic!("{name} takes {arguments}: {why}"));
        let given = tool
            .call(arguments.clone())
            .unwrap_or_else(|refused| panic!("{name} of {arguments}: {refused:?}"));
        schema::check(&listed["outputSchema"], &given.structured)
            .unwrap_or_else(|why| panic!("{name} gives {}: {why}", given.structured));
        assert!(
            !given.structured[gives].is_null() && !given.text.is_empty(),
            "{name}: {}",
            given.structured
        );
    }
}

#[test]
fn a_seed_draws_and_both_readers_agree() {
    let run = |seed: u64, backend: &str| {
        let inputs = json!({"x": {"shape": [5, 40]}, "at": {"shape": [5], "high": 40}});
        let arguments = json!({"text": KERNEL, "inputs": inputs, "attrs": {"alphas": [1, 2], "fast": false}, "seed": seed, "backend": backend});
        by_name("run")
            .expect("a tool")
            .call(arguments)
            .expect("it runs")
            .structured["outputs"]
            .clone()
    };
    assert_eq!(run(1, "sim"), run(1, "tile"));
    assert_eq!(run(1, "sim"), run(1, "sim"));
    assert_ne!(run(1, "sim"), run(2, "sim"));
}

#[test]
fn a_type_that_only_what_is_left_out_has_is_the_first_one() {
    let text = KERNEL
        .replace("#[kernel]", "#[kernel]\n#[instances(f32, f16)]")
        .replace("gated(", "gated<U: Float>(")
        .replace(
            "Option<&mut GlobalTensor<f32>>",
            "Option<&mut GlobalTensor<U>>",
        )
        .replace("u.amax(d)", "u.amax(d).cast::<U>()");
    let inputs = json!({"x": {"shape": [5, 40]}, "at": {"shape": [5], "high": 40}});
    let run = |outputs| {
        let attrs = json!({"alphas": [1, 2], "fast": false});
        by_name("run")
            .expect("a tool")
            .call(json!({"text": text, "inputs": inputs, "attrs": attrs, "outputs": outputs}))
    };
    for (outputs, instance) in [
        (json!([]), "f32"),
        (json!([{"name": "m", "dtype": "f16"}]), "f16"),
    ] {
        assert_eq!(
            run(outputs).expect("it runs").structured["instance"],
            json!([instance])
        );
    }
    let refused = run(json!([{"name": "m"}])).expect_err("two types");
    assert!(
        format!("{refused:?}").contains("`dtype` must be said"),
        "{refused:?}"
    );
}

#[test]
fn what_a_launch_lacks_is_said_by_its_name() {
    let x = json!({"shape": [3, 40]});
    let at = json!({"shape": [3], "high": 40});
    let attrs = json!({"alphas": [0.5, 2], "fast": true});
    for (inputs, attrs, outputs, why) in [
        (
            json!({"x": x}),
            attrs.clone(),
            json!([]),
            "the tensor `at` is missing",
        ),
        (
            json!({"x": x, "at": at, "y": x}),
            attrs.clone(),
            json!([]),
            "`y` is an output",
        ),
        (
            json!({"x": [x], "at": at}),
            attrs.clone(),
            json!([]),
            "`x` is one tensor, and an array is given",
        ),
        (
            json!({"x": x, "at": {"shape": [4]}}),
            attrs.clone(),
            json!([]),
            "J0603",
        ),
        (
            json!({"x": x, "at": at}),
            json!({"alphas": [1], "fast": true}),
            json!([]),
            "`alphas` is a list of 2, and 1 were given",
        ),
        (
            json!({"x": x, "at": at}),
            json!({"alphas": 1, "fast": true}),
            json!([]),
            "`alphas` is a list: give an array",
        ),
        (
            json!({"x": x, "at": at}),
            json!({"alphas": [1, 1e300], "fast": true}),
            json!([]),
            "no value of `alphas`",
        ),
        (
            json!({"x": x, "at": at}),
            json!({"alphas": [1, 2], "fast": 1}),
            json!([]),
            "no value of `fast`, which is true or false",
        ),
        (
            json!({"x": x, "at": at}),
            json!({"alphas": [1, 2]}),
            json!([]),
            "J0605",
        ),
        (
            json!({"x": x, "at": at}),
            json!({"slow": true}),
            json!([]),
            "no attribute `slow`",
        ),
        (
            json!({"x": x, "at": at}),
            attrs.clone(),
            json!([{"name": "z"}]),
            "no output `z`",
        ),
        (
            json!({"x": {"shape": [3, 40], "dtype": "f32"}, "at": at}),
            attrs.clone(),
            json!([]),
            "no instance has these element types",
        ),
        (
            json!({"x": {"shape": [3, 40], "dtype": "float"}, "at": at}),
            attrs.clone(),
            json!([]),
            "`float` of `x` is no element type",
        ),
        (
            json!({"x": {"shape": [3, 40], "low": 1, "high": 0}, "at": at}),
            attrs.clone(),
            json!([]),
            "has no numbers",
        ),
        (
            json!({"x": {"shape": [1], "data": ["one"]}, "at": at}),
            attrs.clone(),
            json!([]),
            "J0603",
        ),
        (
            json!({"x": {"shape": [1, 1], "data": ["one"]}, "at": {"shape": [1], "data": [0]}}),
            attrs.clone(),
            json!([]),
            "a word that is none of",
        ),
        (
            json!({"x": {"shape": [-1]}, "at": at}),
            attrs.clone(),
            json!([]),
            "invalid value: integer `-1`",
        ),
    ] {
        let arguments =
            json!({"text": KERNEL, "inputs": inputs, "attrs": attrs, "outputs": outputs});
        let refused = by_name("run")
            .expect("a tool")
            .call(arguments)
            .expect_err(why);
        assert!(refused.0[0].contains(why), "{why}: {}", refused.0[0]);
    }
}
