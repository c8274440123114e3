//! The arguments of `jumar cpp`: options of the call become arguments of the kernel's parameters.

use super::npy::{self, said, Element, Header};
use super::outputs::{Files, Pending};
use super::Failure;
use jumar::runtime::ascendc::{Argument, Definition, KernelFunction, Param, Tensor};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

/// The options of a call that give arguments.
pub struct Options<'a> {
    pub args: &'a [String],
    pub structs: &'a [String],
    pub outs: &'a [String],
    pub scratch: &'a [String],
    /// The definition of an operator with `--host`. Its host file decides omitted inputs and shapes
    /// of outputs, and its names of tensors are valid, too.
    pub operator: Option<&'a Definition>,
}

/// The argument for a parameter of the kernel.
pub enum Given {
    Read(Vec<u8>, &'static Element, Vec<usize>),
    /// A tensor that is written wholly.
    Written(Vec<u8>, Target),
    /// A tensor that is read and written.
    Updated(Vec<u8>, Target),
    /// An output whose element type and shape an operator infers.
    Inferred(Pending),
    /// An optional tensor that is left out.
    Nothing,
    /// The tensor of the parameter at this place: an input that an operator updates.
    Same(usize),
    Scratch(u64),
    Value(Vec<u8>),
    /// The tensors of a list.
    List(Vec<Given>),
}

/// The file of an output, with element type and shape.
pub struct Target {
    place: Pending,
    element: &'static Element,
    shape: Vec<usize>,
}

impl Given {
    /// Returns the argument of a launch.
    pub fn argument(&mut self, name: &str) -> Argument<'_> {
        match self {
            Given::Read(bytes, ..) => Argument::Input(name.into(), bytes),
            Given::Written(bytes, _) => Argument::Output(name.into(), bytes),
            Given::Updated(bytes, _) => Argument::InOut(name.into(), bytes),
            Given::Scratch(bytes) => Argument::Scratch(name.into(), *bytes),
            Given::Value(bytes) => Argument::Value(std::mem::take(bytes)),
            Given::Inferred(_) | Given::Nothing => Argument::Null,
            Given::Same(index) => Argument::Same(*index),
            Given::List(members) => {
                let members = members.iter_mut().enumerate();
                let shape = |m: &Given| {
                    m.tensor()
                        .map(|(_, shape, _)| shape.to_vec())
                        .unwrap_or_default()
                };
                Argument::List(
                    name.into(),
                    members
                        .map(|(i, m)| (shape(m), m.argument(&format!("{name}.{i}"))))
                        .collect(),
                )
            }
        }
    }

    fn tensor(&self) -> Option<(&'static Element, &[usize], &[u8])> {
        match self {
            Given::Read(bytes, element, shape)
            | Given::Written(bytes, Target { element, shape, .. })
            | Given::Updated(bytes, Target { element, shape, .. }) => {
                Some((*element, shape.as_slice(), bytes.as_slice()))
            }
            _ => None,
        }
    }

    /// Returns the parameter of an operator, whose host functions may read its elements.
    pub fn param(&self, reads: bool) -> Param {
        let tensor = |(element, shape, bytes): (&Element, &[usize], &[u8])| Tensor {
            element: element.name.to_string(),
            shape: shape.to_vec(),
            elements: reads.then(|| bytes.to_vec()),
        };
        match self {
            Given::Inferred(_) => Param::Inferred,
            Given::List(members) => Param::Tensors(
                members
                    .iter()
                    .filter_map(Given::tensor)
                    .map(tensor)
                    .collect(),
            ),
            one => Param::Tensors(one.tensor().map(tensor).into_iter().collect()),
        }
    }

    /// Sets the inferred element type and shape of an output.
    pub fn settle(self, element: &str, shape: &[usize]) -> Result<Given, Failure> {
        let Given::Inferred(place) = self else {
            return Ok(self);
        };
        let known =
            Element::by_name(element).and_then(|element| Ok((element, size(element, shape)?)));
        let (element, bytes) = known.map_err(|why| Failure::call(why, "give smaller tensors"))?;
        Ok(Given::Written(
            vec![0; bytes],
            Target {
                place,
                element,
                shape: shape.to_vec(),
            },
        ))
    }

    /// Writes the files of an output, and returns a line for each.
    pub fn store(self, name: &str) -> Result<String, Failure> {
        match self {
            Given::Written(bytes, target) | Given::Updated(bytes, target) => {
                store(name, bytes, target)
            }
            Given::List(members) => members
                .into_iter()
                .enumerate()
                .map(|(i, m)| m.store(&format!("{name}.{i}")))
                .collect(),
            _ => Ok(String::new()),
        }
    }
}

