//! The events of published kernels, made from a few numbers.
//!
//! A description is the name of a generator and its numbers: `add blocks=48 tile=8192 ..`. Each
//! number has to be there, and none may be left over. Addresses, tiles, flags and repeats are those
//! of the published source; `bytes`, `amax` and `amin` stand for code that is not public.

use crate::cost::event::Trace;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The events of a record.
pub(super) struct Made {
    pub trace: Trace,
    /// Calls or elements that `each` divides by.
    pub count: f64,
    /// The launch before was the same, so that L2 has what it holds of it.
    pub again: bool,
}

/// The numbers of a description.
struct Words<'a> {
    numbers: BTreeMap<&'a str, u64>,
    flags: Vec<&'a str>,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Result<Words<'a>, String> {
        let mut words = Words {
            numbers: BTreeMap::new(),
            flags: Vec::new(),
        };
        for word in text.split_whitespace() {
            match word.split_once('=') {
                Some((name, value)) => {
                    let value = value
                        .parse()
                        .map_err(|_| format!("`{word}` is no number"))?;
                    words.numbers.insert(name, value);
                }
                None => words.flags.push(word),
            }
        }
        Ok(words)
    }

    fn number(&mut self, name: &str) -> Result<u64, String> {
        self.numbers
            .remove(name)
            .ok_or_else(|| format!("`{name}` is missing"))
    }

    fn flag(&mut self, name: &str) -> bool {
        let before = self.flags.len();
        self.flags.retain(|flag| *flag != name);
        self.flags.len() < before
    }

    fn end(self) -> Result<(), String> {
        let mut rest = self.numbers.keys().chain(&self.flags);
        rest.next()
            .map_or(Ok(()), |word| Err(format!("nothing reads `{word}`")))
    }
}

/// The streams of a launch, as text.
struct Text {
    blocks: u64,
    streams: Vec<String>,
}

/// Makes the events of a description for a chip.
pub(super) fn made(chip: &str, text: &str) -> Result<Made, String> {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let (launch, count, again) = if name == "repeat" {
        let (launch, count) = repeat(rest)?;
        (launch, count, false)
    } else {
        let mut words = Words::new(rest)?;
        let again = words.flag("again");
        let (launch, count) = match name {
            "add" => (add(&mut words)?, 1.0),
            "scalar_add" => scalar_add(&mut words)?,
            "matrix" => (matrix(&mut words)?, 1.0),
            "everywhere" => (everywhere(&mut words)?, 1.0),
            "halves" => (halves(&mut words)?, 1.0),
            "turbo" => (turbo(&mut words)?, 1.0),
            "bytes" => (bytes(&mut words)?, 1.0),
            "amax" => (amax(&mut words)?, 1.0),
            "amin" => (amin(&mut words)?, 1.0),
            _ => return Err(format!("no generator is called `{name}`")),
        };
        words.end()?;
        (launch, count, again)
    };
    let mut lines = format!("trace 1 {chip} {name} {}\n", launch.blocks);
    for (block, stream) in launch.streams.iter().enumerate() {
        let _ = writeln!(lines, "block {block}");
        lines += stream;
    }
    let trace = Trace::from_text(&lines).map_err(|e| e.to_string())?;
    Ok(Made {
        trace,
        count,
        again,
    })
}

fn one(blocks: u64, stream: String) -> Text {
    Text {
        blocks,
        streams: vec![stream],
    }
}

/// Lines of the text form, so many times: `repeat 1000 V Add ..; barrier V`.
fn repeat(text: &str) -> Result<(Text, f64), String> {
    let (count, lines) = text.split_once(' ').ok_or("a number and lines follow")?;
    let count: usize = count
        .parse()
        .map_err(|_| format!("`{count}` is no number"))?;
    let lines: String = lines
        .split("; ")
        .map(|line| format!("k:1 {line}\n"))
        .collect();
    Ok((one(1, lines.repeat(count)), count as f64))
}

