//! `--arg NAME=VALUE` and `--out NAME=@FILE`, read against a signature.

use super::run::signature;
use super::Failure;
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{Param, ParamKind, Per, Role, ScalarTy, Signature, Ty};
use jumar::dsl::tiling::Value;
use jumar::runtime::Case;
use std::path::PathBuf;

/// The arguments of a launch, complete and of the right kind.
#[derive(Debug, Default)]
pub struct Arguments {
    /// Tensors that the kernel reads.
    pub tensors: Vec<Given>,
    /// Tensors that it writes.
    pub outs: Vec<Given>,
    pub attrs: Vec<(String, Value)>,
    /// Lists of numbers, one for each item.
    pub lists: Vec<(String, Vec<Value>)>,
    /// The number of items in the lists; 1 for a kernel without lists.
    pub items: usize,
}

/// The arguments of a launch without data.
#[derive(Debug, Default)]
pub struct Planned {
    /// Shapes of tensors.
    pub shapes: Vec<(String, Vec<usize>)>,
    /// Element types from `--shape NAME:DTYPE`.
    pub dtypes: Vec<(String, DType)>,
    pub attrs: Vec<(String, Value)>,
}

/// A tensor and its file, or a list of tensors and theirs.
#[derive(Debug)]
pub struct Given {
    /// Name of the parameter.
    pub name: String,
    /// Element type from `--arg NAME:DTYPE` or `--out NAME:DTYPE`.
    pub dtype: Option<DType>,
    /// The file; a list has one for each item.
    pub files: Vec<PathBuf>,
}

impl Given {
    /// Returns the files with the names of their tensors: `x`, or `xs[0]` and so on.
    pub fn each<'g>(
        &'g self,
        sig: &'g Signature,
    ) -> impl Iterator<Item = (String, usize, &'g PathBuf)> {
        let is_list = sig.lists().any(|(_, p)| p.name == self.name);
        let said = move |item| {
            if is_list {
                format!("{}[{item}]", self.name)
            } else {
                self.name.clone()
            }
        };
        self.files
            .iter()
            .enumerate()
            .map(move |(item, file)| (said(item), item, file))
    }
}