/// Returns the arguments of all parameters, in order.
pub fn bind(call: &Options<'_>, function: &KernelFunction) -> Result<Vec<Given>, Failure> {
    let names = Names {
        function,
        operator: call
            .operator
            .filter(|o| o.params.len() == function.parameters.len()),
    };
    let wrong = |what: String| Failure::call(what, names.spelled());
    let mut given: BTreeMap<Place, Given> = BTreeMap::new();
    let find = |name: &str| {
        names.place(name).ok_or_else(|| {
            wrong(format!(
                "kernel `{}` has no parameter `{name}`",
                function.name
            ))
        })
    };
    let mut targets: Vec<Destination<'_>> = Vec::new();
    for text in call.outs {
        let (head, file) = text
            .split_once("=@")
            .filter(|(_, f)| !f.is_empty())
            .ok_or_else(|| {
                wrong(format!(
                    "`--out {text}` names no file; write --out NAME:f32[8,16]=@FILE.npy"
                ))
            })?;
        let (name, shape) = head
            .split_once(':')
            .map_or((head, None), |(name, shape)| (name, Some(shape)));
        targets.push((find(name)?, name, shape, file));
    }
    // Two names may refer to one tensor, so the parameter identifies it.
    let own_name = |(at, member): Place| {
        let name = &function.parameters[at].1;
        member.map_or(name.clone(), |member| format!("{name}.{member}"))
    };
    let mut files = Files::default();
    for (head, file) in call.args.iter().filter_map(|text| text.split_once("=@")) {
        let name = head.split_once(':').map_or(head, |(name, _)| name);
        files.reads(&own_name(find(name)?), Path::new(file));
    }
    for (option, all) in [
        ("--arg", call.args),
        ("--struct", call.structs),
        ("--scratch", call.scratch),
    ] {
        for text in all {
            let (head, value) = text
                .split_once('=')
                .ok_or_else(|| wrong(format!("`{option} {text}` has no NAME=VALUE")))?;
            let (name, kind) = match head.split_once(':').filter(|_| option == "--arg") {
                Some((name, kind)) => (name, Some(kind)),
                None => (head, None),
            };
            let at = find(name)?;
            if given.contains_key(&at) {
                return Err(wrong(format!("`{name}` is given twice")));
            }
            let ty = &function.parameters[at.0].0;
            let value = match option {
                "--scratch" => {
                    Given::Scratch(value.parse().map_err(|_| {
                        wrong(format!("`{value}` is no number of bytes for `{name}`"))
                    })?)
                }
                "--struct" => {
                    let bytes = fields(value).map_err(wrong)?;
                    let shape = vec![bytes.len()];
                    by_kind(ty, bytes, &npy::U8, shape)
                }
                _ => {
                    let target = targets.iter().find(|t| t.0 == at);
                    let place = target
                        .map(|(.., file)| files.writes(&own_name(at), Path::new(file)))
                        .transpose()?;
                    argument(name, kind, ty, value, place).map_err(|e| e.unwrap_or_else(wrong))?
                }
            };
            given.insert(at, value);
        }
    }
    for (at, name, shape, file) in targets {
        match (given.get(&at), shape) {
            (Some(Given::Updated(..)), None) => {} // its value came with --arg
            (Some(_), None) => {
                return Err(wrong(format!(
                    "`{name}` is no tensor of --arg, so nothing of it can go to `{file}`"
                )))
            }
            (Some(_), Some(_)) => {
                return Err(wrong(format!(
                    "`{name}` has a shape from --arg already; write --out {name}=@{file}"
                )))
            }
            (None, None) if call.operator.is_some() => {
                given.insert(
                    at,
                    Given::Inferred(files.writes(&own_name(at), Path::new(file))?),
                );
            }
            (None, None) => {
                return Err(wrong(format!(
                    "`{name}` needs an element type and a shape: --out {name}:f32[8,16]=@{file}"
                )))
            }
            (None, Some(shape)) => {
                let place = files.writes(&own_name(at), Path::new(file))?;
                given.insert(at, output(name, shape, place).map_err(wrong)?);
            }
        }
    }
    let missing = |i: usize| {
        let (ty, name) = &function.parameters[i];
        let how = if is_pointer(ty) {
            format!(
                "--arg {name}=@FILE.npy, --out {name}:f32[..]=@FILE.npy or --scratch {name}=BYTES"
            )
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
            let gap = given.keys().any(|(of, _)| *of == i);
            match members.is_empty() {
                false if !gap => Ok(Given::List(members)),
                true if !gap
                    && call.operator.is_some()
                    && is_pointer(&function.parameters[i].0) =>
                {
                    Ok(Given::Nothing)
                }
                _ => Err(missing(i)),
            }
        })
        .collect()
}