/// An addition of 8192 x 8192 halves in tiles of so many bytes. The first buffers of y and z begin
/// at their addresses, the second ones `pong` bytes behind, and that of z by `z_pong`.
fn add(words: &mut Words<'_>) -> Result<Text, String> {
    let (blocks, tile) = (words.number("blocks")?, words.number("tile")?);
    let (buffers, pong) = (words.number("buffers")?, words.number("pong")?);
    let (y, z) = (words.number("y")?, words.number("z")?);
    let z_pong = words.number("z_pong")?;
    let hint = if words.flag("bypass") { " bypass" } else { "" };
    let share = 8192 * 8192 * 2 / blocks;
    let mut text = String::new();
    for (i, at) in (0..share).step_by(tile as usize).enumerate() {
        let (i, bytes) = (i as u64, tile.min(share - at));
        let (id, skip) = (i % buffers, i % buffers * pong);
        // The last tile may end inside of a repeat.
        let (elements, repeats) = (bytes / 2, (bytes / 2).div_ceil(128));
        let last = elements - (repeats - 1) * 128;
        let z = z + id * z_pong;
        let (x, y) = (skip, y + skip);
        if i >= buffers {
            let _ = writeln!(text, "k:1 wait V MTE2 {id}");
        }
        let _ = write!(
            text,
            "k:2 MTE2 DataCopy x+{at} 1*{bytes}/{bytes} ub {x}/{bytes}{hint}
k:3 MTE2 DataCopy y+{at} 1*{bytes}/{bytes} ub {y}/{bytes}{hint}
k:4 set MTE2 V {id}
k:4 wait MTE2 V {id}
"
        );
        if i >= buffers {
            let _ = writeln!(text, "k:5 wait MTE3 V {id}");
        }
        let _ = write!(
            text,
            "k:6 V Add {repeats}*128/{last} w{z},1,8,2 r{x},1,8,2 r{y},1,8,2
k:7 set V MTE2 {id}
k:7 set V MTE3 {id}
k:7 wait V MTE3 {id}
k:8 MTE3 DataCopy z+{at} 1*{bytes}/{bytes} ub {z}/{bytes}
k:9 set MTE3 V {id}
"
        );
    }
    Ok(one(blocks, text))
}

/// That addition on one core, element by element; a few of its tiles of 4096.
fn scalar_add(words: &mut Words<'_>) -> Result<(Text, f64), String> {
    let tiles = words.number("tiles")?;
    let mut text = String::new();
    for tile in 0..tiles {
        let at = tile * 8192;
        let _ = write!(
            text,
            "k:1 MTE2 DataCopy x+{at} 1*8192/8192 ub 0/8192
k:2 MTE2 DataCopy y+{at} 1*8192/8192 ub 32768/8192
k:3 set MTE2 S 0
k:3 wait MTE2 S 0
"
        );
        for i in 0..4096 {
            let (x, y, z) = (i * 2, 32768 + i * 2, 65536 + i * 2);
            let _ = write!(
                text,
                "k:4 S GetValue ub {x} 2
k:5 S GetValue ub {y} 2
k:6 S SetValue ub {z} 2 w
"
            );
        }
        let _ = write!(
            text,
            "k:7 set S MTE3 0
k:7 wait S MTE3 0
k:8 MTE3 DataCopy z+{at} 1*8192/8192 ub 65536/8192
k:9 set MTE3 S 0
k:9 wait MTE3 S 0
"
        );
    }
    Ok((one(1, text), (tiles * 4096) as f64))
}

