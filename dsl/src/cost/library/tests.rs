use super::*;
use crate::cost::event::{Event, Name, Trace};

/// Returns the instructions of a call as lines.
pub(super) fn lines(call: &str) -> Result<String, Unknown> {
    let mut names = Names::default();
    let whats = Call::from_text(call)?.expand(&mut names)?;
    let events = whats.into_iter().map(|what| Event {
        file: Name(0),
        line: 0,
        what,
    });
    let events: Vec<Event> = events.collect();
    let trace = Trace {
        chip: String::new(),
        kernel: String::new(),
        blocks: 1,
        auto_sync: false,
        names: names.into_vec(),
        streams: Vec::new(),
    };
    let line = |event: &Event| {
        let line = trace.line(event);
        let (_, what) = line.split_once(' ').unwrap_or_default();
        format!("{what}\n")
    };
    Ok(events.iter().map(line).collect())
}

#[test]
fn a_function_of_one_tensor_works_on_pieces() {
    let tanh = "\
V Mins 1*64/64 w8192,1,8,4 r0,1,8,4
barrier V
V Maxs 1*64/64 w8192,1,8,4 r8192,1,8,4
barrier V
V Muls 1*64/64 w8192,1,8,4 r8192,1,8,4
barrier V
V Exp 1*64/64 w8192,1,8,4 r8192,1,8,4
barrier V
V Adds 1*64/64 w4096,1,8,4 r8192,1,8,4
barrier V
V Adds 1*64/64 w8192,1,8,4 r8192,1,8,4
barrier V
V Div 1*64/64 w4096,1,8,4 r4096,1,8,4 r8192,1,8,4
barrier V
";
    let found =
        lines("Tanh float count=100 dst=4096 tmp=8192 tmp_bytes=256 src=0 reuses=0 terms=0");
    let found = found.expect("a recipe");
    assert!(found.starts_with(tanh), "{found}");
    let rest = &found[tanh.len()..];
    assert!(
        rest.starts_with("V Mins 1*64/36 w8192,1,8,4 r256,1,8,4\n"),
        "{rest}"
    );
    assert_eq!(rest.lines().count(), tanh.lines().count());
}

#[test]
fn choices_of_the_caller_change_the_instructions() {
    let count = |call: &str| {
        let found = lines(call).expect("a recipe");
        found.lines().filter(|line| line.starts_with("V ")).count()
    };
    let exp = "Exp float count=64 dst=4096 tmp=8192 tmp_bytes=1024 src=0 reuses=0";
    assert_eq!(count(&format!("{exp} terms=10")), 7 + 9 * 3 + 1);
    assert_eq!(count(&format!("{exp} terms=0")), 1);
    let gelu = "Gelu half count=64 dst=4096 tmp=8192 tmp_bytes=1024 src=0";
    assert_eq!(count(&format!("{gelu} precise=0 fast=0")), 13);
    assert_eq!(count(&format!("{gelu} precise=1 fast=1")), 16);
}

#[test]
fn what_has_no_instructions_is_told() {
    for (call, why) in [
        ("Sin", "`Sin` is no call of the library"),
        (
            "Sin float count",
            "`Sin float count` is no call of the library",
        ),
        ("Sin float src=0", "the record has no `count`"),
        (
            "Sin int32_t count=8",
            "its instructions are not written down",
        ),
    ] {
        assert_eq!(lines(call).expect_err("an error").to_string(), why);
    }
}

#[test]
fn all_instructions_of_recipes_have_a_cost_class() {
    for (name, element) in elementwise::all() {
        let (name, choices) = name.split_once(' ').unwrap_or((name, ""));
        let choices: String = choices
            .split(' ')
            .map(|choice| format!(" {choice}=1"))
            .collect();
        let call = format!(
            "{name} {element} count=100 dst=4096 src=0 src1=2048 tmp=8192 tmp_bytes=3072 terms=3{}",
            choices.trim_end_matches(" =1")
        );
        let found = lines(&call).expect("a recipe");
        for line in found.lines().filter(|line| line.starts_with("V ")) {
            let op = line.split(' ').nth(1).unwrap_or_default();
            assert!(class(op).is_some(), "{name}: {op} has no cost class");
        }
    }
}

/// Calls of the functions with files of their own, and the vector instructions of each.
const CALLS: &[(&str, usize)] = &[
    ("BroadCast float dst=4096 src=0 tmp=8192 tmp_bytes=4096 rows=16 row=32 src_rows=16 src_row=1 axis=1", 2),
    ("BroadCast uint8_t dst=4096 src=0 tmp=8192 tmp_bytes=4096 rows=6 row=32 src_rows=1 src_row=32 axis=0", 4),
    ("CumSum float dst=4096 src=0 tmp=8192 tmp_bytes=4096 rows=5 row=16 last_axis=1 gives_last=0 last=0", 18),
    ("CumSum half dst=4096 src=0 tmp=8192 tmp_bytes=4096 rows=3 row=32 last_axis=0 gives_last=1 last=64", 5),
    ("Extract half values=0 indices=512 sorted=1024 repeats=2", 2),
    ("Power float count=64 dst=4096 src=0 src1=1024 tmp=8192 tmp_bytes=2304 base_is_number=0 exponent_is_number=0", 45),
    ("ReduceAny uint8_t dst=4096 src=0 tmp=8192 first=5 last=20 rows=1 reuses=0", 12),
    ("ReduceMax float dst=4096 src=0 tmp=8192 first=8 last=128 rows=1 reuses=0", 4),
    ("ReduceMean float dst=4096 src=0 tmp=8192 first=5 last=64 rows=0 reuses=1", 5),
    ("ReduceProd float dst=4096 src=0 tmp=8192 first=2 last=8 rows=1 reuses=0", 14),
    ("ReduceSum float dst=4096 src=0 tmp=8192 first=9 last=96 rows=1 reuses=0", 4),
    ("RmsNorm half dst=4096 src=0 gamma=1024 tmp=8192 row=128 row_real=120 rounds=1 rows=2 rows_aligned=8 rows_last=1 blocks=0", 30),
    ("Select half dst=4096 src=0 mask=1024 mask_size=1 tmp=8192 tmp_bytes=1024 rows=4 row=64 mask_row=96 reuses=1 elements=256", 6),
    ("SoftMax float dst=4096 src=0 tmp=8192 tmp_bytes=4000 rows=4 rows_real=4 row=32 row_real=32 gives_sums=0 sum=0 max=0 sum_size=0", 15),
    ("Sort float dst=4096 scores=0 indices=1024 tmp=8192 repeats=4 whole=1", 4),
];

#[test]
fn functions_of_rows_have_as_many_instructions_as_the_library() {
    for (call, count) in CALLS {
        let found = lines(call).unwrap_or_else(|why| panic!("{call}: {why}"));
        let ops = found.lines().filter_map(|line| line.strip_prefix("V "));
        let ops: Vec<&str> = ops
            .map(|line| line.split(' ').next().unwrap_or_default())
            .collect();
        assert_eq!(ops.len(), *count, "{call}: {found}");
        let nameless = ops.iter().find(|op| class(op).is_none());
        assert_eq!(nameless, None, "{call}");
    }
}