/// A parameter, or one tensor of a list parameter.
type Place = (usize, Option<usize>);

/// The destination of an output: place, given name, element type with shape, file.
type Destination<'a> = (Place, &'a str, Option<&'a str>, &'a str);

/// The names that a call may use.
struct Names<'a> {
    function: &'a KernelFunction,
    /// The framework binds tensors by position, so the names of the definition are valid, too.
    operator: Option<&'a Definition>,
}

impl Names<'_> {
    /// Finds `x`, or `x.1` for a tensor of a list.
    fn place(&self, name: &str) -> Option<Place> {
        match name.rsplit_once('.') {
            Some((list, member)) => Some((self.position(list)?, Some(member.parse().ok()?))),
            None => Some((self.position(name)?, None)),
        }
    }

    /// Prefers the kernel's names, because a definition may have equal names in another order.
    fn position(&self, name: &str) -> Option<usize> {
        let of_kernel = self.function.parameters.iter().position(|(_, n)| n == name);
        of_kernel.or_else(|| self.operator?.params.iter().position(|n| n == name))
    }

    /// Lists all names, for a message.
    fn spelled(&self) -> String {
        let Names { function, operator } = self;
        let all: Vec<String> = function
            .parameters
            .iter()
            .map(|(ty, name)| format!("{ty} {name}"))
            .collect();
        let by_kernel = format!("`{}` takes ({})", function.name, all.join(", "));
        match operator {
            Some(of)
                if of
                    .params
                    .iter()
                    .zip(&function.parameters)
                    .any(|(name, (_, own))| name != own) =>
            {
                format!(
                    "{by_kernel}; operator {} calls them ({})",
                    of.operator,
                    of.params.join(", ")
                )
            }
            _ => by_kernel,
        }
    }
}

/// A complete failure, or only the description of the mistake.
type Wrong = Result<Failure, String>;

fn argument(
    name: &str,
    kind: Option<&str>,
    ty: &str,
    value: &str,
    place: Option<Pending>,
) -> Result<Given, Wrong> {
    if let Some(kind) = kind.filter(|_| !is_pointer(ty)) {
        return Err(Err(format!(
            "`{name}` is passed by value, as `{ty}`; write --arg {name}={value} without `{kind}`"
        )));
    }
    let Some(file) = value.strip_prefix('@') else {
        if is_pointer(ty) {
            return Err(Err(format!(
                "`{name}` is a pointer; give a file: --arg {name}=@FILE.npy"
            )));
        }
        return Ok(Given::Value(number(scalar_type(ty), value).map_err(Err)?));
    };
    let kind = kind
        .map(|kind| element_and_shape(name, kind))
        .transpose()
        .map_err(Err)?;
    let (bytes, element, shape) = if is_npy(Path::new(file)) {
        array(file, kind)?
    } else {
        raw(file, kind)?
    };
    match place {
        Some(place) => Ok(Given::Updated(
            bytes,
            Target {
                place,
                element,
                shape,
            },
        )),
        None => Ok(by_kind(ty, bytes, element, shape)),
    }
}

