//! The structure of the code, counted on its syntax tree: folders that depend on each other both
//! ways, cycles of modules, matches with a wildcard arm over statements, and tuple patterns as
//! parameters.
//!
//! A number that grows fails. When one falls, its constant here falls with it.

use jumar::dsl::lower::PASSES;
use jumar_kit::files::{below, name, read, workspace};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{
    Attribute, ExprMatch, FnArg, Item, ItemFn, ItemMod, Macro, Pat, Signature, UseTree, Visibility,
};

/// Folders of `dsl/src` without mutual dependencies between their subfolders, and most modules of a
/// cycle.
const TOPS: [&str; 3] = ["front", "lower", "check"];
const MOST_IN_A_CIRCLE: usize = 4;
/// Most matches over statements with a wildcard arm, and most uses of `unreachable!`.
const MOST_WILDCARDS: usize = 1;
const MOST_UNREACHABLE: usize = 14;

/// Folders of product code.
const PRODUCT: [&str; 8] = [
    "src",
    "dsl/src",
    "macros/src",
    "codegen/src",
    "runtime/src",
    "runtime/acl/src",
    "llm/src",
    "cli/src",
];

/// A module by its path below the crate: `lower`, `tile`, `fuse`.
type Module = Vec<String>;

/// Counts of one file.
struct File {
    module: Module,
    /// Modules of its top folder that it names, by the longest path that is a module.
    names: Vec<Module>,
    tuples: usize,
}

/// Reads the modules of a folder of `dsl/src`, without tests.
fn files(top: &str) -> Vec<File> {
    let source = workspace().join("dsl/src");
    let paths: Vec<_> = below(&source.join(top), &["rs"])
        .into_iter()
        .filter(|path| !is_test(path))
        .collect();
    let modules: BTreeSet<Module> = paths.iter().map(|path| module(&source, path)).collect();
    let file = |path: &std::path::PathBuf| {
        let tree =
            syn::parse_file(&read(path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let own = module(&source, path);
        let mut seen = Seen {
            paths: Vec::new(),
            wildcards: 0,
            unreachable: 0,
            tuples: 0,
        };
        tree.items.iter().for_each(|item| seen.visit_item(item));
        let absolute = seen
            .paths
            .iter()
            .filter_map(|path| absolute(path, &own, &modules));
        let known = absolute.filter_map(|path| {
            (1..=path.len())
                .rev()
                .map(|n| path[..n].to_vec())
                .find(|m| modules.contains(m))
        });
        File {
            names: known.filter(|other| *other != own).collect(),
            module: own,
            tuples: seen.tuples,
        }
    };
    paths.iter().map(file).collect()
}

fn is_test(path: &Path) -> bool {
    path.components()
        .any(|part| matches!(part.as_os_str().to_str(), Some("tests" | "tests.rs")))
}

fn module(source: &Path, path: &Path) -> Module {
    let below = path
        .strip_prefix(source)
        .expect("a file of the crate")
        .with_extension("");
    let mut parts: Module = below
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// Resolves a path from the crate on. `None` for other crates, the standard library and imported
/// names.
fn absolute(path: &[String], own: &Module, modules: &BTreeSet<Module>) -> Option<Module> {
    let ups = path.iter().take_while(|part| *part == "super").count();
    let (base, rest) = match path.first()?.as_str() {
        "crate" => (&[][..], &path[1..]),
        "self" => (&own[..], &path[1..]),
        "super" => (own.get(..own.len().checked_sub(ups)?)?, &path[ups..]),
        first => {
            let child: Module = own.iter().cloned().chain([first.to_owned()]).collect();
            (modules.contains(&child).then_some(&own[..])?, path)
        }
    };
    let all: Module = base.iter().chain(rest).cloned().collect();
    (all.first() == own.first()).then_some(all)
}

/// Findings in a file, without its tests.
struct Seen {
    paths: Vec<Vec<String>>,
    wildcards: usize,
    unreachable: usize,
    tuples: usize,
}

impl Seen {
    fn used(&mut self, tree: &UseTree, before: &[String]) {
        let with = |name: String| before.iter().cloned().chain([name]).collect::<Vec<_>>();
        match tree {
            UseTree::Path(path) => self.used(&path.tree, &with(path.ident.to_string())),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.used(tree, before)),
            UseTree::Name(name) => self.paths.push(with(name.ident.to_string())),
            UseTree::Rename(name) => self.paths.push(with(name.ident.to_string())),
            UseTree::Glob(_) => self.paths.push(before.to_vec()),
        }
    }
}

fn is_of_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|a| {
        a.path().is_ident("cfg")
            && a.parse_args::<syn::Ident>()
                .is_ok_and(|word| word == "test")
    })
}

