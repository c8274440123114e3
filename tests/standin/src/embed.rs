//! The C++ of the stand-in, embedded as text.

/// Path below `cpp/` and text of each file.
pub(crate) const FILES: &[(&str, &str)] = &[
    (
        "compiler/arguments.cpp",
        include_str!("../cpp/compiler/arguments.cpp"),
    ),
    (
        "compiler/arguments.h",
        include_str!("../cpp/compiler/arguments.h"),
    ),
    (
        "compiler/main.cpp",
        include_str!("../cpp/compiler/main.cpp"),
    ),
    (
        "compiler/source.cpp",
        include_str!("../cpp/compiler/source.cpp"),
    ),
    (
        "compiler/source.h",
        include_str!("../cpp/compiler/source.h"),
    ),
    (
        "include/acl/acl.h",
        include_str!("../cpp/include/acl/acl.h"),
    ),
    (
        "include/acl/acl_base.h",
        include_str!("../cpp/include/acl/acl_base.h"),
    ),
    (
        "include/acl/acl_rt.h",
        include_str!("../cpp/include/acl/acl_rt.h"),
    ),
    (
        "include/aclnn/acl_meta.h",
        include_str!("../cpp/include/aclnn/acl_meta.h"),
    ),
    (
        "include/standin/control.h",
        include_str!("../cpp/include/standin/control.h"),
    ),
    (
        "include/standin/kernel_table.h",
        include_str!("../cpp/include/standin/kernel_table.h"),
    ),
    (
        "include/standin/launch.h",
        include_str!("../cpp/include/standin/launch.h"),
    ),
    (
        "include/standin/operator.h",
        include_str!("../cpp/include/standin/operator.h"),
    ),
    (
        "include/standin/operator_kernel.h",
        include_str!("../cpp/include/standin/operator_kernel.h"),
    ),
    (
        "operator/describe.cpp",
        include_str!("../cpp/operator/describe.cpp"),
    ),
    (
        "operator/library.cpp",
        include_str!("../cpp/operator/library.cpp"),
    ),
    (
        "operator/library.h",
        include_str!("../cpp/operator/library.h"),
    ),
    (
        "operator/signature.h",
        include_str!("../cpp/operator/signature.h"),
    ),
    (
        "src/arguments.cpp",
        include_str!("../cpp/src/arguments.cpp"),
    ),
    ("src/binary.cpp", include_str!("../cpp/src/binary.cpp")),
    ("src/block.cpp", include_str!("../cpp/src/block.cpp")),
    ("src/block.h", include_str!("../cpp/src/block.h")),
    ("src/context.cpp", include_str!("../cpp/src/context.cpp")),
    ("src/context.h", include_str!("../cpp/src/context.h")),
    ("src/control.cpp", include_str!("../cpp/src/control.cpp")),
    ("src/errors.cpp", include_str!("../cpp/src/errors.cpp")),
    ("src/errors.h", include_str!("../cpp/src/errors.h")),
    ("src/event.cpp", include_str!("../cpp/src/event.cpp")),
    ("src/event.h", include_str!("../cpp/src/event.h")),
    ("src/handles.h", include_str!("../cpp/src/handles.h")),
    ("src/kernel.h", include_str!("../cpp/src/kernel.h")),
    ("src/launches.cpp", include_str!("../cpp/src/launches.cpp")),
    ("src/lower.cpp", include_str!("../cpp/src/lower.cpp")),
    ("src/machine.cpp", include_str!("../cpp/src/machine.cpp")),
    ("src/memory.cpp", include_str!("../cpp/src/memory.cpp")),
    ("src/memory.h", include_str!("../cpp/src/memory.h")),
    (
        "src/operator_launch.cpp",
        include_str!("../cpp/src/operator_launch.cpp"),
    ),
    (
        "src/operators.cpp",
        include_str!("../cpp/src/operators.cpp"),
    ),
    ("src/operators.h", include_str!("../cpp/src/operators.h")),
    ("src/platform.cpp", include_str!("../cpp/src/platform.cpp")),
    (
        "src/profiling.cpp",
        include_str!("../cpp/src/profiling.cpp"),
    ),
    ("src/stream.cpp", include_str!("../cpp/src/stream.cpp")),
    ("src/stream.h", include_str!("../cpp/src/stream.h")),
];

#[cfg(test)]
mod tests {
    use super::FILES;
    use std::fs;
    use std::path::Path;

    /// Returns the files below a folder, by their paths below `root`.
    fn below(folder: &Path, root: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path());
        let names = entries.flat_map(|path| match path.is_dir() {
            true => below(&path, root),
            false => vec![path
                .strip_prefix(root)
                .expect("below it")
                .to_str()
                .expect("a name")
                .to_string()],
        });
        names.collect()
    }

    #[test]
    fn the_list_is_the_folder() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp");
        let mut there = below(&root, &root);
        // These are C programs of tests.
        there.retain(|name| !name.starts_with("tests/"));
        there.sort();
        let listed: Vec<_> = FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(listed, there);
    }
}
