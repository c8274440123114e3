//! Direct launch without generated functions: one `.asc` source with kernel and host program,
//! launched with `<<<>>>`.

use super::{about, file, opening, order, running};
use crate::cpp::Cpp;
use crate::host::{data, func, main, platform};
use crate::plan::Plan;
use crate::{device, File, ProjectKind};

pub(super) fn files(plan: &Plan<'_>) -> Vec<File> {
    let stem = &plan.names.kernel;
    let tiling = format!("{stem}_tiling.h");
    vec![
        file("CMakeLists.txt", cmake(plan)),
        file("README.md", readme(plan)),
        file("run.sh", run(plan)),
        file(format!("{stem}.asc"), source(plan)),
        file(tiling.clone(), data::header(plan)),
        file(
            format!("{stem}_tiling_func.h"),
            func::header(plan, Some(&tiling), &plan.names.data),
        ),
    ]
}

fn source(plan: &Plan<'_>) -> String {
    let mut out = Cpp::new();
    opening(plan, &mut out);
    main::includes(&mut out);
    out.blank();
    out.line("#include \"acl/acl.h\"");
    device::includes(false, &mut out);
    out.line(platform::INCLUDE);
    out.blank();
    out.line(format_args!("#include \"{}_tiling.h\"", plan.names.kernel));
    out.line(format_args!(
        "#include \"{}_tiling_func.h\"",
        plan.names.kernel
    ));
    out.blank();
    device::code(plan, ProjectKind::Asc, &mut out);
    out.blank();
    out.comment("Host program: inputs and outputs are files of raw elements.");
    main::program(plan, ProjectKind::Asc, &mut out);
    out.finish()
}

fn cmake(plan: &Plan<'_>) -> String {
    let stem = &plan.names.kernel;
    let arch = plan.chip.npu_arch;
    format!(
        r#"cmake_minimum_required(VERSION 3.16)

# Must be set before ASC is looked for.
set(CMAKE_ASC_ARCHITECTURES "{arch}" CACHE STRING "NPU architecture")
find_package(ASC REQUIRED)
project({stem} LANGUAGES ASC CXX)

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)

add_executable({stem}_main {stem}.asc)
target_include_directories({stem}_main PRIVATE ${{CMAKE_CURRENT_SOURCE_DIR}})
# What the platform is asked with.
target_link_libraries({stem}_main PRIVATE tiling_api register platform m dl)
# The second is an option that turns automatic synchronisation on (BiSheng Compiler, compilation options); operator builds give it by
# themselves.
target_compile_options({stem}_main PRIVATE
    $<$<COMPILE_LANGUAGE:ASC>:--npu-arch=${{CMAKE_ASC_ARCHITECTURES}}>
    $<$<COMPILE_LANGUAGE:ASC>:--cce-auto-sync>)
"#
    )
}

fn run(plan: &Plan<'_>) -> String {
    let stem = &plan.names.kernel;
    format!(
        r#"#!/bin/bash
# Builds the project and runs the program with the arguments given: ./run.sh {}
set -euo pipefail
cd "$(dirname "${{BASH_SOURCE[0]}}")"
if [ -z "${{ASCEND_HOME_PATH:-}}" ]; then
    echo "ASCEND_HOME_PATH is not set: source CANN's set_env.sh first" >&2
    exit 1
fi
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release
cmake --build build -j
./build/{stem}_main "$@"
"#,
        main::usage(plan)
    )
}

fn readme(plan: &Plan<'_>) -> String {
    let stem = &plan.names.kernel;
    format!(
        "{}## Build and run\n\nNeeds CANN (its `set_env.sh` sourced) and CMake 3.16. `./run.sh ARGUMENTS` builds and runs.\n\n{}\n\
         Without an NPU the same program runs on the CPU with its accesses checked: `jumar cpp {stem}.asc -- ARGUMENTS`.\n\n\
         ## Synchronisation\n\n{}\n\n## Files\n\n| file | content |\n|---|---|\n| `{stem}.asc` | kernel classes, one kernel function for each tiling key, host \
         program |\n| `{stem}_tiling.h` | tiling data |\n| `{stem}_tiling_func.h` | shapes and tiling function, plain C++17 |\n| \
         `CMakeLists.txt`, `run.sh` | build |\n",
        about(plan, ProjectKind::Asc),
        running(plan),
        order(plan)
    )
}