/// Copies of a matrix of halves by tiles; each block owns some whole rows. The columns are cut in
/// parts, each of which is read so many times before the next.
fn matrix(words: &mut Words<'_>) -> Result<Text, String> {
    let (blocks, rows) = (words.number("blocks")?, words.number("rows")?);
    let (cols, tile_rows) = (words.number("cols")?, words.number("tile_rows")?);
    let (tile_cols, parts) = (words.number("tile_cols")?, words.number("parts")?);
    let passes = words.number("passes")?;
    let (part, pitch) = (cols / parts, cols * 2);
    let mut text = String::new();
    for (first, _pass) in (0..parts).flat_map(|p| (0..passes).map(move |i| (p * part, i))) {
        for row in (0..rows).step_by(tile_rows as usize) {
            for col in (first..first + part).step_by(tile_cols as usize) {
                let bytes = tile_cols.min(cols - col) * 2;
                let at = row * pitch + col * 2;
                let _ = writeln!(
                    text,
                    "k:1 MTE2 DataCopyPad x+{at} {tile_rows}*{bytes}/{pitch} ub 0/{bytes}"
                );
            }
        }
    }
    Ok(one(blocks, text))
}

/// Copies of a whole matrix of halves by every block, past L2. Each begins with its own rows if
/// `turned` is 1, else all with the first.
fn everywhere(words: &mut Words<'_>) -> Result<Text, String> {
    let (blocks, rows) = (words.number("blocks")?, words.number("rows")?);
    let (cols, tile_cols) = (words.number("cols")?, words.number("tile_cols")?);
    let turned = words.number("turned")?;
    let (pitch, bytes) = (cols * 2, tile_cols * 2);
    let stream = |block: u64| {
        let mut text = String::new();
        for group in (0..blocks).map(|i| (i + block * turned) % blocks) {
            for col in (0..cols).step_by(tile_cols as usize) {
                let at = group * rows * pitch + col * 2;
                let _ = writeln!(
                    text,
                    "k:1 MTE2 DataCopyPad x+{at} {rows}*{bytes}/{pitch} ub 0/{bytes} bypass"
                );
            }
        }
        text
    };
    Ok(Text {
        blocks,
        streams: (0..blocks).map(stream).collect(),
    })
}

/// A sum that adds the second half of its elements to the first until one repeat is left.
fn halves(words: &mut Words<'_>) -> Result<Text, String> {
    let mut left = words.number("elements")?;
    let mut text = String::new();
    while left > 64 {
        let half = left.div_ceil(16) * 8;
        let (elements, from) = (left - half, half * 4);
        let repeats = elements.div_ceil(64);
        let last = elements - (repeats - 1) * 64;
        let _ = writeln!(
            text,
            "k:1 V Add {repeats}*64/{last} w0,1,8,4 r0,1,8,4 r{from},1,8,4"
        );
        left = half;
    }
    text += "k:2 V WholeReduceSum 1*64/64 w0+32,4 r0,1,8,4\n";
    Ok(one(1, text))
}

/// A copy of the bytes of a kernel, in tiles of at most 16 KiB and with two buffers: all that is
/// known of code that is not public.
fn bytes(words: &mut Words<'_>) -> Result<Text, String> {
    let blocks = words.number("blocks")?;
    let (read, written) = (words.number("read")?, words.number("written")?);
    let tiles = written.div_ceil(blocks * 16384);
    let (reads, writes) = (read / blocks / tiles, written / blocks / tiles);
    let mut text = String::new();
    for i in 0..tiles {
        let (id, x, y) = (i % 2, i * reads, i * writes);
        if i > 1 {
            let _ = writeln!(text, "k:1 wait MTE3 MTE2 {id}");
        }
        let _ = write!(
            text,
            "k:2 MTE2 DataCopy x+{x} 1*{reads}/{reads} ub 0/32
k:3 set MTE2 MTE3 {id}
k:3 wait MTE2 MTE3 {id}
k:4 MTE3 DataCopy y+{y} 1*{writes}/{writes} ub 0/32
k:5 set MTE3 MTE2 {id}
"
        );
    }
    Ok(one(blocks, text))
}

/// The greatest of a few numbers, in each block.
fn amax(words: &mut Words<'_>) -> Result<Text, String> {
    let blocks = words.number("blocks")?;
    let text = "k:1 MTE2 DataCopy x+0 1*256/256 ub 0/256
k:2 set MTE2 V 0
k:2 wait MTE2 V 0
k:3 V WholeReduceMax 1*64/64 w256+32,4 r0,1,8,4
k:4 set V MTE3 0
k:4 wait V MTE3 0
k:5 MTE3 DataCopyPad y+0 1*4/4 ub 256/32
";
    Ok(one(blocks, text.to_string()))
}

