//! The timeline as JSON in the Trace Event Format of Chrome, which Perfetto opens.
//!
//! A pipe is a thread, and its work and its waits are complete events (`X`). The critical path is
//! one more thread. An arrow (`s` to `f`) goes to a wait from the instruction that ends it.
//! Timestamps are microseconds with three decimals, rounded so that neighbours never overlap: the
//! format asks for slices that nest.

use super::Profile;
use jumar::dsl::cost::event::{Event, Hint, What};
use jumar::dsl::cost::replay::{Passes, Point, Reason, State};
use jumar::dsl::ops::contract::Pipe;
use serde_json::{json, Map, Value};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// The thread of the critical path, behind those of the pipes.
const PATH: usize = Pipe::COUNT + 1;

/// Writes the timeline of a profile.
pub fn write(out: &mut impl Write, profile: &Profile<'_>) -> io::Result<()> {
    let head = json!({
        "predicted": true,
        "note": "a replay of events, not a measurement",
        "kernel": profile.trace.kernel,
        "chip": profile.trace.chip,
        "blocks": profile.prediction.blocks,
        "launch_us": profile.prediction.launch,
        "predicted_us": profile.prediction.micros,
    });
    write!(
        out,
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{head},\"traceEvents\":["
    )?;
    let mut events = Events {
        out: &mut *out,
        profile,
        // Perfetto takes the process 0 for an idle processor.
        process: profile.timeline.stream.block + 1,
        count: 0,
    };
    events.names()?;
    events.slices()?;
    events.path()?;
    writeln!(out, "\n]}}")
}

/// The list of events as it is written.
struct Events<'a, W> {
    out: &'a mut W,
    profile: &'a Profile<'a>,
    process: u32,
    count: u64,
}

fn thread(pipe: Pipe) -> usize {
    pipe as usize + 1
}

