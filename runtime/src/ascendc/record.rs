//! The events of a run, read from what the machine leaves.

use super::compile::Program;
use super::launch::LaunchOptions;
use jumar_dsl::cost::event::{
    library_call, Event, Name, Names, Stream, Trace, What, OPERANDS, RECORD,
};
use jumar_dsl::cost::library::Call;
use jumar_dsl::soc::{Arch, Chip};
use std::path::Path;
use std::{fs, io};

/// The common part of the events of all blocks.
struct Common {
    /// The file and the line of each place.
    places: Vec<(Name, u32)>,
    /// The instructions of each library call.
    calls: Vec<Vec<What>>,
}

fn damaged() -> io::Error {
    io::Error::other("it is damaged")
}

/// Returns the instructions of a call of the library. Where nobody knows them, and on chips of
/// which nobody has written them down, the call is an event of its name, which no replay takes.
fn instructions(text: &str, chip: &Chip, names: &mut Names) -> io::Result<Vec<What>> {
    let call = Call::from_text(text).map_err(io::Error::other)?;
    if chip.arch == Arch::V220 {
        if let Ok(instructions) = call.expand(names) {
            return Ok(instructions);
        }
    }
    Ok(vec![What::Vector {
        op: names.of(call.name()).ok_or_else(damaged)?,
        repeats: 1,
        lanes: 1,
        last: 1,
        operands: [None; OPERANDS],
    }])
}

impl Program {
    /// Reads the events that a run left in its folder: for each block its records, whose lines are
    /// numbers of places, and what is common to all.
    pub(super) fn recorded(&self, folder: &Path, options: &LaunchOptions) -> io::Result<Trace> {
        let mut names = Names::default();
        let common = self.common(folder, options.chip, &mut names)?;
        let mut streams = Vec::new();
        // Where the kernel's own tiling function decides, the number of blocks stands nowhere else.
        let file = |block: u32| folder.join(format!("events{block}"));
        for block in (0..).take_while(|block| file(*block).is_file()) {
            let events = common.events(&fs::read(file(block))?)?;
            streams.push(Stream {
                block,
                alike: 1,
                events,
            });
        }
        Ok(Trace {
            chip: options.chip.name.to_string(),
            kernel: options.kernel.clone().unwrap_or_default(),
            blocks: streams.len() as u32,
            auto_sync: options.auto_sync,
            names: names.into_vec(),
            streams,
        })
    }

    fn common(&self, folder: &Path, chip: &Chip, names: &mut Names) -> io::Result<Common> {
        let text = fs::read_to_string(folder.join("names"))?;
        let (mut sites, mut calls) = (Vec::new(), Vec::new());
        for line in text.lines() {
            match line.split_once(' ').ok_or_else(damaged)? {
                ("name", name) => drop(names.of(name).ok_or_else(damaged)?),
                ("site", site) => sites.push(site.parse().map_err(io::Error::other)?),
                ("call", call) => calls.push(call),
                _ => return Err(damaged()),
            }
        }
        let mut place = |site| match self.place(site) {
            Some(place) => {
                let file = place.file.file_name().unwrap_or_default();
                let file = names.of(&file.to_string_lossy()).ok_or_else(damaged)?;
                Ok((file, place.line))
            }
            None => Ok((names.of("").ok_or_else(damaged)?, 0)),
        };
        let places = sites
            .into_iter()
            .map(&mut place)
            .collect::<io::Result<_>>()?;
        let calls = calls.into_iter();
        let calls = calls.map(|call| instructions(call, chip, names));
        Ok(Common {
            places,
            calls: calls.collect::<io::Result<_>>()?,
        })
    }
}

impl Common {
    /// Reads the records of a block, with the instructions of library calls in place of the calls.
    fn events(&self, bytes: &[u8]) -> io::Result<Vec<Event>> {
        let mut events = Vec::new();
        let place = |line: u32| self.places.get(line as usize).copied().ok_or_else(damaged);
        for record in bytes.chunks_exact(RECORD) {
            let record = std::array::from_fn(|i| record[i]);
            if let Some((call, line)) = library_call(&record) {
                let (file, line) = place(line)?;
                let whats = self.calls.get(call as usize).ok_or_else(damaged)?;
                events.extend(whats.iter().map(|what| Event {
                    file,
                    line,
                    what: *what,
                }));
                continue;
            }
            let mut event = Event::from_record(&record).map_err(io::Error::other)?;
            (event.file, event.line) = place(event.line)?;
            events.push(event);
        }
        Ok(events)
    }
}
