//! The plan of a project, made before a line is printed: names, tiling data, classes and entries.
//!
//! There is one entry (a tiling key) for each instance and variant. This module does not know how a
//! text is printed.

use crate::classes::{classes, Class};
use crate::example::{self, Example};
use crate::names::{self, Scope};
use crate::parts;
use crate::release::{self, Feature};
use crate::reserved::{OPERATOR_ATTRS, TOOLKIT_TYPES};
use crate::{EmitOptions, ProjectKind};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::ir::{Kernel, Level, Lowered, ParamId, Role, ScalarTy, Signature, VarDecl};
use jumar_dsl::soc::Chip;
use jumar_dsl::tiling::tiling_key;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// A member of the tiling data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name of the variable in the IR, which `tiling::evaluate` reports.
    pub var: String,
    /// Name of the member in C++.
    pub member: String,
    pub ty: ScalarTy,
}

impl Field {
    /// Returns the C++ type in the tiling data: no `bool`, whose layout may differ between host and
    /// device.
    pub fn cpp_type(&self) -> &'static str {
        match self.ty {
            ScalarTy::Index => "int64_t",
            ScalarTy::F32 => "float",
            ScalarTy::I32 | ScalarTy::Bool => "int32_t",
        }
    }
}

/// Names in the emitted texts, for callers that compile them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// Name of the kernel and stem of the files: `add_rms_norm`.
    pub kernel: String,
    /// First part of the names of types: `AddRmsNorm`.
    pub prefix: String,
    /// Operator type: `AddRmsNormCustom`.
    pub op: String,
    /// Name of the kernel function and stem of the files of an operator, which the operator build
    /// derives from its type: `add_rms_norm_custom`.
    pub op_stem: String,
    /// Struct of the tiling data: `AddRmsNormTilingData`.
    pub data: String,
    /// Namespace of everything that the host needs for a launch: `AddRmsNormLaunch`. The toolkit
    /// has types for the tiling of some operators (`LayerNormTiling`). Outside of the namespace,
    /// our names would collide with them.
    pub launch: String,
    /// Struct of the tiling function's arguments: `AddRmsNormLaunch::Args`.
    pub args: String,
    /// Struct of the chip's facts: `AddRmsNormLaunch::Chip`.
    pub chip: String,
    /// Struct of the tiling function's result: `AddRmsNormLaunch::Tiling`.
    pub tiling: String,
    /// The tiling function: `AddRmsNormLaunch::ComputeTiling`.
    pub compute: String,
    /// Member of `args` for each named axis.
    pub axes: Vec<String>,
    /// Member of `args` for each attribute, and for each optional tensor, of which it says whether
    /// it was given.
    pub attrs: Vec<Option<String>>,
    /// Name of each attribute in the definition of an operator. It is that of its member, with
    /// `Attr` appended to names that the operator build reserves.
    pub op_attrs: Vec<Option<String>>,
    /// Members of the tiling data in order, without padding.
    pub fields: Vec<Field>,
    /// Tiling key and name of each kernel function of a direct project.
    pub entries: Vec<(i64, String)>,
    /// True if kernel functions of a direct project take the workspace, between tensors and
    /// tiling data.
    pub takes_workspace: bool,
    /// Struct of an operator's tiling data with lists: the tiling data of all items.
    pub items: String,
}

