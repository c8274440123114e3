//! `jumar mcp` from outside: sessions that are played line by line, limits, cancelled calls, and
//! the public client library.
//!
//! Every file `mcp/NAME.session` is a test. `>` is a line to send. The `<` lines behind it are the
//! only answers, in this order. An answer must contain what its line expects: objects may have more
//! fields, and a text with `~` is a substring.

use jumar_kit::files::below;
use serde_json::{json, Value};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

const RIGHT: &str = "use jumar::prelude::*;
#[kernel]
pub fn scale<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, #[default(2.0)] alpha: f32) {
    for t in tiles(x) {
        let v = x.at(t).load().cast::<f32>();
        y.at(t).store((v * alpha).cast::<T>());
    }
}
";

const LISTS: &str = "use jumar::prelude::*;
#[kernel]
pub fn lists(xs: &[GlobalTensor<f32>], alphas: &[f32], #[inplace] sums: &mut [GlobalTensor<f32>], ys: &mut [GlobalTensor<f32>], beta: f32) {
    for (x, a, s, y) in zip((xs, alphas, sums, ys)) {
        for t in tiles(x) {
            let v = x.at(t).load() * a + beta;
            y.at(t).store(v);
            s.at(t).store(s.at(t).load() + v);
        }
    }
}
";

/// A kernel with an index that is data.
const INDEX: &str = "use jumar::prelude::*;
#[kernel]
pub fn picked(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m)] #[index(n)] at: &GlobalTensor<i32>, #[shape(m)] y: &mut GlobalTensor<f32>) {
    for t in tiles(m) {
        y.at(t).store(x.at(at.at(t).load()).load());
    }
}
";

/// A kernel that runs longer than any time limit of the tests.
const LONG: &str = "use jumar::prelude::*;
#[kernel]
pub fn long(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, turns: usize) {
    for t in tiles(x) {
        let mut v = x.at(t).load();
        for i in 0..turns {
            v = v * 1.0001;
        }
        y.at(t).store(v);
    }
}
";

/// A server that ends with the test.
struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn new(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jumar"));
        command
            .arg("mcp")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().expect("jumar starts");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("a pipe"));
        Server {
            child,
            input,
            output: BufReader::new(output),
        }
    }

    /// Starts a server and agrees on a version.
    fn ready(arguments: &[&str]) -> Self {
        let mut server = Server::new(arguments);
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}});
        server.send(
            &json!({"jsonrpc": "2.0", "id": "begin", "method": "initialize", "params": params})
                .to_string(),
        );
        assert_eq!(server.next()["id"], "begin");
        server
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it is open");
        input
            .write_all(format!("{line}\n").as_bytes())
            .expect("it is read");
        input.flush().expect("it is read");
    }

    fn call(&mut self, id: u64, tool: &str, arguments: Value) {
        let params = json!({"name": tool, "arguments": arguments});
        self.send(
            &json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
                .to_string(),
        );
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("`{line}`: {e}"))
    }

    /// Closes its input, and returns its remaining output and its exit code.
    fn end(mut self) -> (String, Option<i32>) {
        self.input = None;
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.output, &mut rest).expect("text");
        (rest, self.child.wait().expect("it ends").code())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A server that has ended cannot be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Says why a value differs from the expected one.
fn differs(want: &Value, found: &Value) -> Option<String> {
    match (want, found) {
        (Value::Object(want), Value::Object(_)) => want.iter().find_map(|(name, want)| {
            let why = found
                .get(name)
                .map_or(Some("is missing".to_string()), |found| differs(want, found));
            why.map(|why| format!(".{name}{why}"))
        }),
        (Value::Array(want), Value::Array(found)) if want.len() == found.len() => {
            let each = want.iter().zip(found).enumerate();
            each.filter_map(|(i, (want, found))| {
                differs(want, found).map(|why| format!("[{i}]{why}"))
            })
            .next()
        }
        (Value::String(want), Value::String(found)) if want.starts_with('~') => {
            (!found.contains(&want[1..])).then(|| format!(" has no `{}`: {found}", &want[1..]))
        }
        (Value::Number(want), Value::Number(found)) if want.as_f64() == found.as_f64() => None,
        (want, found) => (want != found).then(|| format!(" is {found}, not {want}")),
    }
}

/// Plays a session, and returns the number of its answers.
fn play(path: &Path) -> usize {
    let text = fs::read_to_string(path).expect("a session");
    let quoted = |text: &str| json!(text).to_string().trim_matches('"').to_string();
    let wrong = RIGHT.replace(".cast::<T>());", ");");
    let kernels = [("$K", RIGHT), ("$W", &wrong), ("$L", LISTS), ("$I", INDEX)];
    let mut server = Server::new(&["--jobs", "1"]);
    let mut answers = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let line = kernels
            .iter()
            .fold(line.to_string(), |line, (name, kernel)| {
                line.replace(name, &quoted(kernel))
            });
        match line.split_at(1) {
            ("#", _) => {}
            (">", line) => server.send(line.trim()),
            ("<", want) => {
                let want: Value = serde_json::from_str(want)
                    .unwrap_or_else(|e| panic!("{}:{number}: {e}", path.display()));
                let found = server.next();
                answers += 1;
                if let Some(why) = differs(&want, &found) {
                    panic!("{}:{number}: {why}", path.display());
                }
            }
            _ => panic!("{}:{number}: a line begins with #, > or <", path.display()),
        }
    }
    assert_eq!(server.end(), (String::new(), Some(0)), "{}", path.display());
    answers
}

