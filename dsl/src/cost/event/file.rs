//! The binary form: a header, the strings, then for each block its number and its records.
//!
//! ```text
//! "jumtrace"  version u32  blocks u32  auto_sync u32  chip, kernel
//! names u32, strings  streams u32
//! of each stream: block u32, alike u32, events u64, records of 64 bytes
//! ```
//!
//! A string is its length in bytes (u32) and its bytes. All numbers are little-endian.

use super::{
    Event, Global, Hint, Name, Operand, Place, Steps, Stream, Stretches, Trace, What, OPERANDS,
};
use crate::ops::contract::Pipe;
use std::fmt;

/// Bytes of a record.
pub const RECORD: usize = 64;
/// The version that is written, and the only one that is read.
pub const VERSION: u32 = 1;
const MAGIC: &[u8; 8] = b"jumtrace";

/// The reason that bytes are no trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// They begin otherwise.
    NoTrace,
    /// They are of another version of this program.
    Version(u32),
    /// They end within something.
    CutShort,
    /// They go on behind the last stream.
    More(usize),
    /// A record means nothing: its number in the file, and the reason.
    Record(u64, &'static str),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::NoTrace => f.write_str("this is no trace; `jumar profile --record` writes one"),
            FileError::Version(found) => write!(
                f,
                "the trace has version {found}, this program reads version {VERSION}; record it again"
            ),
            FileError::CutShort => f.write_str("the trace is cut short; record it again"),
            FileError::More(bytes) => {
                write!(f, "{bytes} bytes follow the end of the trace; record it again")
            }
            FileError::Record(at, why) => write!(f, "record {at} of the trace is damaged: {why}"),
        }
    }
}
impl std::error::Error for FileError {}

/// Numbers of kinds in a record; a new one is added at the end.
mod kind {
    pub const VECTOR: u8 = 1;
    pub const COPY: u8 = 2;
    pub const SET: u8 = 3;
    pub const WAIT: u8 = 4;
    pub const BARRIER: u8 = 5;
    pub const SCALAR: u8 = 6;
    pub const SYNC_ALL: u8 = 7;
    pub const CROSS_SET: u8 = 8;
    pub const CROSS_WAIT: u8 = 9;
    pub const REPEAT: u8 = 10;
    /// A call of the library, in place of which a trace has its instructions.
    pub const LIBRARY: u8 = 255;
}
/// The number of a pipe that stands for all.
const ALL_PIPES: u8 = 255;
/// Places of the fields in a record: two bytes of details, two names, a line, a count.
const DETAILS: usize = 1;
const OP: usize = 4;
const FILE: usize = 6;
const LINE: usize = 8;
const COUNT: usize = 12;
/// A vector call has its operands here, eight bytes each, the fifth behind its lanes.
const OPERAND: [usize; OPERANDS] = [16, 24, 32, 40, 52];
const LANES: usize = 48;
const LAST: usize = 50;
/// In place of a block stride: the other number is that of dense blocks.
const DENSE: u16 = u16::MAX;
/// Two bits for each operand: reads and writes; and the power of two of its element.
const ROLES: usize = 2;
const SIZES: usize = 3;
/// Those of the fifth operand.
const LAST_ROLES: usize = 60;
const LAST_SIZES: usize = 61;
/// Operands whose bits fit in one byte.
const IN_BYTE: usize = 4;
/// A place in GM: tensor and offset.
const TENSOR: usize = 48;
const OFFSET: usize = 16;

fn put<const N: usize>(record: &mut [u8; RECORD], at: usize, bytes: [u8; N]) {
    record[at..at + N].copy_from_slice(&bytes);
}

fn get<const N: usize>(record: &[u8; RECORD], at: usize) -> [u8; N] {
    std::array::from_fn(|i| record[at + i])
}

fn get_u32(record: &[u8; RECORD], at: usize) -> u32 {
    u32::from_le_bytes(get(record, at))
}

fn get_name(record: &[u8; RECORD], at: usize) -> Name {
    Name(u16::from_le_bytes(get(record, at)))
}

