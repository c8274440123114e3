//! The arguments of `jumar cpp`: options of the call become what each parameter of the kernel is given.

use super::folder::Pending;
use super::npy::{self, said, Element, Header};
use super::Failure;
use jumar::runtime::ascendc::{Argument, KernelFunction};
use std::collections::BTreeMap;
use std::path::Path;

/// What the options of a call say of arguments.
pub struct Options<'a> {
    pub args: &'a [String],
    pub structs: &'a [String],
    pub outs: &'a [String],
    pub scratch: &'a [String],
}

/// What a parameter of the kernel is given.
pub enum Given {
    /// Bytes and shape.
    Read(Vec<u8>, Vec<usize>),
    Written(Vec<u8>, Target),
    Scratch(u64),
    Value(Vec<u8>),
    /// The tensors of a list.
    List(Vec<Given>),
}

/// Where an output goes, and as what.
pub struct Target {
    place: Pending,
    element: &'static Element,
    shape: Vec<usize>,
}

impl Given {
    /// It as an argument of a launch.
    pub fn argument(&mut self, name: &str) -> Argument<'_> {
        match self {
            Given::Read(bytes, _) => Argument::Input(name.into(), bytes),
            Given::Written(bytes, _) => Argument::Output(name.into(), bytes),
            Given::Scratch(bytes) => Argument::Scratch(name.into(), *bytes),
            Given::Value(bytes) => Argument::Value(std::mem::take(bytes)),
            Given::List(members) => {
                let members = members.iter_mut().enumerate();
                Argument::List(name.into(), members.map(|(i, m)| (m.shape(), m.argument(&format!("{name}.{i}")))).collect())
            }
        }
    }

    fn shape(&self) -> Vec<usize> {
        match self {
            Given::Read(_, shape) | Given::Written(_, Target { shape, .. }) => shape.clone(),
            Given::Scratch(_) | Given::Value(_) | Given::List(_) => Vec::new(),
        }
    }

    /// Writes what the kernel has written; a line for each file.
    pub fn store(self, name: &str) -> Result<String, Failure> {
        match self {
            Given::Written(bytes, target) => store(name, bytes, target),
            Given::List(members) => members.into_iter().enumerate().map(|(i, m)| m.store(&format!("{name}.{i}"))).collect(),
            Given::Read(..) | Given::Scratch(_) | Given::Value(_) => Ok(String::new()),
        }
    }
}

/// What each parameter is given, in order.
pub fn bind(call: &Options<'_>, function: &KernelFunction) -> Result<Vec<Given>, Failure> {
    let wrong = |what: String| Failure::call(what, spelled(function));
    let mut given: BTreeMap<Place, Given> = BTreeMap::new();
    let find =
        |name: &str| place(function, name).ok_or_else(|| wrong(format!("kernel `{}` has no parameter `{name}`", function.name)));
    let mut targets: Vec<(Place, &str, Option<&str>, &str)> = Vec::new();
    for text in call.outs {
        let (head, file) = text
            .split_once("=@")
            .filter(|(_, f)| !f.is_empty())
            .ok_or_else(|| wrong(format!("`--out {text}` names no file; write --out NAME:f32[8,16]=@FILE.npy")))?;
        let (name, shape) = head.split_once(':').map_or((head, None), |(name, shape)| (name, Some(shape)));
        targets.push((find(name)?, name, shape, file));
    }
    for (option, all) in [("--arg", call.args), ("--struct", call.structs), ("--scratch", call.scratch)] {
        for text in all {
            let (name, value) = text.split_once('=').ok_or_else(|| wrong(format!("`{option} {text}` has no NAME=VALUE")))?;
            let at = find(name)?;
            let ty = &function.parameters[at.0].0;
            let value = match option {
                "--scratch" => {
                    Given::Scratch(value.parse().map_err(|_| wrong(format!("`{value}` is no number of bytes for `{name}`")))?)
                }
                "--struct" => {
                    let bytes = fields(value).map_err(wrong)?;
                    let shape = vec![bytes.len()];
                    by_kind(ty, bytes, shape)
                }
                _ => argument(name, ty, value, &targets).map_err(|e| match e {
                    Ok(failure) => failure,
                    Err(what) => wrong(what),
                })?,
            };
            if given.insert(at, value).is_some() {
                return Err(wrong(format!("`{name}` is given twice")));
            }
        }
    }
    for (at, name, shape, file) in targets {
        match (given.get(&at), shape) {
            (Some(_), None) => {} // its value came with --arg
            (Some(_), Some(_)) => {
                return Err(wrong(format!("`{name}` has a shape from --arg already; write --out {name}=@{file}")))
            }
            (None, None) => {
                return Err(wrong(format!("`{name}` needs an element type and a shape: --out {name}:f32[8,16]=@{file}")))
            }
            (None, Some(shape)) => {
                let output = output(name, shape, file).map_err(|e| match e {
                    Ok(failure) => failure,
                    Err(what) => wrong(what),
                })?;
                given.insert(at, output);
            }
        }
    }
    let missing = |i: usize| {
        let (ty, name) = &function.parameters[i];
        let how = if is_pointer(ty) {
            format!("--arg {name}=@FILE.npy or --out {name}:f32[..]=@FILE.npy")
        } else {
            format!("--arg {name}=VALUE or --struct {name}=..")
        };
        wrong(format!("`{name}` is missing; add {how}"))
    };
    (0..function.parameters.len())
        .map(|i| {
            if let Some(one) = given.remove(&(i, None)) {
                return Ok(one);
            }
            let members: Vec<Given> = (0..).map_while(|k| given.remove(&(i, Some(k)))).collect();
            if members.is_empty() || given.keys().any(|(of, _)| *of == i) {
                return Err(missing(i));
            }
            Ok(Given::List(members))
        })
        .collect()
}