#[test]
fn sessions_are_answered_as_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp");
    let files = below(&folder, &["session"]);
    let answers: usize = files.iter().map(|path| play(path)).sum();
    assert!(
        files.len() >= 4 && answers >= 70,
        "{answers} answers in {files:?}"
    );
}

fn long(turns: u64) -> Value {
    json!({"text": LONG, "inputs": {"x": {"shape": [100000]}}, "attrs": {"turns": turns}})
}

#[test]
fn a_call_that_takes_too_much_ends_and_the_next_one_is_made() {
    let mut server = Server::ready(&["--time", "0.5", "--jobs", "1"]);
    server.call(1, "run", long(2_000_000_000));
    let found = server.next();
    let want = json!({"id": 1, "result": {"isError": true, "content": [{"text": "~not done after 0.5 s"}]}});
    assert_eq!(differs(&want, &found), None);
    server.call(2, "run", long(3));
    assert_eq!(
        differs(
            &json!({"id": 2, "result": {"isError": false}}),
            &server.next()
        ),
        None
    );
    assert_eq!(server.end(), (String::new(), Some(0)));

    let mut server = Server::ready(&["--memory", "160", "--jobs", "1"]);
    let large = json!({"text": RIGHT, "inputs": {"x": {"shape": [8000000], "dtype": "f32"}}});
    server.call(1, "run", large);
    let want = json!({"id": 1, "result": {"isError": true, "content": [{"text": "~limits of time and memory"}]}});
    assert_eq!(differs(&want, &server.next()), None);
    server.call(2, "check", json!({"text": RIGHT}));
    assert_eq!(
        differs(
            &json!({"id": 2, "result": {"structuredContent": {"ok": true}}}),
            &server.next()
        ),
        None
    );
}

#[test]
fn texts_that_are_hostile_are_refused() {
    let mut server = Server::ready(&[]);
    let deep = format!("{}1{}", "(".repeat(200_000), ")".repeat(200_000));
    let body = format!("#[kernel]\npub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {{ let v = {deep}; }}");
    for (id, text) in [
        "\u{0}",
        "\u{feff}#[kernel]",
        "#[kernel]\u{202e} fn",
        "fn \r\n",
        "#[kernel] pub fn k() {}",
        &body,
    ]
    .iter()
    .enumerate()
    {
        for tool in ["check", "fix", "fmt", "emit"] {
            server.call(id as u64, tool, json!({"text": text}));
            let found = server.next();
            assert!(
                found["result"]["content"][0]["text"].is_string(),
                "{tool} of {id}: {found}"
            );
        }
    }
    assert_eq!(server.end().1, Some(0));
}

#[test]
fn a_ping_is_answered_during_a_call_and_a_call_can_be_cancelled() {
    let mut server = Server::ready(&["--jobs", "1"]);
    let begun = Instant::now();
    server.call(1, "run", long(2_000_000_000));
    server.call(2, "explain", json!({"name": "exp"}));
    server.send(r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#);
    assert_eq!(server.next()["id"], 3);
    // The call must have begun; otherwise it would not be made at all.
    std::thread::sleep(Duration::from_millis(800));
    server.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"too long"}}"#);
    // The cancelled call has no answer, and the next call has one.
    assert_eq!(server.next()["id"], 2);
    assert_eq!(server.end(), (String::new(), Some(0)));
    assert!(
        begun.elapsed() < Duration::from_secs(50),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn calls_are_made_side_by_side() {
    let mut server = Server::ready(&["--jobs", "4"]);
    (0..20).for_each(|id| {
        server.call(
            id,
            "run",
            json!({"text": RIGHT, "inputs": {"x": {"shape": [8], "dtype": "f32"}}}),
        )
    });
    let mut ids: Vec<u64> = (0..20)
        .map(|_| server.next()["id"].as_u64().expect("a number"))
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..20).collect::<Vec<_>>());
    assert_eq!(server.end(), (String::new(), Some(0)));
}

#[test]
fn the_public_client_library_speaks_with_it() {
    let Some(python) = std::env::var_os("JUMAR_MCP_PYTHON") else {
        println!(
            "skipped: JUMAR_MCP_PYTHON names no Python with the client library (`pip install mcp`)"
        );
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/client.py");
    let ran = Command::new(python)
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_jumar"))
        .output()
        .expect("python starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(
        (text(&ran.stdout).trim(), ran.status.code()),
        ("ok", Some(0)),
        "{}",
        text(&ran.stderr)
    );
}