/// Reads the arguments of a launch.
pub fn parse(sig: &Signature, args: &[String], outs: &[String]) -> Result<Arguments, Failure> {
    let mut all = Arguments::default();
    for text in args {
        let (name, value) = split(sig, "--arg", text)?;
        let (name, dtype) = with_type(sig, name)?;
        if let Some(dtype) = dtype.filter(|_| !is_tensor(sig, name)) {
            return Err(wrong(
                sig,
                format!("`{name}` is no tensor; leave `:{dtype}` out"),
            ));
        }
        if numbers(sig, name, value, &mut all.attrs)? {
            continue;
        }
        let file = value.strip_prefix('@');
        let known =
            all.tensors.iter().any(|t| t.name == name) || all.attrs.iter().any(|(n, _)| n == name);
        once(
            sig,
            "--arg",
            name,
            known || all.lists.iter().any(|(n, _)| n == name),
        )?;
        let param = param(sig, name)?;
        let is_list = param.per == Per::Item;
        match (&param.kind, file) {
            (
                ParamKind::Tensor {
                    role: Role::Out, ..
                },
                _,
            ) => {
                let files = if is_list {
                    "@FILE.npy,@FILE.npy"
                } else {
                    "@FILE.npy"
                };
                return Err(wrong(
                    sig,
                    format!("`{name}` is an output; say with --out {name}={files} where it goes"),
                ));
            }
            (ParamKind::Tensor { .. }, _) if is_list => {
                all.tensors.push(Given {
                    name: name.to_owned(),
                    dtype,
                    files: paths(sig, "--arg", name, value)?,
                });
            }
            (ParamKind::Tensor { .. }, Some(file)) => {
                all.tensors.push(Given {
                    name: name.to_owned(),
                    dtype,
                    files: vec![path(sig, name, file)?],
                });
            }
            (ParamKind::Tensor { .. }, None) => {
                return Err(wrong(
                    sig,
                    format!("`{name}` is a tensor; give a file: --arg {name}=@FILE.npy"),
                ))
            }
            (ParamKind::Attr { ty, element, .. }, _) if is_list => {
                let words = value
                    .split(',')
                    .map(str::trim)
                    .filter(|_| !value.trim().is_empty());
                let values = words
                    .map(|word| scalar(sig, (name, *element), *ty, word))
                    .collect::<Result<_, _>>()?;
                all.lists.push((name.to_owned(), values));
            }
            (ParamKind::Attr { .. }, Some(_)) => {
                return Err(wrong(
                    sig,
                    format!("`{name}` is an attribute; give its value, not a file"),
                ))
            }
            (
                ParamKind::Attr {
                    ty,
                    choices,
                    element,
                    ..
                },
                None,
            ) => all.attrs.push((
                name.to_owned(),
                attr(sig, (name, *element), *ty, choices, value)?,
            )),
        }
    }
    for text in outs {
        let (name, value) = split(sig, "--out", text)?;
        let (name, dtype) = with_type(sig, name)?;
        once(sig, "--out", name, all.outs.iter().any(|o| o.name == name))?;
        let to = param(sig, name)?;
        let is_list = to.per == Per::Item;
        if !is_list && !value.starts_with('@') {
            return Err(wrong(
                sig,
                format!("`--out {text}` names no file; write --out {name}=@FILE.npy"),
            ));
        }
        match &to.kind {
            ParamKind::Tensor {
                role: Role::Out | Role::InOut,
                ..
            } => {}
            ParamKind::Tensor { .. } => {
                return Err(wrong(
                    sig,
                    format!("`{name}` is read only; give it with --arg {name}=@FILE.npy"),
                ))
            }
            ParamKind::Attr { .. } => {
                return Err(wrong(
                    sig,
                    format!("`{name}` is an attribute; give it with --arg {name}=VALUE"),
                ))
            }
        }
        let files = match is_list {
            true => paths(sig, "--out", name, value)?,
            false => vec![path(
                sig,
                name,
                value.strip_prefix('@').unwrap_or_default(),
            )?],
        };
        all.outs.push(Given {
            name: name.to_owned(),
            dtype,
            files,
        });
    }
    complete(sig, &all)?;
    all.items = items(sig, &all)?;
    Ok(all)
}

/// Reads the arguments of a planned launch without data: `--shape NAME=SIZES`,
/// `--shape NAME:DTYPE=SIZES` and `--arg NAME=VALUE`.
pub fn planned(sig: &Signature, shapes: &[String], args: &[String]) -> Result<Planned, Failure> {
    let mut all = Planned::default();
    for text in shapes {
        let (name, sizes) = split(sig, "--shape", text)?;
        let (name, dtype) = with_type(sig, name)?;
        once(
            sig,
            "--shape",
            name,
            all.shapes.iter().any(|(n, _)| n == name),
        )?;
        if let ParamKind::Attr { .. } = &param(sig, name)?.kind {
            return Err(wrong(
                sig,
                format!("`{name}` is an attribute; give it with --arg {name}=VALUE"),
            ));
        }
        // An empty value is the shape of a tensor without axes.
        let sizes_of = |sizes: &str| {
            sizes
                .split(',')
                .map(|size| size.trim().parse().ok())
                .collect()
        };
        let parsed: Option<Vec<usize>> = if sizes.trim().is_empty() {
            Some(Vec::new())
        } else {
            sizes_of(sizes)
        };
        let parsed = parsed.ok_or_else(|| {
            wrong(
                sig,
                format!("`{sizes}` is no shape; write --shape {name}=4096,1024"),
            )
        })?;
        all.shapes.push((name.to_owned(), parsed));
        all.dtypes
            .extend(dtype.map(|dtype| (name.to_owned(), dtype)));
    }
    for text in args {
        let (name, value) = split(sig, "--arg", text)?;
        if numbers(sig, name, value, &mut all.attrs)? {
            continue;
        }
        once(sig, "--arg", name, all.attrs.iter().any(|(n, _)| n == name))?;
        let ParamKind::Attr {
            ty,
            choices,
            element,
            ..
        } = &param(sig, name)?.kind
        else {
            return Err(wrong(
                sig,
                format!("`{name}` is a tensor; give its sizes with --shape {name}=.."),
            ));
        };
        all.attrs.push((
            name.to_owned(),
            attr(sig, (name, *element), *ty, choices, value)?,
        ));
    }
    Ok(all)
}

