//! The source of a binary that a program loads and launches by itself, without a build of the
//! toolkit.
//!
//! It is one text with the tiling data, the classes and a kernel function for each tiling key. The
//! parameters are those of a direct project: the tensors, the workspace where a variant has one,
//! the tiling data by value. Macros of the toolkit's builds are missing.
//!
//! Kernels whose blocks wait for one another need flags in their objects that no public command
//! line gives to a device object. Their text has host and device code. It becomes a library with a
//! function that starts each kernel.

use crate::cpp::Cpp;
use crate::host::data;
use crate::plan::{Names, Plan};
use crate::project::opening;
use crate::{device, EmitOptions, ProjectKind};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::ir::ScalarTy;
use jumar_dsl::soc::Arch;
use jumar_dsl::tiling::{Tiling, Value};

/// The result of compiling a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A device object, which `aclrtBinaryLoadFromFile` takes.
    Object,
    /// A library for this machine that contains the object. For each kernel function `k` it has
    /// `jumar_start_k(blocks, stream, values)`. `jumar_argument_bytes(i)` is the number of bytes
    /// that they read at `values[i]`. `jumar_library_version` is the version of this interface.
    Library,
}

/// A source for the device compiler alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Name of the source file: `swish.cpp`, `total.asc`.
    pub name: String,
    /// Text of the source.
    pub text: String,
    /// The form of the result.
    pub form: Form,
    /// Tiling key and name of each kernel function.
    pub functions: Vec<(i64, String)>,
    /// True if kernel functions take the workspace, between tensors and tiling data.
    pub takes_workspace: bool,
    /// True if the blocks wait for one another, so that all of them must get their cores at
    /// once.
    pub meets: bool,
}

/// The version of a library's interface, which its user checks.
const LIBRARY_VERSION: u32 = 1;

/// Emits the source of a device object, or of the library that must contain it.
///
/// # Errors
/// A message if the kernel has no such form: its blocks wait for one another on a chip for which
/// the compiler makes device objects only.
pub fn emit_object(kernel: &CheckedKernel, options: &EmitOptions) -> Result<Object, String> {
    let plan = Plan::new(kernel, options);
    let form = match (plan.meets(), plan.chip.arch) {
        (false, _) => Form::Object,
        (true, Arch::V220) => Form::Library,
        (true, Arch::M200) => {
            let (kernel, chip) = (&plan.sig.name, plan.chip.name);
            return Err(format!(
                "the blocks of kernel `{kernel}` wait for one another, which on {chip} an object that is compiled alone cannot: \
                 build it with `jumar emit --project direct`"
            ));
        }
    };
    let mut out = Cpp::new();
    opening(&plan, &mut out);
    if form == Form::Library {
        out.line("#include \"acl/acl.h\"");
    }
    device::includes(false, &mut out);
    out.blank();
    out.comment("What the host decided.");
    data::plain(&plan, &plan.names.data, &mut out);
    out.blank();
    match form {
        Form::Object => device::object_code(&plan, &mut out),
        Form::Library => {
            device::code(&plan, ProjectKind::Asc, &mut out);
            out.blank();
            starts(&plan, &mut out);
        }
    }
    let Names {
        kernel,
        entries,
        takes_workspace,
        ..
    } = &plan.names;
    let end = if form == Form::Library { "asc" } else { "cpp" };
    Ok(Object {
        name: format!("{kernel}.{end}"),
        text: out.finish(),
        form,
        functions: entries.clone(),
        takes_workspace: *takes_workspace,
        meets: plan.meets(),
    })
}

/// Prints the functions of a library. They take the arguments as pointers to values, so that all of
/// them have one type.
fn starts(plan: &Plan<'_>, out: &mut Cpp) {
    out.comment("What a program calls that opens this library.");
    out.function("extern \"C\" uint32_t jumar_library_version()", |out| {
        out.stmt(format_args!("return {LIBRARY_VERSION}"))
    });
    let addresses = plan.sig.tensors().count() + usize::from(plan.names.takes_workspace);
    out.blank();
    out.comment("Bytes of an argument, the same for all kernel functions; 0 where there is none.");
    let data = &plan.names.data;
    out.function("extern \"C\" uint32_t jumar_argument_bytes(uint32_t argument)", |out| {
        out.stmt(format_args!(
            "return argument < {addresses} ? sizeof(uint8_t *) : argument == {addresses} ? sizeof({data}) : 0"
        ));
    });
    let address = |i| format!("*static_cast<uint8_t *const *>(values[{i}])");
    let mut args: Vec<_> = (0..addresses).map(address).collect();
    args.push(format!(
        "*static_cast<const {} *>(values[{addresses}])",
        plan.names.data
    ));
    for (_, name) in &plan.names.entries {
        out.blank();
        out.comment("values[i] points at argument i.");
        let head = format!("extern \"C\" void jumar_start_{name}(uint32_t blockDim, aclrtStream stream, void *const *values)");
        out.function(head, |out| {
            out.stmt(format_args!(
                "{name}<<<blockDim, nullptr, stream>>>({})",
                args.join(", ")
            ))
        });
    }
}

impl Names {
    /// Returns the bytes of the tiling data, as kernel functions take them by value: members of 64
    /// bits first, then those of 32, padded to a multiple of 8 bytes. Members of other variants are
    /// zero.
    ///
    /// # Errors
    /// A message with a value that does not fit its member: the tiling is not one of the emitted
    /// kernel.
    pub fn pack(&self, tiling: &Tiling) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        for field in &self.fields {
            let given = tiling.fields.iter().filter(|(name, _)| *name == field.var);
            match given
                .map(|(_, value)| *value)
                .find(|value| is_of(*value, field.ty))
            {
                Some(value) => push(value, &mut bytes),
                None => push(zero(field.ty), &mut bytes),
            }
        }
        let stray = |(name, value): &&(String, Value)| {
            !self
                .fields
                .iter()
                .any(|f| f.var == *name && is_of(*value, f.ty))
        };
        if let Some((name, value)) = tiling.fields.iter().find(stray) {
            return Err(format!(
                "the tiling data has no member for `{name}`, which is {value:?}"
            ));
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
