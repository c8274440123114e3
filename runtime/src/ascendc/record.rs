//! The events of a run, read from what the machine leaves.

use super::compile::Program;
use super::launch::LaunchOptions;
use jumar_dsl::cost::event::{Event, Names, Stream, Trace, RECORD};
use std::path::Path;
use std::{fs, io};

impl Program {
    /// Reads the events that a run left in its folder: for each block its records, whose lines are
    /// numbers of places, and what is common to all.
    pub(super) fn recorded(&self, folder: &Path, options: &LaunchOptions) -> io::Result<Trace> {
        let common = fs::read_to_string(folder.join("names"))?;
        let (mut names, mut sites) = (Names::default(), Vec::new());
        let damaged = || io::Error::other("it is damaged");
        for line in common.lines() {
            match line.split_once(' ').ok_or_else(damaged)? {
                ("name", name) => drop(names.of(name).ok_or_else(damaged)?),
                ("site", site) => sites.push(site.parse().map_err(io::Error::other)?),
                _ => return Err(damaged()),
            }
        }
        let places = sites.into_iter().map(|site| match self.place(site) {
            Some(place) => {
                let file = place.file.file_name().unwrap_or_default();
                let file = names.of(&file.to_string_lossy()).ok_or_else(damaged)?;
                Ok((file, place.line))
            }
            None => Ok((names.of("").ok_or_else(damaged)?, 0)),
        });
        let places = places.collect::<io::Result<Vec<_>>>()?;
        let mut streams = Vec::new();
        // Where the kernel's own tiling function decides, the number of blocks stands nowhere else.
        let file = |block: u32| folder.join(format!("events{block}"));
        for block in (0..).take_while(|block| file(*block).is_file()) {
            let bytes = fs::read(file(block))?;
            let records = bytes.chunks_exact(RECORD);
            let events = records.map(|record| {
                let record = std::array::from_fn(|i| record[i]);
                let mut event = Event::from_record(&record).map_err(io::Error::other)?;
                (event.file, event.line) = *places.get(event.line as usize).ok_or_else(damaged)?;
                Ok(event)
            });
            streams.push(Stream {
                block,
                alike: 1,
                events: events.collect::<io::Result<_>>()?,
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
}