impl<W: Write> Events<'_, W> {
    fn add(&mut self, event: &Value) -> io::Result<()> {
        let comma = if self.count == 0 { "" } else { "," };
        self.count += 1;
        write!(self.out, "{comma}\n{event}")
    }

    /// Returns the nanoseconds of a cycle count.
    fn nanos(&self, cycles: f64) -> i64 {
        (cycles * 1000.0 / self.profile.prediction.clock_mhz as f64).round() as i64
    }

    fn names(&mut self) -> io::Result<()> {
        let (kernel, process) = (&self.profile.trace.kernel, self.process);
        let name = format!("{kernel}, block {}, predicted", process - 1);
        self.add(
            &json!({"name": "process_name", "ph": "M", "pid": process, "args": {"name": name}}),
        )?;
        let pipes = Pipe::ALL.map(|pipe| (thread(pipe), pipe.name()));
        for (thread, name) in pipes.into_iter().chain([(PATH, "critical path")]) {
            self.add(&json!({"name": "thread_name", "ph": "M", "pid": process, "tid": thread, "args": {"name": name}}))?;
            self.add(&json!({"name": "thread_sort_index", "ph": "M", "pid": process, "tid": thread, "args": {"sort_index": thread}}))?;
        }
        Ok(())
    }

    fn slices(&mut self) -> io::Result<()> {
        let timeline = self.profile.timeline;
        let path = timeline.critical_path();
        let critical: BTreeSet<usize> = path.iter().map(|part| part.slice).collect();
        for (index, slice) in timeline.slices.iter().enumerate() {
            let event = timeline.event(slice.at);
            let label = self.profile.trace.label(event);
            let (name, category) = match slice.state {
                State::Busy if slice.at.pipe == Pipe::S && !is_scalar(event) => {
                    (format!("issue {label}"), "issue")
                }
                State::Busy => (label, "busy"),
                State::Waits(reason) => (format!("waits for {reason}"), "wait"),
            };
            let mut args = match category {
                "busy" => self.arguments(event),
                _ => self.place(event),
            };
            if critical.contains(&index) {
                args.insert("on_critical_path".into(), json!(true));
            }
            if slice.done > slice.end {
                let done = self.nanos(slice.done) as f64 / 1000.0;
                args.insert("results_at_us".into(), json!(done));
            }
            let cause = timeline.causes[index].map(|cause| (cause, timeline.slices[cause.slice]));
            if let (State::Waits(reason), Some((cause, by))) = (slice.state, cause) {
                args.insert("reason".into(), json!(reason.to_string()));
                if cause.point == Point::Done {
                    let by = timeline.event(by.at);
                    let trace = self.profile.trace;
                    let ends = format!("{} at {}", trace.label(by), trace.place(by));
                    args.insert("ended_by".into(), json!(ends));
                }
            }
            let (begin, end) = (self.nanos(slice.begin), self.nanos(slice.end));
            let tid = thread(slice.at.pipe);
            self.complete(tid, (&name, category), begin, end, &args)?;
            if let (State::Waits(Reason::Flag(_)), Some((_, by))) = (slice.state, cause) {
                // An arrow never points back: a wait may begin before the instruction that ends it.
                let from = self.nanos(by.begin);
                let (pid, to) = (self.process, from.max(begin));
                let arrow = |kind: &str, tid: usize, at: i64| {
                    json!({
                        "name": "flag", "cat": "flag", "ph": kind, "id": index, "pid": pid, "tid": tid,
                        "ts": at as f64 / 1000.0, "bp": "e",
                    })
                };
                self.add(&arrow("s", thread(by.at.pipe), from))?;
                self.add(&arrow("f", tid, to))?;
            }
        }
        Ok(())
    }

    fn path(&mut self) -> io::Result<()> {
        for part in self.profile.timeline.critical_path().iter().rev() {
            let event = self.profile.timeline.event(part.at);
            let label = self.profile.trace.label(event);
            let name = match part.passes {
                Passes::Busy if part.at.pipe == Pipe::S && !is_scalar(event) => {
                    format!("issue {label}")
                }
                Passes::Busy | Passes::Flag => label,
                Passes::Latency => format!("latency of {label}"),
                Passes::Issue => format!("issue {label}"),
                Passes::Cores => "other cores".to_string(),
            };
            let mut args = self.place(event);
            args.insert("pipe".into(), json!(part.at.pipe.name()));
            let (begin, end) = (self.nanos(part.begin), self.nanos(part.end));
            self.complete(PATH, (&name, "critical path"), begin, end, &args)?;
        }
        Ok(())
    }

    fn complete(
        &mut self,
        thread: usize,
        named: (&str, &str),
        begin: i64,
        end: i64,
        args: &Map<String, Value>,
    ) -> io::Result<()> {
        let (name, category) = named;
        let (ts, dur) = (begin as f64 / 1000.0, (end - begin) as f64 / 1000.0);
        self.add(&json!({
            "name": name, "cat": category, "ph": "X", "ts": ts, "dur": dur, "pid": self.process, "tid": thread, "args": args,
        }))
    }

    fn place(&self, event: &Event) -> Map<String, Value> {
        let place = self.profile.trace.place(event);
        Map::from_iter([("place".to_string(), json!(place))])
    }

    /// Returns what an event says of itself.
    fn arguments(&self, event: &Event) -> Map<String, Value> {
        let trace = self.profile.trace;
        let mut args = self.place(event);
        let mut add = |name: &str, value: Value| {
            args.insert(name.into(), value);
        };
        match event.what {
            What::Vector {
                op,
                repeats,
                lanes,
                last,
                ..
            } => {
                add("op", json!(trace.name(op)));
                add("repeats", json!(repeats));
                add("elements_of_a_repeat", json!(lanes));
                add("elements_of_the_last", json!(last));
            }
            What::Copy {
                op,
                gm,
                hint,
                stretches,
                ..
            } => {
                add("op", json!(trace.name(op)));
                let bytes = u64::from(stretches.count) * u64::from(stretches.bytes);
                add("bytes", json!(bytes));
                add("rows", json!(stretches.count));
                let gm = format!("{}+{}", trace.name(gm.tensor), gm.at);
                add("gm", json!(gm));
                add("bypasses_l2", json!(hint == Hint::Bypass));
            }
            What::Scalar {
                op, bytes, writes, ..
            } => {
                add("op", json!(trace.name(op)));
                add("bytes", json!(bytes));
                add("writes", json!(writes));
            }
            What::Set { id, .. } | What::Wait { id, .. } => add("flag", json!(id)),
            What::CrossSet { id, .. } | What::CrossWait { id } => add("flag", json!(id)),
            What::Repeat { times, .. } => add("times", json!(times)),
            What::Barrier { .. } | What::SyncAll => {}
        }
        args
    }
}

/// True for work of the scalar unit itself, beside what it hands over.
fn is_scalar(event: &Event) -> bool {
    match event.what {
        What::Scalar { .. } => true,
        What::Vector { .. }
        | What::Copy { .. }
        | What::Set { .. }
        | What::Wait { .. }
        | What::Barrier { .. }
        | What::SyncAll
        | What::CrossSet { .. }
        | What::CrossWait { .. }
        | What::Repeat { .. } => false,
    }
}