/// Reads the arguments of a launch without data, with lists. It differs from [`planned`]: a
/// repeated `--shape` of a list describes the next item, and an `--arg` has the numbers of all
/// items.
pub fn case(sig: &Signature, shapes: &[String], args: &[String]) -> Result<Case, Failure> {
    let is_list = |text: &str| {
        sig.lists()
            .any(|(_, p)| text.split('=').next().map(str::trim) == Some(p.name.as_str()))
    };
    let (of_items, single): (Vec<String>, Vec<String>) =
        shapes.iter().cloned().partition(|text| is_list(text));
    let (numbers, attrs): (Vec<String>, Vec<String>) =
        args.iter().cloned().partition(|text| is_list(text));
    let Planned {
        shapes,
        attrs,
        dtypes,
    } = planned(sig, &single, &attrs)?;
    if let Some((name, dtype)) = dtypes.first() {
        return Err(wrong(
            sig,
            format!("this is asked of all element types; leave `:{dtype}` of `{name}` out"),
        ));
    }
    let mut case = Case {
        shapes: shapes
            .into_iter()
            .map(|(name, shape)| (name, vec![shape]))
            .collect(),
        attrs,
        lists: Vec::new(),
    };
    for text in &of_items {
        let one = planned(sig, std::slice::from_ref(text), &[])?;
        for (name, shape) in one.shapes {
            match case.shapes.iter_mut().find(|(own, _)| *own == name) {
                Some((_, all)) => all.push(shape),
                None => case.shapes.push((name, vec![shape])),
            }
        }
    }
    case.lists = parse_numbers(sig, &numbers)?;
    Ok(case)
}

/// Reads the numbers of items: `--arg alphas=1.0,2.0`.
fn parse_numbers(sig: &Signature, args: &[String]) -> Result<Vec<(String, Vec<Value>)>, Failure> {
    let mut all: Vec<(String, Vec<Value>)> = Vec::new();
    for text in args {
        let (name, value) = split(sig, "--arg", text)?;
        once(sig, "--arg", name, all.iter().any(|(own, _)| own == name))?;
        let ParamKind::Attr { ty, element, .. } = &param(sig, name)?.kind else {
            return Err(wrong(
                sig,
                format!(
                    "`{name}` is a list of tensors; give the sizes of each with --shape {name}=.."
                ),
            ));
        };
        let words = value
            .split(',')
            .map(str::trim)
            .filter(|_| !value.trim().is_empty());
        let values = words
            .map(|word| scalar(sig, (name, *element), *ty, word))
            .collect::<Result<_, _>>()?;
        all.push((name.to_owned(), values));
    }
    Ok(all)
}

/// Returns the length of the lists, which must be equal.
fn items(sig: &Signature, all: &Arguments) -> Result<usize, Failure> {
    let mut first: Option<(&str, usize)> = None;
    for (_, p) in sig.lists() {
        let files = all
            .tensors
            .iter()
            .chain(&all.outs)
            .filter(|given| given.name == p.name)
            .map(|given| given.files.len());
        let numbers = all
            .lists
            .iter()
            .filter(|(name, _)| *name == p.name)
            .map(|(_, values)| values.len());
        for count in files.chain(numbers) {
            let (name, known) = *first.get_or_insert((&p.name, count));
            if known != count {
                return Err(wrong(
                    sig,
                    format!(
                        "`{name}` has {known} items and `{}` has {count}: lists are equally long",
                        p.name
                    ),
                ));
            }
        }
    }
    Ok(first.map_or(1, |(_, count)| count))
}