/// The bytes of a file with their element type and shape.
type Data = (Vec<u8>, &'static Element, Vec<usize>);
/// An element type, with an optional shape.
type Kind = (&'static Element, Option<Vec<usize>>);

/// Reads an `.npy` file. The bits may be read as another element type of that width, since numpy
/// has no bf16.
fn array(file: &str, kind: Option<Kind>) -> Result<Data, Wrong> {
    let unusable = |why: String| {
        Ok(Failure::call(
            format!("`{file}` cannot be used as a tensor: {why}"),
            "give a file that `np.save` wrote",
        ))
    };
    let header = Header::open(Path::new(file)).map_err(unusable)?;
    let (own, shape) = (header.element, header.shape.clone());
    let (element, asked) = kind.unwrap_or((own, None));
    if element.bytes != own.bytes {
        let (name, bytes) = (element.name, element.bytes);
        return Err(Err(format!(
            "`{file}` holds elements of {} bytes, {name} has {bytes}; leave {name} out",
            own.bytes
        )));
    }
    if let Some(asked) = asked.filter(|asked| *asked != shape) {
        return Err(Err(format!(
            "`{file}` holds an array of shape {shape:?}, not {asked:?}; leave the shape out"
        )));
    }
    Ok((header.read_bytes().map_err(unusable)?, element, shape))
}

/// Reads a file of bytes.
fn raw(file: &str, kind: Option<Kind>) -> Result<Data, Wrong> {
    let cannot = |why: String| {
        Ok(Failure::call(
            format!("`{file}` cannot be read: {why}"),
            "give a file that exists",
        ))
    };
    let (mut opened, _) = npy::open(Path::new(file)).map_err(cannot)?;
    let mut bytes = Vec::new();
    opened
        .read_to_end(&mut bytes)
        .map_err(|e| cannot(said(&e)))?;
    let (element, asked) = kind.unwrap_or((&npy::U8, None));
    let shape = asked.unwrap_or_else(|| vec![bytes.len() / element.bytes]);
    if size(element, &shape).map_err(Err)? != bytes.len() {
        return Err(Err(format!(
            "`{file}` has {} bytes, which are no {} {shape:?}",
            bytes.len(),
            element.name
        )));
    }
    Ok((bytes, element, shape))
}

/// True for a `.npy` file; other files contain only bytes.
fn is_npy(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "npy")
}

fn output(name: &str, text: &str, place: Pending) -> Result<Given, String> {
    let (element, shape) = element_and_shape(name, text)?;
    let shape = shape.ok_or_else(|| {
        format!("`{text}` is no element type with a shape for `{name}`; write f32[8,16]")
    })?;
    let bytes = size(element, &shape)?;
    Ok(Given::Written(
        vec![0; bytes],
        Target {
            place,
            element,
            shape,
        },
    ))
}

/// Reads `f32` or `f32[8,16]`.
fn element_and_shape(name: &str, text: &str) -> Result<Kind, String> {
    let Some((element, shape)) = text.split_once('[') else {
        return Ok((Element::by_name(text)?, None));
    };
    let shape = shape.strip_suffix(']').ok_or_else(|| {
        format!("`{text}` is no element type with a shape for `{name}`; write f32[8,16]")
    })?;
    let axes = shape
        .split(',')
        .map(str::trim)
        .filter(|s| !s.is_empty())
        .map(|s| s.parse().ok());
    let shape = axes
        .collect::<Option<Vec<usize>>>()
        .ok_or_else(|| format!("`{text}` has a shape that is none; write f32[8,16]"))?;
    Ok((Element::by_name(element)?, Some(shape)))
}

/// Returns the bytes of a tensor.
fn size(element: &Element, shape: &[usize]) -> Result<usize, String> {
    let bytes = shape
        .iter()
        .try_fold(element.bytes, |n, axis| n.checked_mul(*axis))
        .filter(|b| *b < 1 << 40);
    bytes.ok_or_else(|| format!("{} {shape:?} is larger than any memory", element.name))
}

fn by_kind(ty: &str, bytes: Vec<u8>, element: &'static Element, shape: Vec<usize>) -> Given {
    if is_pointer(ty) {
        Given::Read(bytes, element, shape)
    } else {
        Given::Value(bytes)
    }
}

fn is_pointer(ty: &str) -> bool {
    ty.ends_with('*') || ty.split_whitespace().any(|w| w == "GM_ADDR")
}

/// Returns the type of a number without qualifiers.
fn scalar_type(ty: &str) -> &str {
    ty.split_whitespace()
        .rfind(|w| !matches!(*w, "const" | "volatile"))
        .unwrap_or(ty)
}

/// Lays out the fields of a structure as C++ does: each at a multiple of its size, and the whole
/// padded to the largest.
fn fields(text: &str) -> Result<Vec<u8>, String> {
    let (mut bytes, mut widest) = (Vec::new(), 1);
    for field in text.split(',').map(str::trim) {
        let (ty, value) = field
            .split_once([':', '='])
            .ok_or_else(|| format!("`{field}` is no field; write TYPE:VALUE"))?;
        let value = number(ty.trim(), value.trim())?;
        widest = widest.max(value.len());
        bytes.resize(bytes.len().next_multiple_of(value.len()), 0);
        bytes.extend(value);
    }
    bytes.resize(bytes.len().next_multiple_of(widest), 0);
    Ok(bytes)
}

/// Returns the bytes of a number in a C++ type.
fn number(ty: &str, text: &str) -> Result<Vec<u8>, String> {
    fn of<T: std::str::FromStr, const N: usize>(
        text: &str,
        bytes: impl Fn(T) -> [u8; N],
    ) -> Option<Vec<u8>> {
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
    let file = target.place.shown().to_owned();
    let unwritable = |e: &std::io::Error| {
        Failure::call(
            format!("`{}` cannot be written: {}", file.display(), said(e)),
            "choose another place with --out",
        )
    };
    let Target {
        place,
        element,
        shape,
    } = target;
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