fn number(pipe: Pipe) -> u8 {
    pipe as u8
}

fn pipe(number: u8) -> Result<Pipe, &'static str> {
    Pipe::ALL
        .get(usize::from(number))
        .copied()
        .ok_or("no pipe has its number")
}

impl Event {
    /// Returns the record.
    pub fn record(&self) -> [u8; RECORD] {
        let mut record = [0; RECORD];
        let r = &mut record;
        put(r, FILE, self.file.0.to_le_bytes());
        put(r, LINE, self.line.to_le_bytes());
        match self.what {
            What::Vector {
                op,
                repeats,
                lanes,
                last,
                operands,
            } => {
                r[0] = kind::VECTOR;
                put(r, OP, op.0.to_le_bytes());
                put(r, COUNT, repeats.to_le_bytes());
                put(r, LANES, lanes.to_le_bytes());
                put(r, LAST, last.to_le_bytes());
                for (i, operand) in operands.into_iter().enumerate() {
                    let Some(operand) = operand else { continue };
                    let (at, shift) = (OPERAND[i], 2 * (i % IN_BYTE));
                    let (roles, sizes) = match i < IN_BYTE {
                        true => (ROLES, SIZES),
                        false => (LAST_ROLES, LAST_SIZES),
                    };
                    put(r, at, operand.at.to_le_bytes());
                    let (blk, rep) = match operand.steps {
                        Steps::Blocks { blk, rep } => (blk, rep),
                        Steps::Dense { blocks } => (DENSE, blocks),
                    };
                    put(r, at + 4, blk.to_le_bytes());
                    put(r, at + 6, rep.to_le_bytes());
                    let role = u8::from(operand.reads) | u8::from(operand.writes) << 1;
                    r[roles] |= role << shift;
                    r[sizes] |= (operand.size.trailing_zeros() as u8 & 3) << shift;
                }
            }
            What::Copy {
                op,
                pipe,
                gm,
                hint,
                stretches,
            } => {
                r[0] = kind::COPY;
                r[DETAILS] = number(pipe);
                r[ROLES] = u8::from(hint == Hint::Bypass);
                put(r, OP, op.0.to_le_bytes());
                put(r, COUNT, stretches.count.to_le_bytes());
                put(r, OFFSET, gm.at.to_le_bytes());
                put(r, TENSOR, gm.tensor.0.to_le_bytes());
                put(r, 24, stretches.bytes.to_le_bytes());
                put(r, 28, stretches.pitch.to_le_bytes());
                put(r, 32, stretches.ub.to_le_bytes());
                put(r, 36, stretches.ub_pitch.to_le_bytes());
            }
            What::Set { from, to, id } | What::Wait { from, to, id } => {
                r[0] = match self.what {
                    What::Set { .. } => kind::SET,
                    _ => kind::WAIT,
                };
                (r[DETAILS], r[ROLES], r[SIZES]) = (number(from), number(to), id);
            }
            What::Barrier { pipe } => {
                r[0] = kind::BARRIER;
                r[DETAILS] = pipe.map_or(ALL_PIPES, number);
            }
            What::Scalar {
                op,
                place,
                bytes,
                writes,
            } => {
                r[0] = kind::SCALAR;
                put(r, OP, op.0.to_le_bytes());
                (r[DETAILS], r[ROLES]) = (bytes, u8::from(writes));
                match place {
                    Place::Ub(at) => put(r, COUNT, at.to_le_bytes()),
                    Place::Gm(gm) => {
                        r[SIZES] = 1;
                        put(r, OFFSET, gm.at.to_le_bytes());
                        put(r, TENSOR, gm.tensor.0.to_le_bytes());
                    }
                }
            }
            What::SyncAll => r[0] = kind::SYNC_ALL,
            What::CrossSet { pipe, mode, id } => {
                r[0] = kind::CROSS_SET;
                (r[DETAILS], r[ROLES], r[SIZES]) = (number(pipe), mode, id);
            }
            What::CrossWait { id } => (r[0], r[SIZES]) = (kind::CROSS_WAIT, id),
            What::Repeat { events, times } => {
                r[0] = kind::REPEAT;
                put(r, COUNT, times.to_le_bytes());
                put(r, OFFSET, events.to_le_bytes());
            }
        }
        record
    }

