//! Kernel classes: the instances and variants that share a class, and the name of each class.
//!
//! Two of them share a class where their [`Source`]s are equal; such a class is a template. A class
//! for a single instance is printed with its concrete types.

use crate::names::{self, Scope};
use crate::parts;
use crate::resolve::Source;
use jumar_dsl::ir::{Lowered, ParamId, Scalar, Signature, TensorRef, WorkId};

/// A kernel class and its users.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    /// Name without template arguments.
    pub(crate) name: String,
    /// Everything that its text depends on.
    pub(crate) source: Source,
    /// Instances and variants it serves.
    pub(crate) serves: Vec<(usize, usize)>,
    /// Dtype parameters that are template parameters.
    pub(crate) params: Vec<u8>,
    /// Tensors that `Init` takes.
    pub(crate) tensors: Vec<ParamId>,
    /// Workspaces that it reads or writes.
    pub(crate) works: Vec<WorkId>,
}

impl Class {
    /// True if `Init` takes the tiling data.
    pub(crate) fn takes_tiling(&self) -> bool {
        !self.source.fields.is_empty()
    }

    /// True if `Init` takes a TPipe.
    pub(crate) fn takes_pipe(&self) -> bool {
        !(self.source.body.queues.is_empty() && self.source.body.bufs.is_empty())
    }

    /// True if `Init` takes the workspace of the launch.
    pub(crate) fn takes_workspace(&self) -> bool {
        !self.works.is_empty()
    }

    /// True if blocks wait for one another.
    pub(crate) fn meets(&self) -> bool {
        self.source.body.meets()
    }

    /// Returns the number of `SyncAll` barriers outside of scalar control flow.
    pub(crate) fn meetings(&self) -> usize {
        self.source
            .body
            .stmts
            .iter()
            .filter(|s| s.is_meeting())
            .count()
    }

    /// Returns whether it reads the block index, and the number of blocks.
    pub(crate) fn reads_block(&self) -> (bool, bool) {
        let (mut idx, mut dim) = (false, false);
        let mut look = |s: &Scalar| {
            idx |= *s == Scalar::BlockIdx;
            dim |= *s == Scalar::BlockDim;
        };
        self.source
            .body
            .walk(&mut |s| s.scalars(&mut |scalar| scalar.walk(&mut look)));
        let bytes = self
            .source
            .body
            .queues
            .iter()
            .map(|q| &q.bytes)
            .chain(self.source.body.bufs.iter().map(|b| &b.bytes));
        bytes.for_each(|bytes| bytes.walk(&mut look));
        (idx, dim)
    }

    /// Iterates over the tensors in GM that it reads or writes.
    pub(crate) fn globals(&self) -> impl Iterator<Item = TensorRef> + '_ {
        let params = self.tensors.iter().map(|t| TensorRef::Param(*t));
        params.chain(self.works.iter().map(|w| TensorRef::Work(*w)))
    }

    /// Returns its name with the template arguments of an instance: `SwishKernel<half>`.
    pub(crate) fn spelt(&self, lowered: &Lowered) -> String {
        let args: Vec<_> = self
            .params
            .iter()
            .map(|p| lowered.binding()[usize::from(*p)].ascendc())
            .collect();
        match args.is_empty() {
            true => self.name.clone(),
            false => format!("{}<{}>", self.name, args.join(", ")),
        }
    }
}

/// Instances and variants of one class.
struct Group {
    source: Source,
    serves: Vec<(usize, usize)>,
}

/// Returns the classes of a kernel; `taken` is a name that none of them may have.
pub(crate) fn classes(sig: &Signature, instances: &[Lowered], op: &str, taken: &str) -> Vec<Class> {
    let groups = groups(instances);
    let naming = Naming {
        sig,
        instances,
        op,
        groups: &groups,
    };
    let mut scope = Scope::with(&[taken]);
    let names: Vec<_> = groups
        .iter()
        .map(|g| scope.unique(&naming.name(g)))
        .collect();
    groups
        .into_iter()
        .zip(names)
        .map(|(group, name)| class(instances, group, name))
        .collect()
}

fn class(instances: &[Lowered], Group { source, serves }: Group, name: String) -> Class {
    let source = if serves.len() > 1 {
        source
    } else {
        source.concrete(instances[serves[0].0].binding())
    };
    Class {
        params: source.params(),
        tensors: parts::tensors(&source.body),
        works: parts::works(&source.body),
        name,
        source,
        serves,
    }
}

fn groups(instances: &[Lowered]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (at, lowered) in instances.iter().enumerate() {
        for variant in 0..lowered.variants.len() {
            let source = Source::new(lowered, variant);
            match groups.iter_mut().find(|g| g.source == source) {
                Some(group) => group.serves.push((at, variant)),
                None => groups.push(Group {
                    source,
                    serves: vec![(at, variant)],
                }),
            }
        }
    }
    groups
}

