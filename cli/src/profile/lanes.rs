//! The timeline of the longest block as a picture: a lane for each pipe, waits in the colour of
//! their reason, the critical path in red.
//!
//! A block of few instructions is shown whole. A longer one is shown in three windows, each with
//! the time that it covers.

use super::svg::{step, Anchor, Line, Rect, Svg, Words};
use super::Profile;
use jumar::dsl::cost::replay::{Part, Reason, Slice, State};
use jumar::dsl::ops::contract::Pipe;
use std::collections::BTreeSet;

const LEFT: f64 = 70.0;
const RIGHT: f64 = 30.0;
const LANE: f64 = 26.0;
const GAP: f64 = 12.0;
/// Most instructions of a window whose words can be read.
const MOST: usize = 90;
/// The width of a letter of the smallest size.
const LETTER: f64 = 6.2;

const DARK: &str = "#222222";
const PALE: &str = "#777777";
const BUSY: &str = "#4c78a8";
const CRITICAL: &str = "#d62728";

/// Returns the colour of a state; that of a flag is the one of the pipe that sets it.
fn colour(state: State) -> &'static str {
    match state {
        State::Busy => BUSY,
        State::Waits(Reason::Scalar) => "#d9d9d9",
        State::Waits(Reason::Flag(Pipe::S)) => "#c49c94",
        State::Waits(Reason::Flag(Pipe::V)) => "#ffbb78",
        State::Waits(Reason::Flag(Pipe::Mte2)) => "#98df8a",
        State::Waits(Reason::Flag(Pipe::Mte3)) => "#c5b0d5",
        State::Waits(Reason::Result) => "#f7b6d2",
        State::Waits(Reason::Barrier) => "#dbdb8d",
        State::Waits(Reason::Queue(_)) => "#9edae5",
        State::Waits(Reason::Cores) => "#e7969c",
    }
}

fn legend(state: State) -> String {
    match state {
        State::Busy => "busy".to_string(),
        State::Waits(Reason::Queue(_)) => "waits for a full queue".to_string(),
        State::Waits(reason) => format!("waits for {reason}"),
    }
}

/// A part of the block's time, in cycles.
struct Window {
    name: &'static str,
    begin: f64,
    end: f64,
}

/// Returns the parts of a block that are shown.
fn windows(profile: &Profile<'_>) -> Vec<Window> {
    let timeline = profile.timeline;
    let slices = timeline.slices.iter();
    let instructions = slices
        .filter(|slice| slice.state == State::Busy && slice.at.pipe != Pipe::S)
        .count();
    let whole = timeline.cycles;
    if instructions <= MOST {
        return vec![Window {
            name: "the whole block",
            begin: 0.0,
            end: whole.max(1.0),
        }];
    }
    let span = whole * MOST as f64 / (3 * instructions) as f64;
    let middle = (whole - span) / 2.0;
    let from = [
        ("the beginning", 0.0),
        ("the middle", middle),
        ("the end", whole - span),
    ];
    let windows = from.into_iter().map(|(name, begin)| Window {
        name,
        begin,
        end: begin + span,
    });
    windows.collect()
}

/// Draws the timeline at the top of a picture, and returns where it ends.
pub fn draw(svg: &mut Svg, profile: &Profile<'_>) -> f64 {
    let (trace, timeline) = (profile.trace, profile.timeline);
    let title = format!(
        "{} on {}: predicted timeline of block {}",
        trace.kernel, trace.chip, timeline.stream.block
    );
    heading(svg, 30.0, &title);
    let micros = timeline.cycles / profile.prediction.clock_mhz as f64;
    let about = format!(
        "{micros:.2} us from its first instruction, if no other core used the memory; a replay of events, not a measurement"
    );
    note(svg, 50.0, &about);
    let (windows, path) = (windows(profile), timeline.critical_path());
    let mut top = 76.0;
    for window in &windows {
        let panel = Panel {
            profile,
            window,
            top,
            scale: (svg.width - LEFT - RIGHT) / (window.end - window.begin),
        };
        panel.head(svg, windows.len());
        panel.slices(svg);
        panel.path(svg, &path);
        panel.axis(svg);
        top = panel.bottom() + 44.0;
    }
    legends(svg, profile, top)
}