    /// Reads a record.
    ///
    /// # Errors
    /// The reason that it means nothing.
    pub fn from_record(record: &[u8; RECORD]) -> Result<Event, &'static str> {
        let r = record;
        let gm = Global {
            tensor: get_name(r, TENSOR),
            at: u64::from_le_bytes(get(r, OFFSET)),
        };
        let what = match r[0] {
            kind::VECTOR => What::Vector {
                op: get_name(r, OP),
                repeats: get_u32(r, COUNT),
                lanes: u16::from_le_bytes(get(r, LANES)),
                last: u16::from_le_bytes(get(r, LAST)),
                operands: std::array::from_fn::<_, OPERANDS, _>(|i| {
                    let (at, shift) = (OPERAND[i], 2 * (i % IN_BYTE));
                    let (roles, sizes) = match i < IN_BYTE {
                        true => (r[ROLES], r[SIZES]),
                        false => (r[LAST_ROLES], r[LAST_SIZES]),
                    };
                    let role = roles >> shift & 3;
                    let (blk, rep) = (get(r, at + 4), get(r, at + 6));
                    let (blk, rep) = (u16::from_le_bytes(blk), u16::from_le_bytes(rep));
                    (role != 0).then(|| Operand {
                        at: get_u32(r, at),
                        steps: match blk {
                            DENSE => Steps::Dense { blocks: rep },
                            blk => Steps::Blocks { blk, rep },
                        },
                        size: 1 << (sizes >> shift & 3),
                        reads: role & 1 != 0,
                        writes: role & 2 != 0,
                    })
                }),
            },
            kind::COPY => What::Copy {
                op: get_name(r, OP),
                pipe: pipe(r[DETAILS])?,
                gm,
                hint: match r[ROLES] {
                    0 => Hint::Normal,
                    1 => Hint::Bypass,
                    _ => return Err("no cache hint has its number"),
                },
                stretches: Stretches {
                    count: get_u32(r, COUNT),
                    bytes: get_u32(r, 24),
                    pitch: get_u32(r, 28),
                    ub: get_u32(r, 32),
                    ub_pitch: get_u32(r, 36),
                },
            },
            kind::SET => What::Set {
                from: pipe(r[DETAILS])?,
                to: pipe(r[ROLES])?,
                id: r[SIZES],
            },
            kind::WAIT => What::Wait {
                from: pipe(r[DETAILS])?,
                to: pipe(r[ROLES])?,
                id: r[SIZES],
            },
            kind::BARRIER => What::Barrier {
                pipe: match r[DETAILS] {
                    ALL_PIPES => None,
                    one => Some(pipe(one)?),
                },
            },
            kind::SCALAR => What::Scalar {
                op: get_name(r, OP),
                place: match r[SIZES] {
                    0 => Place::Ub(get_u32(r, COUNT)),
                    1 => Place::Gm(gm),
                    _ => return Err("no memory has its number"),
                },
                bytes: r[DETAILS],
                writes: r[ROLES] != 0,
            },
            kind::SYNC_ALL => What::SyncAll,
            kind::CROSS_SET => What::CrossSet {
                pipe: pipe(r[DETAILS])?,
                mode: r[ROLES],
                id: r[SIZES],
            },
            kind::CROSS_WAIT => What::CrossWait { id: r[SIZES] },
            kind::REPEAT => What::Repeat {
                events: get_u32(r, OFFSET),
                times: get_u32(r, COUNT),
            },
            _ => return Err("no kind of event has its number"),
        };
        Ok(Event {
            file: get_name(r, FILE),
            line: get_u32(r, LINE),
            what,
        })
    }
}

/// Returns the number of a library call and its line, where a record of the machine is of one. A
/// file of a trace has no such records.
pub fn library_call(record: &[u8; RECORD]) -> Option<(u32, u32)> {
    (record[0] == kind::LIBRARY).then(|| (get_u32(record, COUNT), get_u32(record, LINE)))
}