impl Names {
    pub(crate) fn new(sig: &Signature, instances: &[Lowered], op_type: Option<&str>) -> Names {
        let kernel = names::symbol(&sig.name);
        let prefix = names::pascal(&kernel);
        let op = names::op_type(&prefix, op_type);
        let mut scope = Scope::default();
        // On the command line of the launch program, tensors are named beside attributes.
        names::tensors(sig).iter().for_each(|(_, _, name)| {
            scope.unique(name);
        });
        let axes = sig
            .axes
            .iter()
            .map(|a| scope.unique(&names::camel(&a.name)))
            .collect();
        let mut attrs = vec![None; sig.params.len()];
        for (id, ..) in sig.told() {
            let name = &sig.param(id).name;
            let name = if sig.is_optional(id) {
                format!("has_{name}")
            } else {
                name.clone()
            };
            attrs[id.index()] = Some(scope.unique(&names::camel(&name)));
        }
        Names {
            data: Scope::with(TOOLKIT_TYPES).unique(&format!("{prefix}TilingData")),
            items: Scope::with(TOOLKIT_TYPES).unique(&format!("{prefix}ItemsTilingData")),
            args: format!("{prefix}Launch::Args"),
            chip: format!("{prefix}Launch::Chip"),
            tiling: format!("{prefix}Launch::Tiling"),
            compute: format!("{prefix}Launch::ComputeTiling"),
            launch: format!("{prefix}Launch"),
            op_stem: jumar_dsl::names::snake_of_pascal(&op),
            prefix,
            op,
            axes,
            op_attrs: op_attrs(sig, &attrs, &mut scope),
            attrs,
            fields: fields(instances),
            entries: entry_names(&kernel, instances),
            takes_workspace: instances
                .iter()
                .flat_map(|l| &l.variants)
                .any(|v| !parts::works(&v.body).is_empty()),
            kernel,
        }
    }

    /// Returns the member of the arguments for an attribute.
    pub(crate) fn attr(&self, id: ParamId) -> &str {
        self.attrs[id.index()]
            .as_deref()
            .expect("an attribute has a member")
    }

    /// Returns the name of an attribute in the definition of an operator.
    pub(crate) fn op_attr(&self, id: ParamId) -> &str {
        self.op_attrs[id.index()]
            .as_deref()
            .expect("an attribute has a name")
    }

    /// Returns the member for a variable of the tiling data.
    pub(crate) fn member(&self, decl: &VarDecl) -> &Field {
        let same = |f: &&Field| f.var == decl.name && f.ty == decl.ty;
        self.fields
            .iter()
            .find(same)
            .expect("the fields of every variant are members")
    }
}

/// Returns the names of attributes in the definition of an operator; a list has the one of its
/// first number.
fn op_attrs(sig: &Signature, attrs: &[Option<String>], scope: &mut Scope) -> Vec<Option<String>> {
    let one = |(id, name): (u32, &Option<String>)| match sig.part(ParamId(id)) {
        Some(part) if part.at == 0 => Some(op_attr(&scope.unique(&names::camel(&part.of)), scope)),
        Some(_) => None,
        None => name.as_deref().map(|name| op_attr(name, scope)),
    };
    (0..).zip(attrs).map(one).collect()
}

/// Returns an attribute's name in the definition of an operator.
fn op_attr(name: &str, scope: &mut Scope) -> String {
    match OPERATOR_ATTRS.contains(&name) {
        true => scope.unique(&format!("{name}Attr")),
        false => name.to_string(),
    }
}

/// Returns tiling key and name of the kernel function of each instance and variant.
fn entry_names(kernel: &str, instances: &[Lowered]) -> Vec<(i64, String)> {
    let mut scope = Scope::default();
    let mut all = Vec::new();
    for lowered in instances {
        for (variant, v) in lowered.variants.iter().enumerate() {
            let mut name = kernel.to_string();
            if !lowered.binding().is_empty() {
                name = format!("{name}_{}", names::dtypes(lowered.binding()));
            }
            if lowered.cases.len() > 1 {
                let conditions: Vec<&str> = lowered
                    .case(v)
                    .conditions
                    .iter()
                    .map(String::as_str)
                    .collect();
                name = format!("{name}_{}", names::case_words(&conditions, v.case));
            }
            if !lowered.is_alone(v) {
                name = format!("{name}_{}", names::symbol(&v.name));
            }
            all.push((tiling_key(lowered, variant), scope.unique(&name)));
        }
    }
    all
}

