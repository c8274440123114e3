//! The roofline of a launch: how far its vector unit and its bytes are from what they allow.
//!
//! To the right, a byte that moves has more work of V. The time in which V is busy is bound by the
//! memory on the left and by V itself on the right. The time of a launch counts without its start.

use super::svg::{Anchor, Line, Rect, Svg, Words};
use super::Profile;
use jumar::dsl::cost::replay::Constants;
use jumar::dsl::ops::contract::Pipe;
use jumar::dsl::soc::Chip;

const HEIGHT: f64 = 300.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 360.0;
const DARK: &str = "#222222";
const PALE: &str = "#777777";
const MEMORY: &str = "#2ca02c";
const VECTOR: &str = "#4c78a8";
const POINT: &str = "#d62728";

/// The numbers of a launch that a roofline shows, for one core.
struct Roofline {
    /// Cycles of V for each byte.
    work: f64,
    /// The part of the time in which V is busy.
    busy: f64,
    /// Bytes a cycle that the memory gives to each core.
    memory: f64,
    /// Bytes a cycle that a core copies while nobody else does.
    path: f64,
    /// Bytes that all cores move, in GB a second, if the memory alone counts.
    rate: f64,
}

impl Roofline {
    /// Returns `None` where V or the memory has nothing to do.
    fn of(profile: &Profile<'_>) -> Option<Roofline> {
        let (of, trace) = (profile.prediction, profile.trace);
        let constants = Chip::by_name(&trace.chip).and_then(Constants::of)?;
        let v = of.pipes.iter().find(|time| time.pipe == Pipe::V)?;
        let waves = f64::from(of.waves.max(1));
        let bytes = of.traffic.bytes() / f64::from(of.blocks);
        let cycles = (of.micros - of.launch) * of.clock_mhz as f64;
        if v.busy <= 0.0 || bytes <= 0.0 || cycles <= 0.0 {
            return None;
        }
        let written = of.traffic.written / of.traffic.bytes();
        let path =
            (1.0 - written) / constants.read_path.value + written / constants.write_path.value;
        Some(Roofline {
            work: v.busy / bytes,
            busy: v.busy * waves / cycles,
            memory: bytes * waves / of.memory,
            path: 1.0 / path,
            rate: of.traffic.bytes() / (of.memory / of.clock_mhz as f64) / 1000.0,
        })
    }

    /// Returns the most that V can be busy.
    fn roof(&self, work: f64) -> f64 {
        (work * self.memory).min(1.0)
    }
}

/// The scales of the picture, both logarithmic.
struct Chart {
    top: f64,
    right: f64,
    /// Powers of ten at the ends of both axes.
    x: (f64, f64),
    y: (f64, f64),
}

impl Chart {
    fn x(&self, work: f64) -> f64 {
        let part = (work.log10() - self.x.0) / (self.x.1 - self.x.0);
        LEFT + part * (self.right - LEFT)
    }

    fn y(&self, busy: f64) -> f64 {
        let part = (busy.log10() - self.y.0) / (self.y.1 - self.y.0);
        self.top + HEIGHT * (1.0 - part)
    }

    /// Draws the line of so many bytes a cycle up to where V is always busy.
    fn slope(&self, svg: &mut Svg, rate: f64, stroke: &str, dashed: bool) {
        let lowest = 10f64.powf(self.x.0).max(10f64.powf(self.y.0) / rate);
        let highest = 10f64.powf(self.x.1).min(1.0 / rate);
        if lowest < highest {
            svg.line(&Line {
                from: (self.x(lowest), self.y(lowest * rate)),
                to: (self.x(highest), self.y(highest * rate)),
                stroke,
                width: if dashed { 1.5 } else { 2.5 },
                dashed,
            });
        }
    }
}

fn words(svg: &mut Svg, x: f64, y: f64, size: u32, fill: &str, text: &str) {
    svg.words(&Words {
        x,
        y,
        size,
        anchor: Anchor::Start,
        fill,
        text,
    });
}

