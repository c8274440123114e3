//! `.npy` files: numpy's array format, for the element types of kernels. Only C order is supported.
//!
//! numpy has no bf16. Its raw bits are read from `<u2` or `|V2`, which `ml_dtypes` saves, and
//! written as `<u2`. `|V2` is always bf16, but `<u2` may be bf16 or u16. The caller decides, or the
//! tensor if it takes only one of them ([`Header::may_be`]).
//!
//! The header is checked before a byte of data is read. [`Header::open`] returns shape and element
//! type, so a call can be refused before memory is taken.
//!
//! This is our own code because the crates for the format have no 16-bit floats. Format: numpy
//! `lib/format.py`, versions 1 to 3.

use jumar::dsl::dtype::DType;
use jumar::runtime::{Array, AsInput, AsOutput};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::Path;

const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// numpy itself refuses longer headers (`max_header_size` of `numpy.load`).
const MAX_HEADER: usize = 10_000;
/// numpy's own limit of axes.
const MAX_AXES: usize = 64;

/// An element type that files and AscendC have in common.
#[derive(Debug, PartialEq)]
pub struct Element {
    pub name: &'static str,
    descr: &'static str,
    pub bytes: usize,
    /// The element type in kernels of Rust; `None` if only handwritten AscendC has it.
    dtype: Option<DType>,
}

/// The element type of raw bytes, too.
pub static U8: Element = element("u8", "|u1", 1, Some(DType::U8));
/// bf16 comes before u16, which has the same bits.
static ELEMENTS: [&Element; 13] = [
    &element("bf16", BITS, 2, Some(DType::Bf16)),
    &element("f16", "<f2", 2, Some(DType::F16)),
    &element("f32", "<f4", 4, Some(DType::F32)),
    &element("f64", "<f8", 8, None),
    &element("bool", "|b1", 1, Some(DType::Bool)),
    &element("i8", "|i1", 1, Some(DType::I8)),
    &U8,
    &element("i16", "<i2", 2, Some(DType::I16)),
    &element("u16", BITS, 2, Some(DType::U16)),
    &element("i32", "<i4", 4, Some(DType::I32)),
    &element("u32", "<u4", 4, Some(DType::U32)),
    &element("i64", "<i8", 8, Some(DType::I64)),
    &element("u64", "<u8", 8, None),
];
const BITS: &str = "<u2";
/// Two bytes without a type.
const VOID: [&str; 3] = ["|V2", "<V2", "V2"];

const fn element(
    name: &'static str,
    descr: &'static str,
    bytes: usize,
    dtype: Option<DType>,
) -> Element {
    Element {
        name,
        descr,
        bytes,
        dtype,
    }
}

impl Element {
    /// Returns the element type called `name`.
    ///
    /// # Errors
    /// Lists the element types.
    pub fn by_name(name: &str) -> Result<&'static Element, String> {
        let found = ELEMENTS.into_iter().find(|e| e.name == name);
        found.ok_or_else(|| format!("`{name}` is no element type; there are {}", names()))
    }

    /// Returns the element type of a kernel's tensor; any other dtype is that of mask bytes.
    fn of(dtype: DType) -> &'static Element {
        ELEMENTS
            .into_iter()
            .find(|e| e.dtype == Some(dtype))
            .unwrap_or(&U8)
    }

    fn by_descr(descr: &str) -> Result<&'static Element, String> {
        let plain = if VOID.contains(&descr) { BITS } else { descr };
        ELEMENTS
            .into_iter()
            .find(|e| e.descr == plain)
            .ok_or_else(|| {
                let swap = ": it is big-endian, save it as `x.astype(x.dtype.newbyteorder('<'))`";
                let hint = if descr.starts_with('>') { swap } else { "" };
                format!(
                    "it holds {}; tensors hold {}, bf16 as the bits of '<u2' or '|V2'{hint}",
                    quoted(descr),
                    names()
                )
            })
    }
}

fn names() -> String {
    let all: Vec<&str> = ELEMENTS.iter().map(|e| e.name).collect();
    all.join(", ")
}