/// Merges the fields of all instances and variants, by name and type, widest members first.
fn fields(instances: &[Lowered]) -> Vec<Field> {
    let mut scope = Scope::with(&["reserved"]);
    let mut all: Vec<Field> = Vec::new();
    for variant in instances.iter().flat_map(|l| &l.variants) {
        for id in &variant.fields {
            let decl = variant.body.var(*id);
            if !all.iter().any(|f| f.var == decl.name && f.ty == decl.ty) {
                let member = scope.unique(&names::camel(&decl.name));
                all.push(Field {
                    var: decl.name.clone(),
                    member,
                    ty: decl.ty,
                });
            }
        }
    }
    all.sort_by_key(|f| f.ty != ScalarTy::Index);
    all
}

/// A kernel function.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: i64,
    /// Index of the instance among those emitted.
    pub(crate) at: usize,
    /// Name of the kernel function in direct launches.
    pub(crate) name: String,
    /// Class with template arguments: `SwishKernel<half>`.
    pub(crate) class: String,
    /// Tensors that `Init` takes, in order.
    pub(crate) tensors: Vec<ParamId>,
    /// True if its blocks wait for one another.
    pub(crate) meets: bool,
    /// The number of `SyncAll` barriers, where none of them depends on scalar control flow.
    pub(crate) meetings: usize,
    /// True if `Init` takes the block index within an item, and true if it takes the number
    /// of blocks.
    pub(crate) takes_block: (bool, bool),
    /// True if `Init` takes the workspace of the launch.
    pub(crate) takes_workspace: bool,
    /// True if `Init` takes the tiling data.
    pub(crate) takes_tiling: bool,
    /// True if `Init` takes the TPipe.
    pub(crate) takes_pipe: bool,
}

/// Everything that the writers of files need.
#[derive(Clone, Debug)]
pub(crate) struct Plan<'a> {
    pub(crate) sig: &'a Signature,
    /// The kernel as its author wrote it.
    pub(crate) written: &'a Kernel,
    pub(crate) instances: &'a [Lowered],
    pub(crate) chip: &'static Chip,
    /// Families of chips that an operator serves, by the names of the operator build.
    pub(crate) units: Vec<&'static str>,
    /// The level of the kernel as written.
    pub(crate) level: Level,
    pub(crate) names: Names,
    /// Names of the tensors on the host.
    pub(crate) tensors: Vec<(ParamId, Role, String)>,
    pub(crate) classes: Vec<Class>,
    pub(crate) entries: Vec<Entry>,
    /// File name of the kernel's source.
    pub(crate) source: Option<String>,
    /// True if the text has barriers that make the vector pipe wait for itself.
    pub(crate) barriers: bool,
    /// True if a TPipe hands out UB; otherwise the author places all tensors.
    pub(crate) has_pipe: bool,
    /// Features of the bodies that differ between releases of CANN.
    pub(crate) features: BTreeSet<Feature>,
    /// The single buffer count above 1 of the queues.
    pub(crate) buffer_num: Option<i64>,
    /// True for an operator with lists, whose kernel function iterates over the items; other
    /// projects launch one item at a time.
    pub(crate) items: bool,
    /// Set for a text of one case.
    pub(crate) fixed: Option<Fixed>,
    /// The launch of usage lines, found when it is first asked for.
    example: OnceCell<Option<Example>>,
}

/// Options of a text of one case (`fixed.rs`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixed {
    /// True if one block does everything, so that no block waits for others.
    pub(crate) alone: bool,
}