/// The least of so many floats: each block takes the lesser of its tiles of 32 KiB, with two
/// buffers, and reduces the last one.
fn amin(words: &mut Words<'_>) -> Result<Text, String> {
    let (blocks, elements) = (words.number("blocks")?, words.number("elements")?);
    let tile = 32768;
    let mut text = String::new();
    for (i, at) in (0..elements * 4 / blocks).step_by(tile).enumerate() {
        let (id, ub) = (i % 2, i % 2 * tile + tile);
        if i > 1 {
            let _ = writeln!(text, "k:1 wait V MTE2 {id}");
        }
        let _ = write!(
            text,
            "k:2 MTE2 DataCopy x+{at} 1*{tile}/{tile} ub {ub}/{tile}
k:3 set MTE2 V {id}
k:3 wait MTE2 V {id}
k:4 V Min 128*64/64 w0,1,8,4 r0,1,8,4 r{ub},1,8,4
k:5 set V MTE2 {id}
"
        );
    }
    text += "k:6 V WholeReduceMin 128*64/64 w0+512,4 r0,1,8,4
k:7 V WholeReduceMin 4*64/64 w0+32,4 r0,1,8,4
k:8 set V MTE3 0
k:8 wait V MTE3 0
k:9 MTE3 DataCopyPad y+0 1*4/4 ub 0/32
";
    Ok(one(blocks, text))
}

/// Rows of 512 floats, each of which becomes 512 indices of four bits and its norm. A core takes so
/// many rows a call. UB is that of the published TPipe, in the order of its buffers.
struct Turbo {
    rows: u64,
    at: Buffers,
}

/// Addresses of the buffers of [`Turbo`].
struct Buffers {
    slot: u64,
    unit: u64,
    index: u64,
    temporary: u64,
    selected: u64,
    ones: u64,
    halves: u64,
    mask: u64,
    norm: u64,
}

fn turbo(words: &mut Words<'_>) -> Result<Text, String> {
    let (tokens, most) = (words.number("tokens")?, words.number("most")?);
    let share = tokens.div_ceil(40);
    let rows = most.min(share);
    let float = rows * 512 * 4;
    let slot = float;
    let unit = slot + (rows * 320).next_multiple_of(64);
    let ones = unit + 4 * float;
    let halves = ones + float;
    let mask = halves + float / 2;
    let turbo = Turbo {
        rows,
        at: Buffers {
            slot,
            unit,
            index: unit + float,
            temporary: unit + 2 * float,
            selected: unit + 3 * float,
            ones,
            halves,
            mask,
            // Behind the masks and the work space of a row.
            norm: mask + rows * 64 + 2048,
        },
    };
    Ok(one(tokens.div_ceil(share), turbo.stream(share)))
}

impl Turbo {
    fn stream(&self, tokens: u64) -> String {
        let Buffers { ones, norm, .. } = self.at;
        let centroids = norm + self.rows * 64;
        let mut text =
            format!("k:1 MTE2 DataCopy c+0 1*64/64 ub {centroids}/64\nk:1 barrier ALL\n");
        for i in 0..15 {
            let at = centroids + i * 4;
            let _ = writeln!(
                text,
                "k:2 S GetValue ub {at} 4\nk:2 S GetValue ub {} 4",
                at + 4
            );
        }
        let _ = writeln!(
            text,
            "k:3 V Duplicate {}*64/64 w{ones},1,8,4\nk:3 barrier V",
            self.rows * 8
        );
        for first in (0..tokens).step_by(self.rows as usize) {
            self.rows_of(&mut text, first, self.rows.min(tokens - first));
        }
        text
    }

