//! `.npy` files: numpy's array format, as far as kernels have dtypes for it.
//!
//! Read: `<f2`, `<f4`, `<i4`, and for bf16, which numpy has not, the raw bits as `<u2` or `|V2` (what `ml_dtypes`
//! saves). Written: the same, bf16 as `<u2`. C order only. The header is checked before a byte of data is read:
//! [`Header::open`] tells shape and dtype, so that a call can be refused before memory is taken.
//!
//! Own code because the crates for it know no 16-bit floats. Format: numpy `lib/format.py`, versions 1 to 3.

use half::{bf16, f16};
use jumar::dsl::dtype::DType;
use jumar::runtime::Array;
use ndarray::{ArrayD, IxDyn};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::Path;

const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// numpy itself refuses longer headers (`max_header_size` of `numpy.load`).
const MAX_HEADER: usize = 10_000;
/// numpy's own limit of axes.
const MAX_AXES: usize = 64;
/// Bytes converted at a time; a whole number of elements of each dtype.
const PIECE: usize = 1 << 16;

/// What a file says of its array.
pub struct Header {
    file: BufReader<File>,
    /// Element type.
    pub dtype: DType,
    /// Axes, outermost first.
    pub shape: Vec<usize>,
    elements: usize,
}

impl Header {
    /// Reads and checks the header, and that the file is as long as the header says.
    ///
    /// # Errors
    /// What is wrong with the file and what is expected, without its name.
    pub fn open(path: &Path) -> Result<Header, String> {
        let opened = File::open(path).map_err(|e| said(&e))?;
        let length = opened
            .metadata()
            .map_err(|e| said(&e))
            .and_then(|m| m.is_file().then_some(m.len()).ok_or_else(|| "it is not a file".to_owned()))?;
        let mut file = BufReader::with_capacity(PIECE, opened);
        let (text, start) = header_text(&mut file)?;
        let Fields { descr, fortran, shape } =
            parse_header(&text).ok_or_else(|| format!("its header is malformed: {}", quoted(&text)))?;
        let dtype = dtype_of(&descr)?;
        if fortran && shape.len() > 1 {
            return Err("it is in Fortran order; save it with `np.save(path, np.ascontiguousarray(x))`".into());
        }
        let elements = shape.iter().try_fold(1usize, |n, axis| n.checked_mul(*axis));
        let bytes = elements.and_then(|n| (n as u64).checked_mul(dtype.bytes() as u64));
        let (Some(elements), Some(bytes)) = (elements, bytes) else {
            return Err(format!("its shape {shape:?} is larger than any memory"));
        };
        if start.checked_add(bytes) != Some(length) {
            let found = length.saturating_sub(start);
            return Err(format!(
                "it is damaged: shape {shape:?} of {} takes {bytes} bytes of data, the file has {found}",
                dtype.name()
            ));
        }
        Ok(Header { file, dtype, shape, elements })
    }

    /// Bytes of the data.
    pub fn bytes(&self) -> u64 {
        self.elements as u64 * self.dtype.bytes() as u64
    }

    /// Reads the data.
    ///
    /// # Errors
    /// What went wrong, without the file's name.
    pub fn read(mut self) -> Result<Array, String> {
        let n = self.elements;
        let array = match self.dtype {
            DType::F16 => Array::F16(shaped(&self.shape, elements(&mut self.file, n, f16::from_le_bytes)?)?),
            DType::Bf16 => Array::Bf16(shaped(&self.shape, elements(&mut self.file, n, bf16::from_le_bytes)?)?),
            DType::F32 => Array::F32(shaped(&self.shape, elements(&mut self.file, n, f32::from_le_bytes)?)?),
            DType::I32 => Array::I32(shaped(&self.shape, elements(&mut self.file, n, i32::from_le_bytes)?)?),
            DType::U8 => return Err("no kernel takes an array of bytes".into()),
        };
        Ok(array)
    }
}

/// Writes an array to `path`.
///
/// # Errors
/// Those of the file system.
pub fn write(path: &Path, array: &Array) -> io::Result<()> {
    let mut file = BufWriter::with_capacity(PIECE, File::create(path)?);
    let axes: Vec<String> = array.shape().iter().map(|n| format!("{n},")).collect();
    let shape = match axes.as_slice() {
        [one] => one.clone(),
        many => many.join(" ").trim_end_matches(',').to_owned(),
    };
    let mut header = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({shape}), }}", descr_of(array.dtype()));
    // Magic, version and length take 10 bytes; the data starts at a multiple of 64.
    let padded = (10 + header.len() + 1).next_multiple_of(64) - 10;
    header.push_str(&" ".repeat(padded - header.len() - 1));
    header.push('\n');
    let length = u16::try_from(header.len()).map_err(|_| io::Error::new(ErrorKind::InvalidInput, "too many axes"))?;
    file.write_all(MAGIC)?;
    file.write_all(&[1, 0])?;
    file.write_all(&length.to_le_bytes())?;
    file.write_all(header.as_bytes())?;
    match array {
        Array::F16(a) => put(&mut file, a.iter(), |v| v.to_le_bytes())?,
        Array::Bf16(a) => put(&mut file, a.iter(), |v| v.to_le_bytes())?,
        Array::F32(a) => put(&mut file, a.iter(), |v| v.to_le_bytes())?,
        Array::I32(a) => put(&mut file, a.iter(), |v| v.to_le_bytes())?,
    }
    file.into_inner().map_err(|e| e.into_error())?.sync_all()
}