/// A parameter, or a tensor of the list that it is.
type Place = (usize, Option<usize>);

/// `x`, or `x.1` for a tensor of a list.
fn place(function: &KernelFunction, name: &str) -> Option<Place> {
    let position = |name: &str| function.parameters.iter().position(|(_, n)| n == name);
    match name.rsplit_once('.') {
        Some((list, member)) => Some((position(list)?, Some(member.parse().ok()?))),
        None => Some((position(name)?, None)),
    }
}

/// A failure that is complete, or only what is wrong.
type Wrong = Result<Failure, String>;

fn argument(name: &str, ty: &str, value: &str, targets: &[(Place, &str, Option<&str>, &str)]) -> Result<Given, Wrong> {
    let Some(file) = value.strip_prefix('@') else {
        if is_pointer(ty) {
            return Err(Err(format!("`{name}` is a pointer; give a file: --arg {name}=@FILE.npy")));
        }
        return Ok(Given::Value(number(scalar_type(ty), value).map_err(Err)?));
    };
    let path = Path::new(file);
    let (bytes, element, shape) = if is_npy(path) {
        let unusable = |why: String| {
            Ok(Failure::call(format!("`{file}` cannot be used as a tensor: {why}"), "give a file that `np.save` wrote"))
        };
        let header = Header::open(path).map_err(unusable)?;
        let (element, shape) = (header.element, header.shape.clone());
        (header.read_bytes().map_err(unusable)?, element, shape)
    } else {
        let bytes = std::fs::read(path)
            .map_err(|e| Ok(Failure::call(format!("`{file}` cannot be read: {}", said(&e)), "give a file that exists")))?;
        let shape = vec![bytes.len()];
        (bytes, &npy::U8, shape)
    };
    match targets.iter().find(|t| t.1 == name) {
        Some((_, _, _, out)) => {
            let place = Pending::new(Path::new(out)).map_err(Ok)?;
            Ok(Given::Written(bytes, Target { place, element, shape }))
        }
        None => Ok(by_kind(ty, bytes, shape)),
    }
}

/// Other files hold bytes and nothing else.
fn is_npy(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "npy")
}

fn output(name: &str, text: &str, file: &str) -> Result<Given, Wrong> {
    let parsed = text.strip_suffix(']').and_then(|t| t.split_once('['));
    let (element, shape) =
        parsed.ok_or_else(|| Err(format!("`{text}` is no element type with a shape for `{name}`; write f32[8,16]")))?;
    let shape: Option<Vec<usize>> = shape.split(',').map(str::trim).filter(|s| !s.is_empty()).map(|s| s.parse().ok()).collect();
    let count = shape.as_ref().and_then(|s| s.iter().try_fold(1usize, |n, axis| n.checked_mul(*axis)));
    let (Some(shape), Some(count)) = (shape, count) else {
        return Err(Err(format!("`{text}` has a shape that is none; write f32[8,16]")));
    };
    let element = Element::by_name(element).map_err(Err)?;
    let bytes = count.checked_mul(element.bytes).filter(|b| *b < 1 << 40);
    let bytes = bytes.ok_or_else(|| Err(format!("`{text}` is larger than any memory")))?;
    let place = Pending::new(Path::new(file)).map_err(Ok)?;
    Ok(Given::Written(vec![0; bytes], Target { place, element, shape }))
}

