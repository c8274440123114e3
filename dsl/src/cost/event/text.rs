//! The form to read: a line for each event, with its place first.
//!
//! ```text
//! trace 1 ascend910b1 add 48 auto_sync
//! block 0
//! add.cpp:12 MTE2 DataCopy x+0 1*8192/8192 ub 0/8192
//! add.cpp:12 set MTE2 V 0
//! add.cpp:14 wait MTE2 V 0
//! add.cpp:14 V Add 32*64/64 w16384,1,8,4 r0,1,8,4 r8192,1,8,4
//! add.cpp:15 S GetValue ub 32 4
//! add.cpp:15 barrier V
//! ```
//!
//! An operand is its role (`r`, `w` or `m`, which does both), address, steps in data blocks from
//! block to block and from repeat to repeat, and bytes of an element. A dense one has an address
//! and the bytes of its data blocks, `w15360+96,4`. Stretches are their number, bytes and pitch.
//! `block 0 alike 24` stands for 24 blocks, `repeat 7 40` for the seven events before it another
//! forty times. Blanks in names are written as `\s`.

use super::{
    Event, Global, Hint, Name, Names, Operand, Place, Steps, Stream, Stretches, Trace, What,
    OPERANDS, VERSION,
};
use crate::ops::contract::Pipe;
use std::fmt::{self, Write};

/// Bytes of a data block.
const BLOCK: u32 = 32;

/// A line that means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Counted from 1.
    pub line: usize,
    pub why: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the trace: {}", self.line, self.why)
    }
}
impl std::error::Error for TextError {}

/// Returns a string without blanks; an empty one is a single escape.
fn escaped(text: &str) -> String {
    match text {
        "" => "\\e".to_string(),
        text => text
            .replace('\\', "\\\\")
            .replace(' ', "\\s")
            .replace('\n', "\\n"),
    }
}

fn unescaped(text: &str) -> String {
    let mut all = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('s') => all.push(' '),
                Some('n') => all.push('\n'),
                Some('e') => {}
                Some(other) => all.push(other),
                None => all.push('\\'),
            },
            (c, false) => all.push(c),
        }
    }
    all
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (chip, kernel) = (escaped(&self.chip), escaped(&self.kernel));
        let auto_sync = if self.auto_sync { " auto_sync" } else { "" };
        writeln!(
            f,
            "trace {VERSION} {chip} {kernel} {}{auto_sync}",
            self.blocks
        )?;
        for stream in &self.streams {
            match stream.alike {
                1 => writeln!(f, "block {}", stream.block)?,
                alike => writeln!(f, "block {} alike {alike}", stream.block)?,
            }
            for event in &stream.events {
                writeln!(f, "{}", self.line(event))?;
            }
        }
        Ok(())
    }
}

impl Trace {
    /// Returns an event as a line of text.
    pub fn line(&self, event: &Event) -> String {
        let name = |name: Name| escaped(self.name(name));
        let gm = |gm: Global| format!("{}+{}", name(gm.tensor), gm.at);
        let what = match event.what {
            What::Vector {
                op,
                repeats,
                lanes,
                last,
                operands,
            } => {
                let mut text = format!("V {} {repeats}*{lanes}/{last}", name(op));
                for operand in operands.into_iter().flatten() {
                    let role = match (operand.reads, operand.writes) {
                        (true, true) => 'm',
                        (false, true) => 'w',
                        (_, false) => 'r',
                    };
                    let Operand {
                        at, steps, size, ..
                    } = operand;
                    let _ = match steps {
                        Steps::Blocks { blk, rep } => {
                            write!(text, " {role}{at},{blk},{rep},{size}")
                        }
                        Steps::Dense { blocks } => {
                            let bytes = u32::from(blocks) * BLOCK;
                            write!(text, " {role}{at}+{bytes},{size}")
                        }
                    };
                }
                text
            }
            What::Copy {
                op,
                pipe,
                gm: place,
                hint,
                stretches,
            } => {
                let Stretches {
                    count,
                    bytes,
                    pitch,
                    ub,
                    ub_pitch,
                } = stretches;
                let hint = match hint {
                    Hint::Normal => "",
                    Hint::Bypass => " bypass",
                };
                format!(
                    "{} {} {} {count}*{bytes}/{pitch} ub {ub}/{ub_pitch}{hint}",
                    pipe.name(),
                    name(op),
                    gm(place)
                )
            }
            What::Set { from, to, id } => format!("set {} {} {id}", from.name(), to.name()),
            What::Wait { from, to, id } => format!("wait {} {} {id}", from.name(), to.name()),
            What::Barrier { pipe } => format!("barrier {}", pipe.map_or("ALL", Pipe::name)),
            What::Scalar {
                op,
                place,
                bytes,
                writes,
            } => {
                let place = match place {
                    Place::Ub(at) => format!("ub {at}"),
                    Place::Gm(place) => format!("gm {}", gm(place)),
                };
                let writes = if writes { " w" } else { "" };
                format!("S {} {place} {bytes}{writes}", name(op))
            }
            What::SyncAll => "sync_all".to_string(),
            What::CrossSet { pipe, mode, id } => format!("cross_set {} {mode} {id}", pipe.name()),
            What::CrossWait { id } => format!("cross_wait {id}"),
            What::Repeat { events, times } => format!("repeat {events} {times}"),
        };
        format!("{}:{} {what}", name(event.file), event.line)
    }