fn put<'a, T: 'a, const N: usize>(
    out: &mut impl Write,
    all: impl Iterator<Item = &'a T>,
    bytes: impl Fn(&T) -> [u8; N],
) -> io::Result<()> {
    all.into_iter().try_for_each(|v| out.write_all(&bytes(v)))
}

fn elements<T, const N: usize>(file: &mut impl Read, n: usize, value: impl Fn([u8; N]) -> T) -> Result<Vec<T>, String> {
    let mut all = Vec::new();
    all.try_reserve_exact(n).map_err(|_| format!("there is no memory for its {n} elements"))?;
    let mut piece = vec![0u8; PIECE.min(n * N)];
    while all.len() < n {
        let take = piece.len().min((n - all.len()) * N);
        file.read_exact(&mut piece[..take]).map_err(|e| said(&e))?;
        all.extend(piece[..take].as_chunks::<N>().0.iter().map(|bytes| value(*bytes)));
    }
    Ok(all)
}

fn shaped<T>(shape: &[usize], data: Vec<T>) -> Result<ArrayD<T>, String> {
    ArrayD::from_shape_vec(IxDyn(shape), data).map_err(|e| format!("its shape {shape:?} does not hold: {e}"))
}

/// The header's text, and where the data starts.
fn header_text(file: &mut impl Read) -> Result<(String, u64), String> {
    let cut = |e: io::Error| match e.kind() {
        ErrorKind::UnexpectedEof => "it is no .npy file: it ends before its header does".to_owned(),
        _ => said(&e),
    };
    let mut head = [0u8; 8];
    file.read_exact(&mut head).map_err(cut)?;
    if &head[..6] != MAGIC {
        let hint = if head.starts_with(b"PK") { " (it looks like .npz: save one array a file with `np.save`)" } else { "" };
        return Err(format!("it is no .npy file: it does not start with \\x93NUMPY{hint}"));
    }
    let (length, start) = match head[6] {
        1 => {
            let mut n = [0u8; 2];
            file.read_exact(&mut n).map_err(cut)?;
            (usize::from(u16::from_le_bytes(n)), 10)
        }
        2 | 3 => {
            let mut n = [0u8; 4];
            file.read_exact(&mut n).map_err(cut)?;
            (u32::from_le_bytes(n) as usize, 12)
        }
        v => return Err(format!("it has format version {v}; versions 1, 2 and 3 are known")),
    };
    if length > MAX_HEADER {
        return Err(format!("its header takes {length} bytes, at most {MAX_HEADER} are allowed"));
    }
    let mut text = vec![0u8; length];
    file.read_exact(&mut text).map_err(cut)?;
    let text = String::from_utf8(text).map_err(|_| "its header is not text".to_owned())?;
    Ok((text, start + length as u64))
}

/// The three entries of a header.
#[derive(Debug, PartialEq)]
struct Fields {
    descr: String,
    fortran: bool,
    shape: Vec<usize>,
}

/// Parses `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`: each key once, in any order, nothing else.
fn parse_header(text: &str) -> Option<Fields> {
    let mut rest = text.trim().strip_prefix('{')?.strip_suffix('}')?.trim_start();
    let (mut descr, mut fortran, mut shape) = (None, None, None);
    while !rest.is_empty() {
        let (key, after) = string(rest)?;
        rest = after.trim_start().strip_prefix(':')?.trim_start();
        match key {
            "descr" if descr.is_none() => {
                let (value, after) = string(rest)?;
                (descr, rest) = (Some(value.to_owned()), after);
            }
            "fortran_order" if fortran.is_none() => {
                let (value, word) = if rest.starts_with("True") { (true, "True") } else { (false, "False") };
                (fortran, rest) = (Some(value), rest.strip_prefix(word)?);
            }
            "shape" if shape.is_none() => {
                let (inside, after) = rest.strip_prefix('(')?.split_once(')')?;
                (shape, rest) = (Some(axes(inside)?), after);
            }
            _ => return None,
        }
        rest = rest.trim_start();
        match rest.strip_prefix(',') {
            Some(after) => rest = after.trim_start(),
            None if rest.is_empty() => {}
            None => return None,
        }
    }
    Some(Fields { descr: descr?, fortran: fortran?, shape: shape? })
}

