//! Compiles files of the suite as one source, which saves time. Each is in its own namespace, and
//! its kernels are renamed.

use super::case::{built, judge, suited, File};
use jumar_runtime::ascendc::{scan, Program, Source, Unit};
use jumar_runtime::RunError;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Files of one architecture that compile in a namespace.
pub struct Group {
    /// The name of the source. It is equal in each process, since the cache key of a program
    /// includes the path of its source.
    pub name: String,
    pub files: Vec<File>,
}

/// Returns the kernels of a file. C++ identifies them by name alone, whatever the namespace.
fn kernels(file: &File) -> BTreeSet<String> {
    scan(&file.text)
        .into_iter()
        .map(|kernel| kernel.name)
        .collect()
}

impl Group {
    /// Makes the common text. Includes come first, outside of the namespaces.
    fn text(&self) -> String {
        let mut text = String::from("#include \"check.h\"\n#include <algorithm>\n");
        for file in &self.files {
            let (stem, kernels) = (&file.stem, kernels(file));
            let _ = writeln!(text, "namespace of_{stem} {{");
            kernels
                .iter()
                .for_each(|kernel| _ = writeln!(text, "#define {kernel} {kernel}_of_{stem}"));
            let _ = writeln!(text, "#include \"{}\"", file.path.display());
            kernels
                .iter()
                .for_each(|kernel| _ = writeln!(text, "#undef {kernel}"));
            text.push_str("}\n");
        }
        text
    }

    /// Makes one entry for each file, with the name of the file.
    fn glue(&self) -> String {
        let mut entries = String::new();
        for file in &self.files {
            let (stem, kernel) = (&file.stem, &file.case.kernel);
            let (name, arguments) = kernel.split_at(kernel.find('<').unwrap_or(kernel.len()));
            let own = if kernels(file).contains(name) {
                format!("{name}_of_{stem}")
            } else {
                name.to_string()
            };
            let _ = writeln!(
                entries,
                "    EntryOf<&::of_{stem}::{own}{arguments}>(\"{stem}\", 0),"
            );
        }
        format!(
            "namespace ascendc_cpu {{\nstatic const Entry list[] = {{\n{entries}}};\nextern const Entries entries;\n\
             const Entries entries = {{list, {}}};\nextern const TileFunction tile;\nconst TileFunction tile = nullptr;\n}}\n",
            self.files.len()
        )
    }

    fn compiled(&self, sanitize: bool) -> Result<Program, RunError> {
        let source = built(&format!("{}.cpp", self.name), &self.text());
        suited(
            Unit::new(
                Source::File(source),
                self.glue(),
                self.files[0].case.options.chip.arch,
            ),
            sanitize,
        )
        .compile()
    }

    /// Runs the group and describes the differences, one line for each file. Files that do not
    /// compile together are judged one by one.
    pub fn judged(self, sanitize: bool) -> Vec<String> {
        let compiled = self.compiled(sanitize);
        let judged = |file: File| {
            let stem = file.stem.clone();
            let why = match &compiled {
                Ok(program) => {
                    let mut case = file.case;
                    case.options.kernel = Some(stem.clone());
                    judge(case, program)
                }
                Err(_) => file.judged_alone(sanitize),
            };
            why.map(|why| format!("{stem}: {why}"))
        };
        let mut wrong: Vec<String> = self.files.into_iter().filter_map(judged).collect();
        if let (Err(error), true) = (&compiled, wrong.is_empty()) {
            wrong.push(format!(
                "{}: each file compiles alone, and not all together; the one that cannot takes a line `// alone: WHY`: {}",
                self.name,
                error.message()
            ));
        }
        wrong
    }
}