/// The header of a file, which is open at its data.
pub struct Header {
    file: BufReader<File>,
    pub element: &'static Element,
    /// True for bits without a type, as `ml_dtypes` saves bf16.
    is_void: bool,
    /// Axes, outermost first.
    pub shape: Vec<usize>,
    /// Bytes of the data.
    pub bytes: usize,
}

/// Opens a file and returns its length. The kind of file is checked first, because opening a pipe
/// waits for its writer.
///
/// # Errors
/// Says why it cannot be opened, without its name.
pub fn open(path: &Path) -> Result<(File, u64), String> {
    let found = std::fs::metadata(path).map_err(|e| said(&e))?;
    if !found.is_file() {
        return Err("it is not a file".to_owned());
    }
    Ok((File::open(path).map_err(|e| said(&e))?, found.len()))
}

impl Header {
    /// Reads and checks the header, and checks the length of the file against it.
    ///
    /// # Errors
    /// Says what is wrong with the file and what is expected, without its name.
    pub fn open(path: &Path) -> Result<Header, String> {
        let (opened, length) = open(path)?;
        let mut file = BufReader::new(opened);
        let (text, start) = header_text(&mut file)?;
        let Fields {
            descr,
            fortran,
            shape,
        } = parse_header(&text)
            .ok_or_else(|| format!("its header is malformed: {}", quoted(&text)))?;
        let (element, is_void) = (Element::by_descr(&descr)?, VOID.contains(&descr.as_str()));
        if fortran && shape.len() > 1 {
            return Err(
                "it is in Fortran order; save it with `np.save(path, np.ascontiguousarray(x))`"
                    .into(),
            );
        }
        let Some(bytes) = shape
            .iter()
            .try_fold(element.bytes, |n, axis| n.checked_mul(*axis))
        else {
            return Err(format!("its shape {shape:?} is larger than any memory"));
        };
        if start.checked_add(bytes as u64) != Some(length) {
            let found = length.saturating_sub(start);
            return Err(format!(
                "it is damaged: shape {shape:?} of {} takes {bytes} bytes of data, the file has {found}",
                element.name
            ));
        }
        Ok(Header {
            file,
            element,
            is_void,
            shape,
            bytes,
        })
    }

    /// Returns the element type in a kernel of Rust.
    ///
    /// # Errors
    /// Says that there is none, and what to do.
    pub fn dtype(&self) -> Result<DType, String> {
        self.element.dtype.ok_or_else(|| {
            let near = if self.element.name == "f64" {
                "float32"
            } else {
                "int32"
            };
            let taken: Vec<&str> = ELEMENTS
                .iter()
                .filter(|e| e.dtype.is_some())
                .map(|e| e.name)
                .collect();
            let name = self.element.name;
            format!(
                "it holds {name}; a kernel takes {}: save it as `x.astype(np.{near})`",
                taken.join(", ")
            )
        })
    }

    /// Returns the possible element types in a kernel of Rust. Files spell some of them alike, such
    /// as bf16 and u16.
    ///
    /// # Errors
    /// Says that there is none, and what to do.
    pub fn may_be(&self) -> Result<Vec<DType>, String> {
        let own = self.dtype()?;
        if self.is_void {
            return Ok(vec![own]);
        }
        Ok(ELEMENTS
            .into_iter()
            .filter(|e| e.descr == self.element.descr)
            .filter_map(|e| e.dtype)
            .collect())
    }

    /// Interprets the bits as one of the types that [`Header::may_be`] gives; any other type
    /// changes nothing.
    pub fn seen_as(mut self, dtype: DType) -> Header {
        if self.may_be().is_ok_and(|all| all.contains(&dtype)) {
            self.element = Element::of(dtype);
        }
        self
    }

    /// Reads the data for a kernel of Rust.
    ///
    /// # Errors
    /// Says what went wrong, without the file's name.
    pub fn read(mut self) -> Result<Array, String> {
        let dtype = self.dtype()?;
        let mut array = Array::zeros(dtype, &self.shape)
            .ok_or_else(|| format!("no array of {dtype} can be made"))?;
        let mut out = array.as_output().map_err(|e| e.to_string())?;
        self.file.read_exact(out.bytes()).map_err(|e| said(&e))?;
        Ok(array)
    }