/// Refuses a call without a required argument.
fn complete(sig: &Signature, all: &Arguments) -> Result<(), Failure> {
    for p in &sig.params {
        let given = all.tensors.iter().any(|t| t.name == p.name)
            || all.attrs.iter().any(|(n, _)| *n == p.name);
        let given = given || all.lists.iter().any(|(n, _)| *n == p.name);
        let files = if p.per == Per::Item {
            "@FILE.npy,@FILE.npy"
        } else {
            "@FILE.npy"
        };
        let goes = all.outs.iter().any(|o| o.name == p.name);
        let name = &p.name;
        let missing = match &p.kind {
            _ if p.per == Per::Place => continue,
            ParamKind::Tensor { optional: true, .. } => continue,
            ParamKind::Tensor {
                role: Role::In | Role::InOut,
                ..
            } if !given => {
                format!("--arg {name}={files}")
            }
            ParamKind::Tensor {
                role: Role::Out | Role::InOut,
                ..
            } if !goes => {
                format!("--out {name}={files}")
            }
            ParamKind::Attr { ty, .. } if p.per == Per::Item && !given => {
                format!("--arg {name}={0},{0}", example(*ty))
            }
            ParamKind::Attr {
                ty,
                default: None,
                part: Some(part),
                ..
            } if !given => {
                return Err(wrong(
                    sig,
                    format!(
                        "`{0}` is missing; add --arg {0}={1}",
                        part.of,
                        vec![example(*ty); part.count].join(",")
                    ),
                ))
            }
            ParamKind::Attr {
                ty,
                default: None,
                choices,
                part: None,
                ..
            } if !given => {
                format!(
                    "--arg {name}={}",
                    choices.first().map_or(example(*ty), String::as_str)
                )
            }
            _ => continue,
        };
        return Err(wrong(sig, format!("`{name}` is missing; add {missing}")));
    }
    Ok(())
}

fn split<'a>(sig: &Signature, option: &str, text: &'a str) -> Result<(&'a str, &'a str), Failure> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim(), value.trim())),
        _ => Err(wrong(sig, format!("`{option} {text}` has no NAME=VALUE"))),
    }
}

fn once(sig: &Signature, option: &str, name: &str, known: bool) -> Result<(), Failure> {
    if known {
        return Err(wrong(sig, format!("{option} gives `{name}` twice")));
    }
    Ok(())
}

fn param<'s>(sig: &'s Signature, name: &str) -> Result<&'s Param, Failure> {
    sig.params
        .iter()
        .find(|p| p.name == name && p.per != Per::Place)
        .ok_or_else(|| {
            wrong(
                sig,
                format!("kernel `{}` has no parameter `{name}`", sig.name),
            )
        })
}

fn path(sig: &Signature, name: &str, file: &str) -> Result<PathBuf, Failure> {
    if file.is_empty() {
        return Err(wrong(
            sig,
            format!("`{name}=@` names no file; write {name}=@FILE.npy"),
        ));
    }
    Ok(PathBuf::from(file))
}

/// Reads the files of a list, `@a.npy,@b.npy`; an empty text is a list without items.
fn paths(sig: &Signature, option: &str, name: &str, text: &str) -> Result<Vec<PathBuf>, Failure> {
    let Some(files) = text.strip_prefix('@') else {
        return match text.is_empty() {
            true => Ok(Vec::new()),
            false => Err(wrong(sig, format!("`{name}` is a list of tensors; give files: {option} {name}=@FILE.npy,@FILE.npy"))),
        };
    };
    files
        .split(",@")
        .map(|file| path(sig, name, file))
        .collect()
}