impl<'ast> Visit<'ast> for Seen {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_of_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Use(item) => self.used(&item.tree, &[]),
            Item::Fn(ItemFn { attrs, .. }) if is_of_tests(attrs) => {}
            _ => visit::visit_item(self, item),
        }
    }

    /// `pub(in crate::lower)` is no dependency.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.paths.push(
            path.segments
                .iter()
                .map(|segment| segment.ident.to_string())
                .collect(),
        );
        visit::visit_path(self, path);
    }

    fn visit_signature(&mut self, signature: &'ast Signature) {
        let is_tuple = |input: &FnArg| matches!(input, FnArg::Typed(typed) if matches!(*typed.pat, Pat::Tuple(_)));
        self.tuples += usize::from(signature.inputs.iter().any(is_tuple));
        visit::visit_signature(self, signature);
    }

    fn visit_expr_match(&mut self, found: &'ast ExprMatch) {
        let mut statements = Statements(false);
        found
            .arms
            .iter()
            .for_each(|arm| statements.visit_pat(&arm.pat));
        let passes_over = |pat: &Pat| {
            matches!(pat, Pat::Wild(_)) || matches!(pat, Pat::Ident(name) if name.subpat.is_none())
        };
        let is_wild = found.arms.iter().any(|arm| passes_over(&arm.pat));
        self.wildcards += usize::from(statements.0 && is_wild);
        visit::visit_expr_match(self, found);
    }

    fn visit_macro(&mut self, found: &'ast Macro) {
        self.unreachable += usize::from(found.path.is_ident("unreachable"));
    }
}

/// True once a pattern names a kind of statement.
struct Statements(bool);

impl<'ast> Visit<'ast> for Statements {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let of = ["StmtKind", "TileStmt", "QueueStmt"];
        self.0 |= path
            .segments
            .first()
            .is_some_and(|segment| of.iter().any(|name| segment.ident == name));
    }
}

/// A dependency of one folder on another.
type Arrow<'f> = (&'f [String], &'f [String]);

/// Returns the folder right below the top one that contains a module, or the module itself.
fn folder(module: &Module) -> &[String] {
    &module[..module.len().min(2)]
}

/// Returns pairs of folders that depend on each other. The module of the top folder joins all of
/// them, so it may.
fn two_ways(files: &[File]) -> Vec<String> {
    let mut arrows: BTreeMap<Arrow<'_>, [&Module; 2]> = BTreeMap::new();
    for file in files {
        for other in &file.names {
            let (from, to) = (folder(&file.module), folder(other));
            if from != to {
                arrows.entry((from, to)).or_insert([&file.module, other]);
            }
        }
    }
    let back = |(from, to): &Arrow<'_>| from < to && arrows.contains_key(&(*to, *from));
    let said = |(from, to)| {
        let [one, other] = [arrows[&(from, to)], arrows[&(to, from)]]
            .map(|[a, b]: [&Module; 2]| format!("{} -> {}", a.join("::"), b.join("::")));
        format!("{one}, {other}")
    };
    arrows.keys().copied().filter(back).map(said).collect()
}

/// Returns the largest cycle of modules.
fn circle(files: &[File]) -> Vec<String> {
    let reached = |from: &Module| {
        let (mut found, mut open) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(module) = open.pop() {
            let names = files
                .iter()
                .filter(|file| file.module == module)
                .flat_map(|file| file.names.iter().cloned());
            open.extend(names.filter(|other| found.insert(other.clone())));
        }
        found
    };
    let all: BTreeMap<&Module, BTreeSet<Module>> = files
        .iter()
        .map(|file| (&file.module, reached(&file.module)))
        .collect();
    let circle_of = |module: &Module| -> Vec<String> {
        let with = all[module]
            .iter()
            .filter(|other| all.get(other).is_some_and(|back| back.contains(module)));
        with.map(|other| other.join("::")).collect()
    };
    all.keys()
        .map(|module| circle_of(module))
        .max_by_key(Vec::len)
        .unwrap_or_default()
}