impl<'a> Plan<'a> {
    /// Decides names, groups and entries.
    pub(crate) fn new(kernel: &'a CheckedKernel, options: &EmitOptions) -> Plan<'a> {
        let items =
            options.kind == ProjectKind::Msopgen && kernel.kernel().sig.lists().next().is_some();
        Plan {
            items,
            ..Plan::of(kernel, kernel.instances(), options)
        }
    }

    /// Makes the plan of some instances, launched item by item.
    pub(crate) fn of(
        kernel: &'a CheckedKernel,
        instances: &'a [Lowered],
        options: &EmitOptions,
    ) -> Plan<'a> {
        let sig = &kernel.kernel().sig;
        let names = Names::new(sig, instances, options.op_type.as_deref());
        let classes = classes(sig, instances, &names.prefix, &names.data);
        let has_pipe = classes.iter().any(Class::takes_pipe);
        Plan {
            sig,
            written: kernel.kernel(),
            instances,
            chip: kernel.chip(),
            units: units(kernel),
            level: kernel.kernel().level(),
            entries: entries(&names, instances, &classes),
            tensors: names::tensors(sig),
            names,
            classes,
            source: options
                .source_name
                .as_deref()
                .map(|n| n.rsplit(['/', '\\']).next().unwrap_or(n).to_string()),
            barriers: options.barriers,
            has_pipe,
            features: release::of_bodies(instances, has_pipe),
            buffer_num: common_buffer_num(instances),
            items: false,
            fixed: None,
            example: OnceCell::new(),
        }
    }
}

impl Plan<'_> {
    /// True if `Init` takes block index and number of blocks, which differ from those of the
    /// launch.
    pub(crate) fn tells_blocks(&self) -> bool {
        self.items || self.fixed.is_some()
    }

    /// Returns the launch of usage lines; `None` where no attempt succeeded.
    pub(crate) fn example(&self) -> Option<&Example> {
        self.example.get_or_init(|| example::shown(self)).as_ref()
    }

    /// True if the blocks of some kernel function wait for one another.
    pub(crate) fn meets(&self) -> bool {
        self.entries.iter().any(|entry| entry.meets)
    }
}

/// Returns the kernel function of each instance and variant.
fn entries(names: &Names, instances: &[Lowered], classes: &[Class]) -> Vec<Entry> {
    let places = instances
        .iter()
        .enumerate()
        .flat_map(|(at, l)| (0..l.variants.len()).map(move |variant| (at, variant)));
    let entry = |((at, variant), (key, name)): ((usize, usize), &(i64, String))| {
        let class = classes
            .iter()
            .find(|c| c.serves.contains(&(at, variant)))
            .expect("every variant has a class");
        Entry {
            key: *key,
            at,
            name: name.clone(),
            class: class.spelt(&instances[at]),
            tensors: class.tensors.clone(),
            meets: class.meets(),
            meetings: class.meetings(),
            takes_block: class.reads_block(),
            takes_workspace: class.takes_workspace(),
            takes_tiling: class.takes_tiling(),
            takes_pipe: class.takes_pipe(),
        }
    };
    places.zip(&names.entries).map(entry).collect()
}

/// Returns the families of the checked chip's architecture. One text serves them, since the tiling
/// function asks the platform for their differences. A list of chips by the author limits them.
fn units(kernel: &CheckedKernel) -> Vec<&'static str> {
    let (own, listed) = (kernel.chip(), &kernel.kernel().chips);
    let is_listed = |chip: &Chip| {
        listed.is_empty()
            || listed.iter().any(|name| {
                Chip::by_name(name).is_some_and(|c| c.compute_unit == chip.compute_unit)
            })
    };
    let mut units = vec![own.compute_unit];
    for chip in Chip::all()
        .iter()
        .filter(|chip| chip.arch == own.arch && is_listed(chip))
    {
        if !units.contains(&chip.compute_unit) {
            units.push(chip.compute_unit);
        }
    }
    units
}

fn common_buffer_num(instances: &[Lowered]) -> Option<i64> {
    let queues = instances
        .iter()
        .flat_map(|l| &l.variants)
        .flat_map(|v| &v.body.queues);
    let mut nums = queues
        .filter_map(|q| q.buffers())
        .map(|n| *n.end())
        .filter(|n| *n > 1);
    let first = nums.next()?;
    nums.all(|n| n == first).then_some(first)
}