/// The inputs of a class's name.
struct Naming<'a> {
    sig: &'a Signature,
    instances: &'a [Lowered],
    op: &'a str,
    groups: &'a [Group],
}

impl Naming<'_> {
    /// Returns `SwishKernel`, with a suffix that distinguishes the class from others.
    fn name(&self, group: &Group) -> String {
        let mut name = format!("{}Kernel", self.op);
        let siblings = || {
            self.groups.iter().filter(|g| {
                g.source.variant == group.source.variant && self.case(g) == self.case(group)
            })
        };
        if siblings().count() > 1 {
            let short = self.fixed_dtypes(group);
            // The suffix names the fixed dtypes of a group; the template of the remaining instances
            // has the plain name.
            if siblings().filter(|g| self.fixed_dtypes(g) == short).count() == 1 {
                name.push_str(&short);
            } else {
                for (at, _) in &group.serves {
                    name.push_str(&names::pascal(&names::dtypes(
                        self.instances[*at].binding(),
                    )));
                }
            }
        }
        if let Some(words) = self.case(group) {
            name.push_str(&names::pascal(&words));
        }
        let (at, variant) = group.serves[0];
        let lowered = &self.instances[at];
        if !lowered.is_alone(&lowered.variants[variant]) {
            name.push_str(&names::pascal(&group.source.variant));
        }
        name
    }

    /// Returns the conditions that hold in all cases of a group, but not in all cases of the
    /// kernel.
    fn case(&self, group: &Group) -> Option<String> {
        let lowered = &self.instances[group.serves[0].0];
        let mut cases: Vec<usize> = group
            .serves
            .iter()
            .map(|(at, variant)| self.instances[*at].variants[*variant].case)
            .collect();
        cases.sort_unstable();
        cases.dedup();
        let in_all = |own: &&String| {
            cases
                .iter()
                .all(|case| lowered.cases[*case].conditions.contains(own))
        };
        let common: Vec<&str> = lowered.cases[cases[0]]
            .conditions
            .iter()
            .filter(in_all)
            .map(String::as_str)
            .collect();
        (!common.is_empty()).then(|| names::case_words(&common, cases[0]))
    }

    /// Returns the names of the dtypes that are equal in all instances of a group. The name of a
    /// parameter precedes its dtype where some dtypes are not.
    fn fixed_dtypes(&self, group: &Group) -> String {
        let first = self.instances[group.serves[0].0].binding();
        let fixed = |p: usize| {
            group
                .serves
                .iter()
                .all(|(i, _)| self.instances[*i].binding()[p] == first[p])
        };
        let all = (0..first.len()).all(fixed);
        (0..first.len())
            .filter(|p| fixed(*p))
            .map(|p| {
                let param = if all {
                    String::new()
                } else {
                    names::pascal(&self.sig.dtypes[p].name)
                };
                param + &names::pascal(first[p].name())
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jumar_dsl::check::check;
    use jumar_dsl::soc::Chip;

    /// Returns the name of each class, and the number of instances and variants that it serves.
    fn of(text: &str) -> Vec<(String, usize)> {
        let parsed = jumar_dsl::front::parse_file(text).expect("Rust").remove(0);
        let kernel = check(
            &parsed.kernel.expect("a clean kernel"),
            Chip::default_chip(),
        )
        .expect("a right kernel");
        let all = classes(
            &kernel.kernel().sig,
            kernel.instances(),
            "Op",
            "OpTilingData",
        );
        all.into_iter().map(|c| (c.name, c.serves.len())).collect()
    }

    #[test]
    fn instances_share_a_class_where_nothing_but_the_size_of_an_element_differs() {
        for (bound, stored, want) in [
            (
                "Float",
                "(x.at(t).load().cast::<f32>() * 1.5 + 1.0).cast::<T>()",
                &[("OpKernel", 2), ("OpKernelF32", 1)][..],
            ),
            // A single op that rounds once is computed in f16 itself. There are no such calls for
            // bf16.
            (
                "Float",
                "(x.at(t).load().cast::<f32>() + 1.0).cast::<T>()",
                &[("OpKernelF16", 1), ("OpKernelBf16", 1), ("OpKernelF32", 1)],
            ),
            (
                "Number",
                "x.at(t).load()",
                &[("OpKernelF16Bf16", 2), ("OpKernelF32I32", 2)],
            ),
            ("Int", "(x.at(t).load() + 1)", &[("OpKernel", 1)]),
        ] {
            let head = format!(
                "#[kernel]\nfn op<T: {bound}>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>)"
            );
            let found = of(&format!(
                "{head} {{\n    for t in tiles(x) {{\n        y.at(t).store({stored});\n    }}\n}}"
            ));
            let found: Vec<_> = found.iter().map(|(name, n)| (name.as_str(), *n)).collect();
            assert_eq!(found, want, "{bound}: {stored}");
        }
    }
}