fn by_kind(ty: &str, bytes: Vec<u8>, shape: Vec<usize>) -> Given {
    if is_pointer(ty) {
        Given::Read(bytes, shape)
    } else {
        Given::Value(bytes)
    }
}

fn is_pointer(ty: &str) -> bool {
    ty.ends_with('*') || ty.split_whitespace().any(|w| w == "GM_ADDR")
}

/// The type of a number without what surrounds it.
fn scalar_type(ty: &str) -> &str {
    ty.split_whitespace().rfind(|w| !matches!(*w, "const" | "volatile")).unwrap_or(ty)
}

/// The fields of a structure in C++'s layout: each at a multiple of its size, the whole filled up to the largest.
fn fields(text: &str) -> Result<Vec<u8>, String> {
    let (mut bytes, mut widest) = (Vec::new(), 1);
    for field in text.split(',').map(str::trim) {
        let (ty, value) = field.split_once([':', '=']).ok_or_else(|| format!("`{field}` is no field; write TYPE:VALUE"))?;
        let value = number(ty.trim(), value.trim())?;
        widest = widest.max(value.len());
        bytes.resize(bytes.len().next_multiple_of(value.len()), 0);
        bytes.extend(value);
    }
    bytes.resize(bytes.len().next_multiple_of(widest), 0);
    Ok(bytes)
}

/// The bytes of a number in a C++ type.
fn number(ty: &str, text: &str) -> Result<Vec<u8>, String> {
    fn of<T: std::str::FromStr, const N: usize>(text: &str, bytes: impl Fn(T) -> [u8; N]) -> Option<Vec<u8>> {
        text.parse().ok().map(|v| bytes(v).to_vec())
    }
    let value = match ty {
        "float" => of(text, f32::to_le_bytes),
        "double" => of(text, f64::to_le_bytes),
        "half" => text.parse().ok().map(|v| half::f16::from_f32(v).to_le_bytes().to_vec()),
        "bfloat16_t" => text.parse().ok().map(|v| half::bf16::from_f32(v).to_le_bytes().to_vec()),
        "bool" => text.parse::<bool>().ok().map(|v| vec![u8::from(v)]),
        "int8_t" => of(text, i8::to_le_bytes),
        "uint8_t" => of(text, u8::to_le_bytes),
        "int16_t" => of(text, i16::to_le_bytes),
        "uint16_t" => of(text, u16::to_le_bytes),
        "int32_t" | "int" => of(text, i32::to_le_bytes),
        "uint32_t" => of(text, u32::to_le_bytes),
        "int64_t" => of(text, i64::to_le_bytes),
        "uint64_t" | "size_t" => of(text, u64::to_le_bytes),
        _ => {
            return Err(format!("`{ty}` is no type of a number; give a structure with --struct NAME=TYPE:VALUE,.. or its bytes with --arg NAME=@FILE.bin"))
        }
    };
    value.ok_or_else(|| format!("`{text}` is no value of `{ty}`"))
}

fn store(name: &str, bytes: Vec<u8>, target: Target) -> Result<String, Failure> {
    let file = target.place.target().to_owned();
    let unwritable = |e: &std::io::Error| {
        Failure::call(format!("`{}` cannot be written: {}", file.display(), said(e)), "choose another place with --out")
    };
    let Target { place, element, shape } = target;
    let kind = if is_npy(&file) {
        npy::write_bytes(place.path(), element, &shape, &bytes).map_err(|e| unwritable(&e))?;
        format!("{} {shape:?}", element.name)
    } else {
        std::fs::write(place.path(), &bytes).map_err(|e| unwritable(&e))?;
        format!("{} bytes", bytes.len())
    };
    place.finish().map_err(|e| unwritable(&e))?;
    Ok(format!("{name}: {kind}, in {}\n", file.display()))
}

/// The parameters for a message.
fn spelled(function: &KernelFunction) -> String {
    let all: Vec<String> = function.parameters.iter().map(|(ty, name)| format!("{ty} {name}")).collect();
    format!("`{}` takes ({})", function.name, all.join(", "))
}