    /// Reads the form to read.
    ///
    /// # Errors
    /// A line means nothing.
    pub fn from_text(text: &str) -> Result<Trace, TextError> {
        let mut lines = (1..).zip(text.lines());
        let mut names = Names::default();
        let at = |line: usize, why: &str| TextError {
            line,
            why: why.to_string(),
        };
        let (_, head) = lines.next().ok_or_else(|| at(1, "it is empty"))?;
        let (head, auto_sync) = match head.strip_suffix(" auto_sync") {
            Some(head) => (head, true),
            None => (head, false),
        };
        let head: Vec<&str> = head.split(' ').collect();
        let [word, version, chip, kernel, blocks] = head[..] else {
            return Err(at(1, "it begins with `trace VERSION CHIP KERNEL BLOCKS`"));
        };
        if word != "trace" || version != VERSION.to_string() {
            let why = format!("it begins with `trace {VERSION}`, which is what this program reads");
            return Err(at(1, &why));
        }
        let blocks = blocks
            .parse()
            .map_err(|_| at(1, "the number of blocks is none"))?;
        let mut streams: Vec<Stream> = Vec::new();
        for (line, text) in lines {
            let fail = |why: &str| at(line, why);
            if let Some(block) = text.strip_prefix("block ") {
                let (block, alike) = block.split_once(" alike ").unwrap_or((block, "1"));
                let number = |word: &str| word.parse().map_err(|_| fail("`block` has a number"));
                streams.push(Stream {
                    block: number(block)?,
                    alike: number(alike)?,
                    events: Vec::new(),
                });
                continue;
            }
            let stream = streams
                .last_mut()
                .ok_or_else(|| fail("`block N` comes before events"))?;
            let mut words = Words {
                rest: text.split(' '),
                names: &mut names,
            };
            let event = words.event().map_err(|why| fail(&why))?;
            stream.events.push(event);
        }
        Ok(Trace {
            chip: unescaped(chip),
            kernel: unescaped(kernel),
            blocks,
            auto_sync,
            names: names.into_vec(),
            streams,
        })
    }
}

/// The words of a line.
struct Words<'a, 'n> {
    rest: std::str::Split<'a, char>,
    names: &'n mut Names,
}

type Read<T> = Result<T, String>;

fn parsed<T: std::str::FromStr>(text: &str) -> Read<T> {
    text.parse()
        .map_err(|_| format!("`{text}` is no number here"))
}

fn split(text: &str, at: char) -> Read<(&str, &str)> {
    text.split_once(at)
        .ok_or_else(|| format!("`{text}` has no `{at}`"))
}

fn pipe(name: &str) -> Read<Pipe> {
    let mut all = Pipe::ALL.into_iter();
    all.find(|pipe| pipe.name() == name)
        .ok_or_else(|| format!("`{name}` is no pipe"))
}