fn heading(svg: &mut Svg, y: f64, text: &str) {
    svg.words(&Words {
        x: 20.0,
        y,
        size: 18,
        anchor: Anchor::Start,
        fill: DARK,
        text,
    });
}

fn note(svg: &mut Svg, y: f64, text: &str) {
    svg.words(&Words {
        x: 20.0,
        y,
        size: 12,
        anchor: Anchor::Start,
        fill: PALE,
        text,
    });
}

/// The lanes of one window.
struct Panel<'a> {
    profile: &'a Profile<'a>,
    window: &'a Window,
    top: f64,
    /// Widths of a cycle.
    scale: f64,
}

/// A rectangle of a lane that may stand for several slices.
struct Bar<'a> {
    slice: &'a Slice,
    from: f64,
    to: f64,
    count: usize,
}

impl Panel<'_> {
    fn x(&self, cycles: f64) -> f64 {
        LEFT + (cycles.clamp(self.window.begin, self.window.end) - self.window.begin) * self.scale
    }

    fn y(&self, pipe: Pipe) -> f64 {
        self.top + 14.0 + pipe as usize as f64 * (LANE + GAP)
    }

    fn bottom(&self) -> f64 {
        self.y(Pipe::S) + Pipe::COUNT as f64 * (LANE + GAP)
    }

    fn micros(&self, cycles: f64) -> f64 {
        cycles / self.profile.prediction.clock_mhz as f64
    }

    fn is_shown(&self, begin: f64, end: f64) -> bool {
        end > self.window.begin && begin < self.window.end
    }

    fn head(&self, svg: &mut Svg, windows: usize) {
        let Window { name, begin, end } = self.window;
        let whole = self.micros(self.profile.timeline.cycles);
        let text = match windows {
            1 => String::from(*name),
            _ => format!(
                "{name}: {:.2} to {:.2} of {whole:.2} us",
                self.micros(*begin),
                self.micros(*end)
            ),
        };
        svg.words(&Words {
            x: LEFT,
            y: self.top + 6.0,
            size: 12,
            anchor: Anchor::Start,
            fill: DARK,
            text: &text,
        });
        for pipe in Pipe::ALL {
            svg.words(&Words {
                x: LEFT - 8.0,
                y: self.y(pipe) + LANE * 0.7,
                size: 13,
                anchor: Anchor::End,
                fill: DARK,
                text: pipe.name(),
            });
            svg.rect(&Rect {
                x: LEFT,
                y: self.y(pipe),
                width: svg.width - LEFT - RIGHT,
                height: LANE,
                fill: "#f7f7f7",
                title: "",
            });
        }
    }

    /// Returns the rectangles of a lane. Slices too small to be seen are taken together.
    fn bars(&self, pipe: Pipe) -> Vec<Bar<'_>> {
        let mut bars: Vec<Bar<'_>> = Vec::new();
        for slice in &self.profile.timeline.slices {
            if slice.at.pipe != pipe || !self.is_shown(slice.begin, slice.end) {
                continue;
            }
            let (from, to) = (self.x(slice.begin), self.x(slice.end));
            match bars.last_mut() {
                Some(bar)
                    if colour(bar.slice.state) == colour(slice.state)
                        && from - bar.to < 0.3
                        && to - from < 3.0 =>
                {
                    bar.to = to;
                    bar.count += 1;
                }
                _ => bars.push(Bar {
                    slice,
                    from,
                    to,
                    count: 1,
                }),
            }
        }
        bars
    }

    fn slices(&self, svg: &mut Svg) {
        for pipe in Pipe::ALL {
            for bar in self.bars(pipe) {
                let inset = if bar.slice.state == State::Busy {
                    0.0
                } else {
                    LANE / 4.0
                };
                svg.rect(&Rect {
                    x: bar.from,
                    y: self.y(pipe) + inset,
                    width: (bar.to - bar.from).max(0.3),
                    height: LANE - 2.0 * inset,
                    fill: colour(bar.slice.state),
                    title: &self.title(&bar),
                });
                let (event, trace) = (
                    self.profile.timeline.event(bar.slice.at),
                    self.profile.trace,
                );
                let label = trace.label(event);
                let fits = label.len() as f64 * LETTER < bar.to - bar.from;
                if bar.slice.state == State::Busy && bar.count == 1 && fits {
                    svg.words(&Words {
                        x: f64::midpoint(bar.from, bar.to),
                        y: self.y(pipe) + LANE * 0.65,
                        size: 11,
                        anchor: Anchor::Middle,
                        fill: "#ffffff",
                        text: &label,
                    });
                }
            }
        }
    }

    fn title(&self, bar: &Bar<'_>) -> String {
        let (slice, trace) = (bar.slice, self.profile.trace);
        let event = self.profile.timeline.event(slice.at);
        let what = match slice.state {
            State::Busy => trace.label(event),
            State::Waits(reason) => format!("waits for {reason}"),
        };
        let more = match bar.count {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        format!(
            "{} {what}{more}, {:.3} to {:.3} us",
            trace.place(event),
            self.micros(slice.begin),
            self.micros(slice.end)
        )
    }

    /// Draws the critical path below the lanes that it passes.
    fn path(&self, svg: &mut Svg, path: &[Part]) {
        let shown = path
            .iter()
            .filter(|part| self.is_shown(part.begin, part.end));
        for part in shown {
            let y = self.y(part.at.pipe) + LANE + 4.0;
            svg.line(&Line {
                from: (self.x(part.begin), y),
                to: (self.x(part.end), y),
                stroke: CRITICAL,
                width: 4.0,
                dashed: false,
            });
        }
    }

    fn axis(&self, svg: &mut Svg) {
        let (begin, end) = (self.micros(self.window.begin), self.micros(self.window.end));
        let y = self.bottom() - 2.0;
        svg.line(&Line {
            from: (LEFT, y),
            to: (svg.width - RIGHT, y),
            stroke: DARK,
            width: 1.0,
            dashed: false,
        });
        let step = step(end - begin);
        let digits = if step < 0.1 { 2 } else { 1 };
        let first = (begin / step).ceil() as i64;
        let last = (end / step).floor() as i64;
        for tick in first..=last {
            let at = tick as f64 * step;
            let x = self.x(at * self.profile.prediction.clock_mhz as f64);
            svg.line(&Line {
                from: (x, y),
                to: (x, y + 5.0),
                stroke: DARK,
                width: 1.0,
                dashed: false,
            });
            let unit = if tick == last { " us" } else { "" };
            svg.words(&Words {
                x,
                y: y + 18.0,
                size: 11,
                anchor: Anchor::Middle,
                fill: DARK,
                text: &format!("{at:.digits$}{unit}"),
            });
        }
    }
}

/// Draws a sample of each colour that is used, and returns where they end.
fn legends(svg: &mut Svg, profile: &Profile<'_>, top: f64) -> f64 {
    let slices = profile.timeline.slices.iter();
    let used: BTreeSet<(String, &str)> = slices
        .filter(|slice| slice.state != State::Busy)
        .map(|slice| (legend(slice.state), colour(slice.state)))
        .collect();
    let busy = (legend(State::Busy), BUSY);
    let path = (
        "critical path, with the latency of its instructions".to_string(),
        CRITICAL,
    );
    let (mut x, mut y) = (LEFT, top);
    for (text, fill) in [busy, path].into_iter().chain(used) {
        let width = 40.0 + text.len() as f64 * LETTER;
        if x + width > svg.width - RIGHT {
            (x, y) = (LEFT, y + 20.0);
        }
        svg.rect(&Rect {
            x,
            y: y - 10.0,
            width: 14.0,
            height: 12.0,
            fill,
            title: "",
        });
        svg.words(&Words {
            x: x + 20.0,
            y,
            size: 12,
            anchor: Anchor::Start,
            fill: DARK,
            text: &text,
        });
        x += width;
    }
    y + 40.0
}
