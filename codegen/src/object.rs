//! The source of a device object: what the device compiler gets alone, for a program that loads and launches the object itself.
//!
//! One text with the tiling data, the classes and a kernel function for each tiling key, whose parameters are those of a direct
//! project: the tensors, the workspace where a variant has one, the tiling data by value. The macros of the toolkit's builds are not
//! there, since those builds are not.

use crate::cpp::Cpp;
use crate::host::data;
use crate::plan::{Names, Plan};
use crate::project::opening;
use crate::{device, EmitOptions};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::ir::ScalarTy;
use jumar_dsl::tiling::{Tiling, Value};

/// A source for the device compiler alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Name of the source: `swish.cpp`.
    pub name: String,
    /// The source.
    pub text: String,
    /// Tiling key and name of each kernel function.
    pub functions: Vec<(i64, String)>,
    /// True where kernel functions take the workspace, between tensors and tiling data.
    pub takes_workspace: bool,
}

/// Emits the source of a device object.
///
/// # Errors
/// Says in words why the kernel has none: blocks that wait for one another need the flags of a mixed kernel, which the toolkit's own
/// builds ask for.
pub fn emit_object(kernel: &CheckedKernel, options: &EmitOptions) -> Result<Object, String> {
    let plan = Plan::new(kernel, options);
    if plan.meets() {
        return Err(format!(
            "the blocks of kernel `{}` wait for one another, which an object that is compiled alone cannot: build it with \
             `jumar emit --project asc` or `direct`",
            plan.sig.name
        ));
    }
    let mut out = Cpp::new();
    opening(&plan, &mut out);
    out.line("#include \"kernel_operator.h\"");
    out.blank();
    out.comment("What the host decided.");
    data::plain(&plan, &plan.names.data, &mut out);
    out.blank();
    device::object_code(&plan, &mut out);
    let Names { kernel, entries, takes_workspace, .. } = &plan.names;
    Ok(Object {
        name: format!("{kernel}.cpp"),
        text: out.finish(),
        functions: entries.clone(),
        takes_workspace: *takes_workspace,
    })
}

impl Names {
    /// The bytes of the tiling data, as kernel functions take them by value: 64 bits first, then 32, a whole number of words. Members of
    /// other variants are zero.
    ///
    /// # Errors
    /// Says which value is none of the type of its member: what was decided is not what was emitted.
    pub fn pack(&self, tiling: &Tiling) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        for field in &self.fields {
            let given = tiling.fields.iter().filter(|(name, _)| *name == field.var);
            match given.map(|(_, value)| *value).find(|value| is_of(*value, field.ty)) {
                Some(value) => push(value, &mut bytes),
                None => push(zero(field.ty), &mut bytes),
            }
        }
        let stray = |(name, value): &&(String, Value)| !self.fields.iter().any(|f| f.var == *name && is_of(*value, f.ty));
        if let Some((name, value)) = tiling.fields.iter().find(stray) {
            return Err(format!("the tiling data has no member for `{name}`, which is {value:?}"));
        }
        bytes.resize(bytes.len().max(1).next_multiple_of(8), 0);
        Ok(bytes)
    }
}

fn is_of(value: Value, ty: ScalarTy) -> bool {
    matches!(
        (value, ty),
        (Value::Int(_), ScalarTy::Index)
            | (Value::I32(_), ScalarTy::I32)
            | (Value::F32(_), ScalarTy::F32)
            | (Value::Bool(_), ScalarTy::Bool)
    )
}

fn zero(ty: ScalarTy) -> Value {
    match ty {
        ScalarTy::Index => Value::Int(0),
        ScalarTy::I32 => Value::I32(0),
        ScalarTy::F32 => Value::F32(0.0),
        ScalarTy::Bool => Value::Bool(false),
    }
}

fn push(value: Value, bytes: &mut Vec<u8>) {
    match value {
        Value::Int(v) => bytes.extend(v.to_le_bytes()),
        Value::I32(v) => bytes.extend(v.to_le_bytes()),
        Value::F32(v) => bytes.extend(v.to_le_bytes()),
        Value::Bool(v) => bytes.extend(i32::from(v).to_le_bytes()),
    }
}