#[test]
fn folders_know_one_another_one_way() {
    for top in TOPS {
        let files = files(top);
        let (found, largest) = (two_ways(&files), circle(&files));
        assert!(found.is_empty(), "{top}: {found:#?}");
        let count = largest.len();
        assert!(
            count <= MOST_IN_A_CIRCLE,
            "{top}: {count} modules know one another in a circle: {largest:#?}"
        );
    }
}

/// Counts all product code.
fn product() -> Seen {
    let mut seen = Seen {
        paths: Vec::new(),
        wildcards: 0,
        unreachable: 0,
        tuples: 0,
    };
    for folder in PRODUCT {
        for path in below(&workspace().join(folder), &["rs"])
            .iter()
            .filter(|path| !is_test(path))
        {
            let tree =
                syn::parse_file(&read(path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            tree.items.iter().for_each(|item| seen.visit_item(item));
        }
    }
    seen
}

#[test]
fn few_matches_pass_over_statements_without_a_word() {
    let Seen {
        wildcards,
        unreachable,
        ..
    } = product();
    assert!(
        wildcards <= MOST_WILDCARDS,
        "{wildcards} matches over statements have an arm for any other"
    );
    assert!(
        unreachable <= MOST_UNREACHABLE,
        "{unreachable} places are said not to be reached"
    );
}

/// Each file of `lower/tile` is a pass or part of one.
#[test]
fn each_pass_is_a_file() {
    let folder = workspace().join("dsl/src/lower/tile");
    let named = |path: &Path| {
        let parts: Vec<String> = path
            .with_extension("")
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        parts
            .into_iter()
            .filter(|part| part != "mod")
            .collect::<Vec<_>>()
            .join("_")
    };
    let paths = below(&folder, &["rs"])
        .into_iter()
        .map(|path| named(path.strip_prefix(&folder).expect("a file of the folder")));
    // Parts that passes share, and those that `body` calls for each op.
    let is_part = |name: &String| {
        ["", "fuse", "stream_passes"].contains(&&name[..]) || name.starts_with("legalize")
    };
    let files: BTreeSet<String> = paths.filter(|name| !is_part(name)).collect();
    let passes: BTreeSet<String> = PASSES.iter().map(|pass| pass.name.to_owned()).collect();
    assert_eq!(files, passes);
    assert_eq!(passes.len(), PASSES.len(), "names are unique");
}

/// Files whose public items are named by a table that describes them, and those of a program.
const DESCRIBED: [&str; 4] = [
    "dsl/src/library/math.rs",
    "llm/src/tasks/",
    "dsl/src/ops/",
    "cli/src/",
];

/// Comments are no lint: fields, variants and methods may say all by their names. Types, traits and
/// free functions have one.
#[test]
fn public_types_and_functions_have_comments() {
    let mut bare = Vec::new();
    for folder in PRODUCT {
        for path in below(&workspace().join(folder), &["rs"])
            .iter()
            .filter(|path| !is_test(path))
        {
            let own = name(path);
            if DESCRIBED.iter().any(|part| own.starts_with(part)) {
                continue;
            }
            let tree = syn::parse_file(&read(path)).unwrap_or_else(|e| panic!("{own}: {e}"));
            for item in &tree.items {
                let (attrs, vis, ident) = match item {
                    Item::Fn(item) => (&item.attrs, &item.vis, &item.sig.ident),
                    Item::Struct(item) => (&item.attrs, &item.vis, &item.ident),
                    Item::Enum(item) => (&item.attrs, &item.vis, &item.ident),
                    Item::Trait(item) => (&item.attrs, &item.vis, &item.ident),
                    _ => continue,
                };
                let has_comment = attrs.iter().any(|attr| attr.path().is_ident("doc"));
                if matches!(vis, Visibility::Public(_)) && !has_comment && !is_of_tests(attrs) {
                    bare.push(format!("{own}: {ident}"));
                }
            }
        }
    }
    assert!(bare.is_empty(), "without a comment: {bare:#?}");
}

#[test]
fn parameters_have_names() {
    let all = TOPS.into_iter().flat_map(files);
    let tuples: Vec<String> = all
        .filter(|file| file.tuples > 0)
        .map(|file| file.module.join("::"))
        .collect();
    assert!(
        tuples.is_empty(),
        "functions that take tuples apart in their parameters: {tuples:#?}"
    );
}