/// The rest of a file that is being read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], FileError> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(FileError::CutShort)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        let bytes = self.bytes(N)?;
        Ok(std::array::from_fn(|i| bytes[i]))
    }

    fn number(&mut self) -> Result<u32, FileError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn string(&mut self) -> Result<String, FileError> {
        let length = self.number()? as usize;
        Ok(String::from_utf8_lossy(self.bytes(length)?).into_owned())
    }
}

impl Trace {
    /// Returns the binary form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut all = MAGIC.to_vec();
        let put = |all: &mut Vec<u8>, number: usize| {
            all.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
        };
        let text = |all: &mut Vec<u8>, text: &str| {
            put(all, text.len());
            all.extend(text.as_bytes());
        };
        all.extend(VERSION.to_le_bytes());
        all.extend(self.blocks.to_le_bytes());
        all.extend(u32::from(self.auto_sync).to_le_bytes());
        text(&mut all, &self.chip);
        text(&mut all, &self.kernel);
        put(&mut all, self.names.len());
        for name in &self.names {
            text(&mut all, name);
        }
        put(&mut all, self.streams.len());
        for stream in &self.streams {
            all.extend(stream.block.to_le_bytes());
            all.extend(stream.alike.to_le_bytes());
            all.extend((stream.events.len() as u64).to_le_bytes());
            for event in &stream.events {
                all.extend(event.record());
            }
        }
        all
    }

    /// Reads the binary form.
    ///
    /// # Errors
    /// The bytes are no trace, one of another version, cut short, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Trace, FileError> {
        let mut rest = Rest(bytes);
        if rest.array::<8>().ok().as_ref() != Some(MAGIC) {
            return Err(FileError::NoTrace);
        }
        let version = rest.number()?;
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        let blocks = rest.number()?;
        let auto_sync = rest.number()? != 0;
        let (chip, kernel) = (rest.string()?, rest.string()?);
        let count = rest.number()?;
        let names = (0..count)
            .map(|_| rest.string())
            .collect::<Result<Vec<_>, _>>()?;
        let mut streams = Vec::new();
        let mut number = 0;
        for _ in 0..rest.number()? {
            let (block, alike) = (rest.number()?, rest.number()?);
            let count = u64::from_le_bytes(rest.array()?);
            // Nothing is set aside by a count that may be damaged.
            let length = usize::try_from(count)
                .ok()
                .and_then(|count| count.checked_mul(RECORD))
                .ok_or(FileError::CutShort)?;
            let mut events = Vec::new();
            for record in rest.bytes(length)?.chunks_exact(RECORD) {
                let record = std::array::from_fn(|i| record[i]);
                let event =
                    Event::from_record(&record).map_err(|why| FileError::Record(number, why))?;
                if event.names().any(|name| usize::from(name.0) >= names.len()) {
                    return Err(FileError::Record(number, "a name is not among the strings"));
                }
                events.push(event);
                number += 1;
            }
            streams.push(Stream {
                block,
                alike,
                events,
            });
        }
        if !rest.0.is_empty() {
            return Err(FileError::More(rest.0.len()));
        }
        Ok(Trace {
            chip,
            kernel,
            blocks,
            auto_sync,
            names,
            streams,
        })
    }
}

impl Event {
    /// Lists the names that it has.
    fn names(&self) -> impl Iterator<Item = Name> {
        let (op, tensor) = match self.what {
            What::Vector { op, .. } => (Some(op), None),
            What::Copy { op, gm, .. } => (Some(op), Some(gm.tensor)),
            What::Scalar { op, place, .. } => match place {
                Place::Ub(_) => (Some(op), None),
                Place::Gm(gm) => (Some(op), Some(gm.tensor)),
            },
            What::Set { .. }
            | What::Wait { .. }
            | What::Barrier { .. }
            | What::SyncAll
            | What::CrossSet { .. }
            | What::CrossWait { .. }
            | What::Repeat { .. } => (None, None),
        };
        std::iter::once(self.file).chain(op).chain(tensor)
    }
}