/// Draws the roofline below what a picture has, and returns where it ends.
pub fn draw(svg: &mut Svg, profile: &Profile<'_>, top: f64) -> f64 {
    let title = format!(
        "{} on {}: predicted roofline",
        profile.trace.kernel, profile.trace.chip
    );
    words(svg, 20.0, top + 10.0, 18, DARK, &title);
    let Some(line) = Roofline::of(profile) else {
        let text = "no point: the launch has no vector calls, or moves no bytes";
        words(svg, 20.0, top + 34.0, 12, PALE, text);
        return top + 54.0;
    };
    let about = format!(
        "{} blocks, without the time of their launch; the roofs are measured rates, no peaks; the point is a replay, not a measurement",
        profile.prediction.blocks
    );
    words(svg, 20.0, top + 30.0, 12, PALE, &about);
    let ridge = 1.0 / line.memory;
    let least = line.work.min(ridge).min(1.0 / line.path);
    let most = line.work.max(ridge);
    let chart = Chart {
        top: top + 50.0,
        right: svg.width - RIGHT,
        x: ((least / 3.0).log10().floor(), (most * 3.0).log10().ceil()),
        y: ((line.busy / 1.5).log10().floor().min(-1.0), 0.1),
    };
    axes(svg, &chart);
    chart.slope(svg, line.path, PALE, true);
    chart.slope(svg, line.memory, MEMORY, false);
    svg.line(&Line {
        from: (chart.x(ridge).max(LEFT), chart.y(1.0)),
        to: (chart.right, chart.y(1.0)),
        stroke: VECTOR,
        width: 2.5,
        dashed: false,
    });
    let (x, y) = (chart.x(line.work), chart.y(line.busy));
    let roof = line.roof(line.work);
    svg.line(&Line {
        from: (x, y),
        to: (x, chart.y(roof)),
        stroke: POINT,
        width: 1.0,
        dashed: true,
    });
    svg.dot(x, y, POINT);
    let limit = if roof < 1.0 { "the memory" } else { "V" };
    legend(
        svg,
        &chart,
        &[
            (
                POINT,
                format!(
                    "{}: V busy {:.1} % of the time",
                    profile.trace.kernel,
                    100.0 * line.busy
                ),
            ),
            (
                POINT,
                format!("{:.2}x below its roof, {limit}", roof / line.busy),
            ),
            (
                MEMORY,
                format!("memory: {:.0} GB/s for these bytes", line.rate),
            ),
            (VECTOR, "V: always busy".to_string()),
            (
                PALE,
                format!(
                    "dashed: copies of a core alone, {:.0} bytes a cycle",
                    line.path
                ),
            ),
        ],
    );
    chart.top + HEIGHT + 60.0
}

fn legend(svg: &mut Svg, chart: &Chart, lines: &[(&str, String)]) {
    for (at, (fill, text)) in lines.iter().enumerate() {
        let (x, y) = (chart.right + 24.0, chart.top + 20.0 + 24.0 * at as f64);
        svg.rect(&Rect {
            x,
            y: y - 10.0,
            width: 14.0,
            height: 12.0,
            fill,
            title: "",
        });
        words(svg, x + 20.0, y, 12, DARK, text);
    }
}

fn axes(svg: &mut Svg, chart: &Chart) {
    let bottom = chart.top + HEIGHT;
    let line = |svg: &mut Svg, from: (f64, f64), to: (f64, f64), stroke: &str| {
        svg.line(&Line {
            from,
            to,
            stroke,
            width: 1.0,
            dashed: false,
        });
    };
    for power in chart.x.0 as i32..=chart.x.1 as i32 {
        let x = chart.x(10f64.powi(power));
        line(svg, (x, chart.top), (x, bottom), "#e5e5e5");
        svg.words(&Words {
            x,
            y: bottom + 16.0,
            size: 11,
            anchor: Anchor::Middle,
            fill: DARK,
            text: &format!("{}", 10f64.powi(power)),
        });
    }
    for power in chart.y.0 as i32..=0 {
        let y = chart.y(10f64.powi(power));
        line(svg, (LEFT, y), (chart.right, y), "#e5e5e5");
        svg.words(&Words {
            x: LEFT - 8.0,
            y: y + 4.0,
            size: 11,
            anchor: Anchor::End,
            fill: DARK,
            text: &format!("{} %", 100.0 * 10f64.powi(power)),
        });
    }
    line(svg, (LEFT, bottom), (chart.right, bottom), DARK);
    line(svg, (LEFT, chart.top), (LEFT, bottom), DARK);
    let middle = f64::midpoint(LEFT, chart.right);
    svg.words(&Words {
        x: middle,
        y: bottom + 36.0,
        size: 12,
        anchor: Anchor::Middle,
        fill: DARK,
        text: "cycles of V for each byte of GM",
    });
    words(
        svg,
        LEFT + 6.0,
        chart.top + 12.0,
        12,
        DARK,
        "time in which V is busy",
    );
}
