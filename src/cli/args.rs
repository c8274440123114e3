//! `--arg NAME=VALUE` and `--out NAME=@FILE`, read against a signature.

use super::run::signature;
use super::Failure;
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{Param, ParamKind, Role, Scalar, ScalarTy, Signature};
use jumar::dsl::tiling::Value;
use std::path::PathBuf;

/// What was given, complete and of the right kind.
#[derive(Debug, Default)]
pub struct Arguments {
    /// Tensors that the kernel reads.
    pub tensors: Vec<Given>,
    /// Tensors that it writes.
    pub outs: Vec<Given>,
    /// Attributes.
    pub attrs: Vec<(String, Value)>,
}

/// What a launch without data is given.
#[derive(Debug, Default)]
pub struct Planned {
    /// Shapes of tensors.
    pub shapes: Vec<(String, Vec<usize>)>,
    /// Attributes.
    pub attrs: Vec<(String, Value)>,
}

/// A tensor and its file.
#[derive(Debug)]
pub struct Given {
    /// Name of the parameter.
    pub name: String,
    /// Element type, where `--out NAME:DTYPE` says it.
    pub dtype: Option<DType>,
    /// The file.
    pub file: PathBuf,
}

/// Reads the arguments.
pub fn parse(sig: &Signature, args: &[String], outs: &[String]) -> Result<Arguments, Failure> {
    let mut all = Arguments::default();
    for text in args {
        let (name, value) = split(sig, "--arg", text)?;
        let file = value.strip_prefix('@');
        let known = all.tensors.iter().any(|t| t.name == name) || all.attrs.iter().any(|(n, _)| n == name);
        once(sig, "--arg", name, known)?;
        match (&param(sig, name)?.kind, file) {
            (ParamKind::Tensor { role: Role::Out, .. }, _) => {
                return Err(wrong(sig, format!("`{name}` is an output; say with --out {name}=@FILE.npy where it goes")))
            }
            (ParamKind::Tensor { .. }, Some(file)) => {
                all.tensors.push(Given { name: name.to_owned(), dtype: None, file: path(sig, name, file)? });
            }
            (ParamKind::Tensor { .. }, None) => {
                return Err(wrong(sig, format!("`{name}` is a tensor; give a file: --arg {name}=@FILE.npy")))
            }
            (ParamKind::Attr { .. }, Some(_)) => {
                return Err(wrong(sig, format!("`{name}` is an attribute; give its value, not a file")))
            }
            (ParamKind::Attr { ty, .. }, None) => all.attrs.push((name.to_owned(), scalar(sig, name, *ty, value)?)),
        }
    }
    for text in outs {
        let (name, value) = split(sig, "--out", text)?;
        let (name, dtype) = match name.split_once(':') {
            Some((name, dtype)) => (name, Some(element_type(sig, dtype)?)),
            None => (name, None),
        };
        once(sig, "--out", name, all.outs.iter().any(|o| o.name == name))?;
        let Some(file) = value.strip_prefix('@') else {
            return Err(wrong(sig, format!("`--out {text}` names no file; write --out {name}=@FILE.npy")));
        };
        match &param(sig, name)?.kind {
            ParamKind::Tensor { role: Role::Out | Role::InOut, .. } => {}
            ParamKind::Tensor { .. } => {
                return Err(wrong(sig, format!("`{name}` is read only; give it with --arg {name}=@FILE.npy")))
            }
            ParamKind::Attr { .. } => {
                return Err(wrong(sig, format!("`{name}` is an attribute; give it with --arg {name}=VALUE")))
            }
        }
        let file = path(sig, name, file)?;
        all.outs.push(Given { name: name.to_owned(), dtype, file });
    }
    complete(sig, &all)?;
    Ok(all)
}

/// Sizes and attributes of a launch that is only planned: `--shape NAME=SIZES`, `--arg NAME=VALUE`.
pub fn planned(sig: &Signature, shapes: &[String], args: &[String]) -> Result<Planned, Failure> {
    let mut all = Planned::default();
    for text in shapes {
        let (name, sizes) = split(sig, "--shape", text)?;
        once(sig, "--shape", name, all.shapes.iter().any(|(n, _)| n == name))?;
        if let ParamKind::Attr { .. } = &param(sig, name)?.kind {
            return Err(wrong(sig, format!("`{name}` is an attribute; give it with --arg {name}=VALUE")));
        }
        // Nothing behind the `=` is a tensor without axes.
        let sizes_of = |sizes: &str| sizes.split(',').map(|size| size.trim().parse().ok()).collect();
        let parsed: Option<Vec<usize>> = if sizes.trim().is_empty() { Some(Vec::new()) } else { sizes_of(sizes) };
        let parsed = parsed.ok_or_else(|| wrong(sig, format!("`{sizes}` is no shape; write --shape {name}=4096,1024")))?;
        all.shapes.push((name.to_owned(), parsed));
    }
    for text in args {
        let (name, value) = split(sig, "--arg", text)?;
        once(sig, "--arg", name, all.attrs.iter().any(|(n, _)| n == name))?;
        let ParamKind::Attr { ty, .. } = &param(sig, name)?.kind else {
            return Err(wrong(sig, format!("`{name}` is a tensor; give its sizes with --shape {name}=..")));
        };
        all.attrs.push((name.to_owned(), scalar(sig, name, *ty, value)?));
    }
    Ok(all)
}

