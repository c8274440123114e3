//! A progress bar for runs that last over a second, only on a terminal, and a message before a long
//! build.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use jumar::runtime::ascendc::machine_is_made;
use std::io::IsTerminal;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Explains on a terminal why the first run on the CPU takes longer.
pub fn say_before_build(sanitize: bool) {
    if std::io::stderr().is_terminal() && !machine_is_made(sanitize) {
        eprintln!(
            "compiling the machine that runs AscendC on the CPU: once, some 5 s on two cores"
        );
    }
}

/// How long a run stays silent.
const PATIENCE: Duration = Duration::from_secs(1);

/// A counter of finished blocks.
pub struct Bar {
    start: Instant,
    name: String,
    bar: OnceLock<ProgressBar>,
    done: std::sync::atomic::AtomicU64,
    terminal: bool,
    total: u64,
}

impl Bar {
    /// Makes a bar that is not drawn yet; `total` is the number of blocks.
    pub fn new(name: &str, total: u64) -> Self {
        let terminal = std::io::stderr().is_terminal();
        Bar {
            start: Instant::now(),
            name: name.to_owned(),
            bar: OnceLock::new(),
            done: 0.into(),
            terminal,
            total,
        }
    }

    /// Counts a finished block; any thread may call it.
    pub fn step(&self) {
        let done = self.done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        if self.terminal && self.start.elapsed() >= PATIENCE {
            self.bar.get_or_init(|| self.drawn()).set_position(done);
        }
    }

    fn drawn(&self) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(self.total), ProgressDrawTarget::stderr())
            .with_elapsed(self.start.elapsed());
        // The template is a constant; if it were malformed, the default style would do.
        if let Ok(style) =
            ProgressStyle::with_template("{msg} [{bar:40}] block {pos} of {len}, {eta} left")
        {
            bar.set_style(style);
        }
        bar.with_message(self.name.clone())
    }

    pub fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