/// `3, 4` or `3,` or nothing.
fn axes(inside: &str) -> Option<Vec<usize>> {
    let inside = inside.trim();
    if inside.is_empty() {
        return Some(Vec::new());
    }
    let list = inside.strip_suffix(',').unwrap_or(inside);
    let axes: Vec<usize> = list.split(',').map(|n| n.trim().parse().ok()).collect::<Option<_>>()?;
    (axes.len() <= MAX_AXES).then_some(axes)
}

/// A quoted string at the start of `text`, and what follows it.
fn string(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(quote)
}

const fn descr_of(dtype: DType) -> &'static str {
    match dtype {
        DType::F16 => "<f2",
        DType::Bf16 => "<u2",
        DType::F32 => "<f4",
        DType::I32 => "<i4",
        DType::U8 => "|u1",
    }
}

fn dtype_of(descr: &str) -> Result<DType, String> {
    match descr {
        "<f2" => Ok(DType::F16),
        "<f4" => Ok(DType::F32),
        "<i4" => Ok(DType::I32),
        "<u2" | "|V2" | "<V2" | "V2" => Ok(DType::Bf16),
        _ => {
            let hint = match descr {
                "<f8" => ": save it as `x.astype(np.float32)`",
                "<i8" => ": save it as `x.astype(np.int32)`",
                _ if descr.starts_with('>') => ": it is big-endian, save it as `x.astype(x.dtype.newbyteorder('<'))`",
                _ => "",
            };
            Err(format!(
                "it holds {}; a kernel takes '<f2' (f16), '<f4' (f32), '<i4' (i32), and '<u2' or '|V2' as the bits of bf16{hint}",
                quoted(descr)
            ))
        }
    }
}

/// A foreign text for a message: on one line, without control characters, not too long.
fn quoted(text: &str) -> String {
    let short: String = text.trim().chars().take(80).map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("`{short}`")
}

/// What the system said, without the number of the error.
pub fn said(e: &io::Error) -> String {
    match e.kind() {
        ErrorKind::NotFound => "there is no such file".into(),
        ErrorKind::PermissionDenied => "it may not be accessed".into(),
        ErrorKind::IsADirectory => "it is a folder".into(),
        ErrorKind::StorageFull => "the disk is full".into(),
        ErrorKind::UnexpectedEof => "it ends too early".into(),
        _ => {
            let text = e.to_string();
            text.split(" (os error").next().unwrap_or_default().to_lowercase()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_numpy_are_read_and_others_refused() {
        let fields = |text| parse_header(text).map(|f| (f.descr, f.fortran, f.shape));
        let good = |descr: &str, fortran, shape: &[usize]| Some((descr.to_owned(), fortran, shape.to_vec()));
        assert_eq!(fields("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   \n"), good("<f4", false, &[3, 4]));
        assert_eq!(fields("{'shape': (7,), \"descr\": \"|V2\", 'fortran_order': True}"), good("|V2", true, &[7]));
        assert_eq!(fields("{'descr': '<i4', 'fortran_order': False, 'shape': (), }"), good("<i4", false, &[]));
        for bad in [
            "",
            "{}",
            "{'descr': '<f4', 'fortran_order': False}",
            "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
            "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (1,,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
            "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
            "{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}",
            "{'descr': '<f4",
            "{é",
        ] {
            assert_eq!(fields(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let arrays = [
            Array::F16(ArrayD::from_shape_fn(IxDyn(&[2, 3]), |i| f16::from_f32(i[1] as f32))),
            Array::Bf16(ArrayD::from_elem(IxDyn(&[]), bf16::from_f32(-0.0))),
            Array::F32(ArrayD::from_elem(IxDyn(&[5]), f32::INFINITY)),
            Array::I32(ArrayD::from_elem(IxDyn(&[0, 4]), 7)),
            Array::F32(ArrayD::from_shape_fn(IxDyn(&[40_000]), |i| i[0] as f32)),
        ];
        let path = std::env::temp_dir().join(format!("jumar-npy-{}.npy", std::process::id()));
        for array in arrays {
            write(&path, &array).expect("the temporary folder can be written");
            let header = Header::open(&path).expect("own files are read");
            assert_eq!((header.dtype, header.shape.as_slice()), (array.dtype(), array.shape()));
            let back = header.read().expect("own files are read");
            let same = match (&array, &back) {
                (Array::F16(a), Array::F16(b)) => a == b,
                (Array::Bf16(a), Array::Bf16(b)) => a == b,
                (Array::F32(a), Array::F32(b)) => a == b,
                (Array::I32(a), Array::I32(b)) => a == b,
                _ => false,
            };
            assert!(same);
        }
        let _ = std::fs::remove_file(path);
    }
}