    /// The events of one batch of rows.
    fn rows_of(&self, text: &mut String, first: u64, rows: u64) {
        let &Buffers {
            slot,
            unit,
            index,
            temporary,
            selected,
            ones,
            halves,
            mask,
            norm,
        } = &self.at;
        let (n, bytes, at) = (rows * 8, rows * 2048, first * 2048);
        let bits = (n * 8).next_multiple_of(32);
        if first > 0 {
            *text += "k:4 wait V MTE2 0\n";
        }
        let _ = write!(
            text,
            "k:4 MTE2 DataCopy x+{at} 1*{bytes}/{bytes} ub 0/{bytes}
k:4 set MTE2 V 0
k:4 wait MTE2 V 0
"
        );
        if first > 0 {
            *text += "k:5 wait MTE3 V 0\n";
        }
        let zeros = (rows * 160).div_ceil(128);
        let mut calls = vec![
            format!("Duplicate {zeros}*128/128 w{slot},1,8,2"),
            format!("Mul {n}*64/64 w{temporary},1,8,4 r0,1,8,4 r0,1,8,4"),
        ];
        in_order(text, &calls);
        for i in 0..rows {
            let (from, to) = (temporary + i * 2048, norm + i * 64);
            let _ = writeln!(text, "k:6 V ReduceSum 8*64/64 r{from},1,8,4 w{to},1,8,4");
        }
        *text += "k:6 barrier V\nk:6 set V S 0\nk:6 wait V S 0\n";
        for i in 0..rows {
            let (from, to, norm) = (i * 2048, unit + i * 2048, norm + i * 64);
            let _ = writeln!(
                text,
                "k:7 S GetValue ub {norm} 4\nk:7 V Muls 8*64/64 w{to},1,8,4 r{from},1,8,4"
            );
        }
        *text += "k:7 barrier V\n";
        calls = vec![format!("Duplicate {n}*64/64 w{index},1,8,4")];
        for _ in 0..15 {
            calls.push(format!(
                "CompareScalar {n}*64/64 r{unit},1,8,4 w{mask}+{bits},1"
            ));
            calls.push(format!(
                "Select {n}*64/64 w{selected},1,8,4 r{ones},1,8,4 r{mask}+{bits},1"
            ));
            calls.push(format!(
                "Add {n}*64/64 w{index},1,8,4 r{index},1,8,4 r{selected},1,8,4"
            ));
        }
        calls.extend([
            format!("CompareScalar {n}*64/64 r{index},1,8,4 w{mask}+{bits},1"),
            format!("Adds {n}*64/64 w{selected},1,8,4 r{index},1,8,4"),
            format!(
                "Select {n}*64/64 w{temporary},1,8,4 r{index},1,8,4 r{selected},1,8,4 r{mask}+{bits},1"
            ),
            format!("Cast {n}*64/64 w{halves},1,4,2 r{temporary},1,8,4"),
        ]);
        in_order(text, &calls);
        for i in 0..rows {
            let (from, to) = (halves + i * 1024, slot + i * 320);
            let _ = writeln!(text, "k:8 V Cast 4*128/128 w{to},1,2,1 r{from},1,8,2");
        }
        *text += "k:8 barrier V\nk:8 set V S 0\nk:8 wait V S 0\n";
        for i in 0..rows {
            let at = slot + i * 320 + 256;
            let _ = writeln!(
                text,
                "k:9 S SetValue ub {at} 1 w\nk:9 S SetValue ub {} 1 w",
                at + 1
            );
        }
        let (bytes, at) = (rows * 320, first * 320);
        let _ = write!(
            text,
            "k:9 set V MTE2 0
k:9 set V MTE3 0
k:9 wait V MTE3 0
k:9 MTE3 DataCopy y+{at} 1*{bytes}/{bytes} ub {slot}/{bytes}
k:9 set MTE3 V 0
"
        );
    }
}

/// Writes calls with a barrier behind each.
fn in_order(text: &mut String, calls: &[String]) {
    for call in calls {
        let _ = writeln!(text, "k:5 V {call}\nk:5 barrier V");
    }
}