/// Splits an argument's name from the element type behind it.
fn with_type<'t>(sig: &Signature, name: &'t str) -> Result<(&'t str, Option<DType>), Failure> {
    match name.split_once(':') {
        Some((name, dtype)) => Ok((name, Some(element_type(sig, dtype)?))),
        None => Ok((name, None)),
    }
}

/// False for attributes and lists of numbers. Unknown names are reported elsewhere.
fn is_tensor(sig: &Signature, name: &str) -> bool {
    let is_named = sig.params.iter().any(|p| p.name == name) || !sig.list(name).is_empty();
    !is_named || sig.tensors().any(|(_, p, ..)| p.name == name)
}

pub fn element_type(sig: &Signature, text: &str) -> Result<DType, Failure> {
    DType::by_name(text)
        .filter(|d| *d != DType::Bits)
        .ok_or_else(|| {
            wrong(
                sig,
                format!(
                    "`{text}` is no element type; there are {}",
                    jumar::dsl::dtype::element_names()
                ),
            )
        })
}

/// Reads the numbers of an attribute list, `--arg pads=1,2`; returns false if there is no list of
/// that name.
fn numbers(
    sig: &Signature,
    name: &str,
    text: &str,
    attrs: &mut Vec<(String, Value)>,
) -> Result<bool, Failure> {
    let ids = sig.list(name);
    let Some(first) = ids.first().map(|id| &sig.param(*id).name) else {
        return Ok(false);
    };
    once(
        sig,
        "--arg",
        name,
        attrs.iter().any(|(own, _)| own == first),
    )?;
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    if words.len() != ids.len() {
        return Err(wrong(
            sig,
            format!(
                "`{name}` is a list of {}, and {} were given",
                ids.len(),
                words.len()
            ),
        ));
    }
    for ((id, _, ty, _), word) in sig.attrs().filter(|(id, ..)| ids.contains(id)).zip(words) {
        attrs.push((
            sig.param(id).name.clone(),
            scalar(sig, (name, sig.element(id)), ty, word)?,
        ));
    }
    Ok(true)
}

/// Reads the value of an attribute; for an enum, it is the number of the named variant.
fn attr(
    sig: &Signature,
    of: (&str, Option<Ty>),
    ty: ScalarTy,
    choices: &[String],
    text: &str,
) -> Result<Value, Failure> {
    if choices.is_empty() {
        return scalar(sig, of, ty, text);
    }
    let (name, _) = of;
    let number = choices.iter().position(|choice| choice == text);
    number
        .map(|number| Value::Int(number as i64))
        .ok_or_else(|| {
            wrong(
                sig,
                format!(
                    "`{text}` is no value for `{name}`, which is one of {}",
                    choices.join(", ")
                ),
            )
        })
}

/// Reads a number or a `bool`. An integer for an attribute of an element type stays an integer,
/// even if an `f32` carries it: the launch knows the instances.
fn scalar(
    sig: &Signature,
    (name, element): (&str, Option<Ty>),
    ty: ScalarTy,
    text: &str,
) -> Result<Value, Failure> {
    let whole = element.and_then(|_| text.parse::<i64>().ok());
    if let Some(whole) = whole {
        return Ok(Value::Int(whole));
    }
    let ty = if element.is_some() { ScalarTy::F32 } else { ty };
    let value = match ty {
        // Without this check, a decimal beyond the range would become infinite.
        ScalarTy::F32 => text
            .parse::<f32>()
            .ok()
            .filter(|v| v.is_finite() || text.contains(['i', 'I', 'n', 'N']))
            .map(Value::F32),
        ScalarTy::I32 => text.parse::<i32>().ok().map(|v| Value::Int(v.into())),
        ScalarTy::Index => text.parse::<i64>().ok().filter(|v| *v >= 0).map(Value::Int),
        ScalarTy::Bool => text.parse::<bool>().ok().map(Value::Bool),
    };
    value.ok_or_else(|| {
        let allowed = match ty {
            ScalarTy::F32 => "a number within ±3.4e38, inf or nan",
            ScalarTy::I32 => "an integer from -2147483648 to 2147483647",
            ScalarTy::Index => "an integer from 0 to 9223372036854775807",
            ScalarTy::Bool => "true or false",
        };
        let of = word(sig, ty, element);
        wrong(
            sig,
            format!("`{text}` is no value for `{name}`, which is {of} and takes {allowed}"),
        )
    })
}