    /// Reads the bytes of the data.
    ///
    /// # Errors
    /// Says what went wrong, without the file's name.
    pub fn read_bytes(mut self) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(self.bytes)
            .map_err(|_| format!("there is no memory for its {} bytes", self.bytes))?;
        bytes.resize(self.bytes, 0);
        self.file.read_exact(&mut bytes).map_err(|e| said(&e))?;
        Ok(bytes)
    }
}

/// Writes an array to `path`.
///
/// # Errors
/// Those of the file system.
pub fn write(path: &Path, array: &Array) -> io::Result<()> {
    write_bytes(
        path,
        Element::of(array.dtype()),
        array.shape(),
        array.as_input().bytes(),
    )
}

/// Writes the elements in `bytes`, in C order, to `path`.
///
/// # Errors
/// Those of the file system.
pub fn write_bytes(
    path: &Path,
    element: &Element,
    shape: &[usize],
    bytes: &[u8],
) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let axes: Vec<String> = shape.iter().map(|n| format!("{n},")).collect();
    let shape = match axes.as_slice() {
        [one] => one.clone(),
        many => many.join(" ").trim_end_matches(',').to_owned(),
    };
    let mut header = format!(
        "{{'descr': '{}', 'fortran_order': False, 'shape': ({shape}), }}",
        element.descr
    );
    // Magic, version and length take 10 bytes; the data starts at a multiple of 64.
    let padded = (10 + header.len() + 1).next_multiple_of(64) - 10;
    header.push_str(&" ".repeat(padded - header.len() - 1));
    header.push('\n');
    let length = u16::try_from(header.len())
        .map_err(|_| io::Error::new(ErrorKind::InvalidInput, "too many axes"))?;
    file.write_all(MAGIC)?;
    file.write_all(&[1, 0])?;
    file.write_all(&length.to_le_bytes())?;
    file.write_all(header.as_bytes())?;
    file.write_all(bytes)?;
    file.into_inner().map_err(|e| e.into_error())?.sync_all()
}