impl<'a> Words<'a, '_> {
    fn word(&mut self) -> Read<&'a str> {
        self.rest
            .next()
            .ok_or_else(|| "it ends too early".to_string())
    }

    fn number<T: std::str::FromStr>(&mut self) -> Read<T> {
        parsed(self.word()?)
    }

    fn pipe(&mut self) -> Read<Pipe> {
        pipe(self.word()?)
    }

    fn named(&mut self, text: &str) -> Read<Name> {
        self.names
            .of(&unescaped(text))
            .ok_or_else(|| "a trace has no room for more names".to_string())
    }

    fn name(&mut self) -> Read<Name> {
        let word = self.word()?;
        self.named(word)
    }

    fn global(&mut self) -> Read<Global> {
        let word = self.word()?;
        let (tensor, at) = word
            .rsplit_once('+')
            .ok_or_else(|| format!("`{word}` is no TENSOR+OFFSET"))?;
        Ok(Global {
            tensor: self.named(tensor)?,
            at: parsed(at)?,
        })
    }

    fn event(&mut self) -> Read<Event> {
        let place = self.word()?;
        let (file, line) = place
            .rsplit_once(':')
            .ok_or_else(|| format!("`{place}` is no FILE:LINE"))?;
        let (file, line) = (self.named(file)?, parsed(line)?);
        let what = self.what()?;
        match self.rest.next() {
            None => Ok(Event { file, line, what }),
            Some(more) => Err(format!("`{more}` is one word too many")),
        }
    }

    fn what(&mut self) -> Read<What> {
        Ok(match self.word()? {
            "V" => self.vector()?,
            "S" => self.scalar()?,
            "set" => What::Set {
                from: self.pipe()?,
                to: self.pipe()?,
                id: self.number()?,
            },
            "wait" => What::Wait {
                from: self.pipe()?,
                to: self.pipe()?,
                id: self.number()?,
            },
            "barrier" => What::Barrier {
                pipe: match self.word()? {
                    "ALL" => None,
                    one => Some(pipe(one)?),
                },
            },
            "sync_all" => What::SyncAll,
            "cross_set" => What::CrossSet {
                pipe: self.pipe()?,
                mode: self.number()?,
                id: self.number()?,
            },
            "cross_wait" => What::CrossWait { id: self.number()? },
            "repeat" => What::Repeat {
                events: self.number()?,
                times: self.number()?,
            },
            other => self.copy(pipe(other).map_err(|_| format!("`{other}` is no event"))?)?,
        })
    }

    fn vector(&mut self) -> Read<What> {
        let op = self.name()?;
        let (repeats, lanes) = split(self.word()?, '*')?;
        let (lanes, last) = split(lanes, '/')?;
        let mut operands = [None; OPERANDS];
        for (count, word) in self.rest.by_ref().enumerate() {
            let slot = operands
                .get_mut(count)
                .ok_or_else(|| format!("a call has at most {OPERANDS} operands"))?;
            *slot = Some(operand(word)?);
        }
        Ok(What::Vector {
            op,
            repeats: parsed(repeats)?,
            lanes: parsed(lanes)?,
            last: parsed(last)?,
            operands,
        })
    }

    fn copy(&mut self, pipe: Pipe) -> Read<What> {
        let op = self.name()?;
        let gm = self.global()?;
        let (count, bytes) = split(self.word()?, '*')?;
        let (bytes, pitch) = split(bytes, '/')?;
        match self.word()? {
            "ub" => {}
            other => return Err(format!("`{other}` stands in place of `ub`")),
        }
        let (ub, ub_pitch) = split(self.word()?, '/')?;
        let hint = match self.rest.next() {
            None => Hint::Normal,
            Some("bypass") => Hint::Bypass,
            Some(other) => return Err(format!("`{other}` is no cache hint")),
        };
        let stretches = Stretches {
            count: parsed(count)?,
            bytes: parsed(bytes)?,
            pitch: parsed(pitch)?,
            ub: parsed(ub)?,
            ub_pitch: parsed(ub_pitch)?,
        };
        Ok(What::Copy {
            op,
            pipe,
            gm,
            hint,
            stretches,
        })
    }

    fn scalar(&mut self) -> Read<What> {
        let op = self.name()?;
        let place = match self.word()? {
            "ub" => Place::Ub(self.number()?),
            "gm" => Place::Gm(self.global()?),
            other => return Err(format!("`{other}` is no memory")),
        };
        let bytes = self.number()?;
        let writes = match self.rest.next() {
            None => false,
            Some("w") => true,
            Some(other) => return Err(format!("`{other}` stands in place of `w`")),
        };
        Ok(What::Scalar {
            op,
            place,
            bytes,
            writes,
        })
    }
}

fn operand(word: &str) -> Read<Operand> {
    let (reads, writes, numbers) = match word.split_at_checked(1) {
        Some(("r", rest)) => (true, false, rest),
        Some(("w", rest)) => (false, true, rest),
        Some(("m", rest)) => (true, true, rest),
        _ => return Err(format!("`{word}` is no operand")),
    };
    let numbers: Vec<&str> = numbers.split(',').collect();
    let (at, steps, size) = match numbers[..] {
        [at, blk, rep, size] => {
            let (blk, rep) = (parsed(blk)?, parsed(rep)?);
            (at, Steps::Blocks { blk, rep }, size)
        }
        [place, size] => {
            let (at, bytes) = split(place, '+')?;
            let bytes: u32 = parsed(bytes)?;
            let whole = bytes
                .is_multiple_of(BLOCK)
                .then(|| u16::try_from(bytes / BLOCK).ok());
            let blocks = whole.flatten().ok_or_else(|| {
                format!("`{bytes}` bytes are no number of data blocks of an operand")
            })?;
            (at, Steps::Dense { blocks }, size)
        }
        _ => return Err(format!("`{word}` has no address, two steps and a size")),
    };
    let size = parsed(size)?;
    if ![1, 2, 4, 8].contains(&size) {
        return Err(format!("elements have 1, 2, 4 or 8 bytes, not {size}"));
    }
    Ok(Operand {
        at: parsed(at)?,
        steps,
        size,
        reads,
        writes,
    })
}