const fn example(ty: ScalarTy) -> &'static str {
    match ty {
        ScalarTy::F32 => "1.0",
        ScalarTy::I32 | ScalarTy::Index => "1",
        ScalarTy::Bool => "true",
    }
}

fn wrong(sig: &Signature, what: String) -> Failure {
    Failure::call(what, signature(sig))
}

/// Describes one parameter for a message: `x: tensor of T`, `scale: f32 = 1`,
/// `pads: 2 of usize = 0, 0`. A list of numbers is described at its first number.
pub fn spelled_param(sig: &Signature, p: &Param) -> Option<String> {
    Some(match &p.kind {
        _ if p.per == Per::Place => return None,
        ParamKind::Tensor { role, dtype, .. } if p.per == Per::Item => {
            let what = match role {
                Role::In => "inputs",
                Role::Out => "outputs",
                Role::InOut => "tensors updated in place",
            };
            format!("{}: list of {what} of {}", p.name, sig.ty_name(*dtype))
        }
        ParamKind::Attr { ty, element, .. } if p.per == Per::Item => {
            format!("{}: list of {}", p.name, word(sig, *ty, *element))
        }
        ParamKind::Tensor {
            role,
            dtype,
            optional,
            ..
        } => {
            let role = match role {
                Role::In if *optional => "input that may be left out",
                Role::Out if *optional => "output that may be left out",
                Role::InOut if *optional => "tensor updated in place that may be left out",
                Role::In => "input",
                Role::Out => "output",
                Role::InOut => "tensor updated in place",
            };
            format!("{}: {role} of {}", p.name, sig.ty_name(*dtype))
        }
        ParamKind::Attr { choices, .. } if !choices.is_empty() => {
            let default = p
                .kind
                .default_value()
                .and_then(|value| p.kind.choice(value));
            let default = default.map(|name| format!(" = {name}")).unwrap_or_default();
            format!("{}: {}{default}", p.name, choices.join("|"))
        }
        ParamKind::Attr {
            ty,
            part: Some(part),
            element,
            ..
        } if part.at == 0 => {
            let all = sig.list(&part.of);
            let defaults: Vec<String> = sig
                .attrs()
                .filter(|(id, ..)| all.contains(id))
                .filter_map(|(.., own)| own.map(literal))
                .collect();
            let default = if defaults.is_empty() {
                String::new()
            } else {
                format!(" = {}", defaults.join(", "))
            };
            format!(
                "{}: {} of {}{default}",
                part.of,
                part.count,
                word(sig, *ty, *element)
            )
        }
        ParamKind::Attr { part: Some(_), .. } => return None,
        ParamKind::Attr { ty, element, .. } => {
            let default = p
                .kind
                .default_value()
                .map(|value| format!(" = {}", literal(value)))
                .unwrap_or_default();
            format!("{}: {}{default}", p.name, word(sig, *ty, *element))
        }
    })
}

/// Returns the type of an attribute as its author wrote it.
fn word(sig: &Signature, ty: ScalarTy, element: Option<Ty>) -> String {
    element.map_or_else(|| ty.word().to_string(), |element| sig.ty_name(element))
}

/// Writes a default value.
fn literal(default: Value) -> String {
    match default {
        Value::F32(v) => v.to_string(),
        Value::Int(_) | Value::I32(_) | Value::Bool(_) => default.to_string(),
    }
}