/// Returns the header's text, and the start of the data.
fn header_text(file: &mut impl Read) -> Result<(String, u64), String> {
    let cut = |e: io::Error| match e.kind() {
        ErrorKind::UnexpectedEof => "it is no .npy file: it ends before its header does".to_owned(),
        _ => said(&e),
    };
    let mut head = [0u8; 8];
    file.read_exact(&mut head).map_err(cut)?;
    if &head[..6] != MAGIC {
        let hint = if head.starts_with(b"PK") {
            " (it looks like .npz: save one array a file with `np.save`)"
        } else {
            ""
        };
        return Err(format!(
            "it is no .npy file: it does not start with \\x93NUMPY{hint}"
        ));
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
        v => {
            return Err(format!(
                "it has format version {v}; versions 1, 2 and 3 are known"
            ))
        }
    };
    if length > MAX_HEADER {
        return Err(format!(
            "its header takes {length} bytes, at most {MAX_HEADER} are allowed"
        ));
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

/// Parses `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`: each key once, in any
/// order, and nothing else.
fn parse_header(text: &str) -> Option<Fields> {
    let mut rest = text
        .trim()
        .strip_prefix('{')?
        .strip_suffix('}')?
        .trim_start();
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
                let (value, word) = if rest.starts_with("True") {
                    (true, "True")
                } else {
                    (false, "False")
                };
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
    Some(Fields {
        descr: descr?,
        fortran: fortran?,
        shape: shape?,
    })
}

/// Parses `3, 4` or `3,` or nothing.
fn axes(inside: &str) -> Option<Vec<usize>> {
    let inside = inside.trim();
    if inside.is_empty() {
        return Some(Vec::new());
    }
    let list = inside.strip_suffix(',').unwrap_or(inside);
    let axes: Vec<usize> = list
        .split(',')
        .map(|n| n.trim().parse().ok())
        .collect::<Option<_>>()?;
    (axes.len() <= MAX_AXES).then_some(axes)
}

/// Splits a quoted string at the start of `text` from the text behind it.
fn string(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(quote)
}

/// Quotes a foreign text for a message: on one line, without control characters, shortened.
fn quoted(text: &str) -> String {
    let short: String = text
        .trim()
        .chars()
        .take(80)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    format!("`{short}`")
}

/// Describes an error of the system, without its number.
pub fn said(e: &io::Error) -> String {
    match e.kind() {
        ErrorKind::NotFound => "there is no such file".into(),
        ErrorKind::PermissionDenied => "it may not be accessed".into(),
        ErrorKind::IsADirectory => "it is a folder".into(),
        ErrorKind::StorageFull => "the disk is full".into(),
        ErrorKind::UnexpectedEof => "it ends too early".into(),
        _ => {
            let text = e.to_string();
            text.split(" (os error")
                .next()
                .unwrap_or_default()
                .to_lowercase()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_numpy_are_read_and_others_refused() {
        let fields = |text| parse_header(text).map(|f| (f.descr, f.fortran, f.shape));
        let good = |descr: &str, fortran, shape: &[usize]| {
            Some((descr.to_owned(), fortran, shape.to_vec()))
        };
        assert_eq!(
            fields("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   \n"),
            good("<f4", false, &[3, 4])
        );
        assert_eq!(
            fields("{'shape': (7,), \"descr\": \"|V2\", 'fortran_order': True}"),
            good("|V2", true, &[7])
        );
        assert_eq!(
            fields("{'descr': '<i4', 'fortran_order': False, 'shape': (), }"),
            good("<i4", false, &[])
        );
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
    fn two_bytes_may_be_bf16_or_u16_where_numpy_says_u16_alone() {
        let path = std::env::temp_dir().join(format!("jumar-npy-may-{}.npy", std::process::id()));
        for (descr, may) in [
            ("<u2", &[DType::Bf16, DType::U16][..]),
            ("|V2", &[DType::Bf16]),
            ("<V2", &[DType::Bf16]),
            ("<f2", &[DType::F16]),
            ("<i2", &[DType::I16]),
            ("|u1", &[DType::U8]),
            ("|b1", &[DType::Bool]),
        ] {
            let element = element("any", descr, if descr.ends_with('1') { 1 } else { 2 }, None);
            write_bytes(&path, &element, &[1], &[7, 0][..element.bytes])
                .expect("the temporary folder can be written");
            let open = || Header::open(&path).expect("own files are read");
            assert_eq!(open().may_be().expect("a type of kernels"), may, "{descr}");
            for dtype in [DType::Bf16, DType::U16, DType::F16, DType::I16] {
                let seen = open().seen_as(dtype).dtype().expect("a type of kernels");
                assert_eq!(
                    seen,
                    if may.contains(&dtype) { dtype } else { may[0] },
                    "{descr} as {dtype}"
                );
            }
        }
        let _ = std::fs::remove_file(&path);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let path = std::env::temp_dir().join(format!("jumar-npy-{}.npy", std::process::id()));
        for element in ELEMENTS {
            for shape in [&[2, 3][..], &[], &[5], &[0, 4], &[40_000]] {
                let bytes: Vec<u8> = (0..shape.iter().product::<usize>() * element.bytes)
                    .map(|i| i as u8)
                    .collect();
                write_bytes(&path, element, shape, &bytes)
                    .expect("the temporary folder can be written");
                let open = || Header::open(&path).expect("own files are read");
                let Header {
                    element: found,
                    shape: axes,
                    ..
                } = open();
                assert_eq!((found.descr, axes.as_slice()), (element.descr, shape));
                assert_eq!(open().read_bytes().expect("own files are read"), bytes);
                match open().dtype() {
                    Ok(dtype) => {
                        let array = open().read().expect("own files are read");
                        assert_eq!((array.dtype(), array.shape()), (dtype, shape));
                        assert_eq!(array.as_input().bytes(), bytes);
                    }
                    Err(why) => {
                        assert!(
                            why.contains(element.name) && open().read().is_err(),
                            "{why}"
                        )
                    }
                }
            }
        }
        let _ = std::fs::remove_file(path);
    }
}