/// Refuses a call that leaves something out.
fn complete(sig: &Signature, all: &Arguments) -> Result<(), Failure> {
    for p in &sig.params {
        let given = all.tensors.iter().any(|t| t.name == p.name) || all.attrs.iter().any(|(n, _)| *n == p.name);
        let goes = all.outs.iter().any(|o| o.name == p.name);
        let name = &p.name;
        let missing = match &p.kind {
            ParamKind::Tensor { role: Role::In, optional: true, .. } => continue,
            ParamKind::Tensor { role: Role::In | Role::InOut, .. } if !given => format!("--arg {name}=@FILE.npy"),
            ParamKind::Tensor { role: Role::Out | Role::InOut, .. } if !goes => format!("--out {name}=@FILE.npy"),
            ParamKind::Attr { ty, default: None } if !given => format!("--arg {name}={}", example(*ty)),
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
        .find(|p| p.name == name)
        .ok_or_else(|| wrong(sig, format!("kernel `{}` has no parameter `{name}`", sig.name)))
}

fn path(sig: &Signature, name: &str, file: &str) -> Result<PathBuf, Failure> {
    if file.is_empty() {
        return Err(wrong(sig, format!("`{name}=@` names no file; write {name}=@FILE.npy")));
    }
    Ok(PathBuf::from(file))
}

fn element_type(sig: &Signature, text: &str) -> Result<DType, Failure> {
    DType::by_name(text)
        .filter(|d| *d != DType::U8)
        .ok_or_else(|| wrong(sig, format!("`{text}` is no element type; there are f16, bf16, f32, i32, bool, i8 and i64")))
}

/// A value of an attribute.
fn scalar(sig: &Signature, name: &str, ty: ScalarTy, text: &str) -> Result<Value, Failure> {
    let value = match ty {
        // A decimal that is not `inf` and still does not fit would silently become infinite.
        ScalarTy::F32 => {
            text.parse::<f32>().ok().filter(|v| v.is_finite() || text.contains(['i', 'I', 'n', 'N'])).map(Value::F32)
        }
        ScalarTy::I32 => text.parse::<i32>().ok().map(|v| Value::Int(v.into())),
        ScalarTy::Index => text.parse::<i64>().ok().filter(|v| *v >= 0).map(Value::Int),
        ScalarTy::Bool => text.parse::<bool>().ok().map(Value::Bool),
    };
    value.ok_or_else(|| {
        let allowed = match ty {
            ScalarTy::F32 => "a number within ±3.4e38, inf or nan",
            ScalarTy::I32 => "a whole number from -2147483648 to 2147483647",
            ScalarTy::Index => "a whole number from 0 to 9223372036854775807",
            ScalarTy::Bool => "true or false",
        };
        wrong(sig, format!("`{text}` is no value for `{name}`, which is {} and takes {allowed}", ty.word()))
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

/// One parameter for a message: `x: tensor of T`, `scale: f32 = 1`.
pub fn spelled_param(sig: &Signature, p: &Param) -> String {
    match &p.kind {
        ParamKind::Tensor { role, dtype, optional, .. } => {
            let role = match role {
                Role::In if *optional => "input that may be left out",
                Role::In => "input",
                Role::Out => "output",
                Role::InOut => "tensor updated in place",
            };
            format!("{}: {role} of {}", p.name, sig.ty_name(*dtype))
        }
        ParamKind::Attr { ty, default } => {
            let default = match default {
                Some(Scalar::Int(v)) => format!(" = {v}"),
                Some(Scalar::I32(v)) => format!(" = {v}"),
                Some(Scalar::Float(v)) => format!(" = {v}"),
                Some(Scalar::Bool(v)) => format!(" = {v}"),
                _ => String::new(),
            };
            format!("{}: {}{default}", p.name, ty.word())
        }
    }
}
