//! Direct launch by generated functions: `ascendc_library` and a host program beside it.

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
        file("main.cpp", host(plan)),
        file("run.sh", run(plan)),
        file(format!("{stem}.cpp"), kernel(plan)),
        file(tiling.clone(), data::header(plan)),
        file(
            format!("{stem}_tiling_func.h"),
            func::header(plan, Some(&tiling), &plan.names.data),
        ),
    ]
}

pub(super) fn kernel(plan: &Plan<'_>) -> String {
    let mut out = Cpp::new();
    opening(plan, &mut out);
    device::includes(false, &mut out);
    out.blank();
    out.line(format_args!("#include \"{}_tiling.h\"", plan.names.kernel));
    out.blank();
    device::code(plan, ProjectKind::Direct, &mut out);
    out.finish()
}

fn host(plan: &Plan<'_>) -> String {
    let mut out = Cpp::new();
    out.comment(&format!(
        "Launches the kernel `{}` once: inputs and outputs are files of raw elements.",
        plan.sig.name
    ));
    main::includes(&mut out);
    out.blank();
    out.line("#include \"acl/acl.h\"");
    out.line(platform::INCLUDE);
    out.blank();
    out.line(format_args!(
        "#include \"{}_tiling_func.h\"",
        plan.names.kernel
    ));
    out.blank();
    out.comment("Made by the build, one for each kernel function.");
    for entry in &plan.entries {
        out.line(format_args!("#include \"aclrtlaunch_{}.h\"", entry.name));
    }
    out.blank();
    main::program(plan, ProjectKind::Direct, &mut out);
    out.finish()
}

/// Finds the build functions in the toolkit.
pub(super) const TOOLKIT: &str = r#"set(ASCEND_CANN_PACKAGE_PATH "$ENV{ASCEND_HOME_PATH}" CACHE PATH "Where CANN is installed")
# The place of the build functions differs between releases of CANN.
foreach(part tools/tikcpp/ascendc_kernel_cmake compiler/tikcpp/ascendc_kernel_cmake ascendc_devkit/tikcpp/samples/cmake)
    if(NOT ASCENDC_CMAKE_DIR AND EXISTS "${ASCEND_CANN_PACKAGE_PATH}/${part}/ascendc.cmake")
        set(ASCENDC_CMAKE_DIR "${ASCEND_CANN_PACKAGE_PATH}/${part}")
    endif()
endforeach()
if(NOT ASCENDC_CMAKE_DIR)
    message(FATAL_ERROR "ascendc.cmake not found: source CANN's set_env.sh or set ASCEND_CANN_PACKAGE_PATH")
endif()
"#;

fn cmake(plan: &Plan<'_>) -> String {
    let stem = &plan.names.kernel;
    let soc = plan.chip.soc_version;
    format!(
        r#"cmake_minimum_required(VERSION 3.16)
project({stem} LANGUAGES CXX)

set(SOC_VERSION "{soc}" CACHE STRING "Chip to build for")
set(RUN_MODE "npu" CACHE STRING "npu or sim")
if(NOT RUN_MODE MATCHES "^(npu|sim)$")
    # The CPU build of the toolkit calls kernels another way, through ICPU_RUN_KF.
    message(FATAL_ERROR "RUN_MODE is ${{RUN_MODE}}; this project knows npu and sim. On the CPU: jumar cpp main.cpp {stem}.cpp -- ARGUMENTS")
endif()
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE "Release" CACHE STRING "Release or Debug" FORCE)
endif()
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)

{TOOLKIT}include(${{ASCENDC_CMAKE_DIR}}/ascendc.cmake)

ascendc_library({stem}_kernels SHARED {stem}.cpp)
ascendc_include_directories({stem}_kernels PRIVATE ${{CMAKE_CURRENT_SOURCE_DIR}})
# The kernel prints nothing: without dump support its functions have no hidden parameter.
ascendc_compile_definitions({stem}_kernels PRIVATE -DASCENDC_DUMP=0)

add_executable({stem}_main main.cpp)
target_include_directories({stem}_main PRIVATE ${{ASCEND_CANN_PACKAGE_PATH}}/include)
target_compile_options({stem}_main PRIVATE -Wall -Wextra)
# host_intf_pub brings the include directories and libraries of ACL; the others are what the platform is asked with.
target_link_libraries({stem}_main PRIVATE
    {stem}_kernels $<$<TARGET_EXISTS:host_intf_pub>:host_intf_pub> ascendcl tiling_api register platform dl)
"#
    )
}

fn run(plan: &Plan<'_>) -> String {
    let stem = &plan.names.kernel;
    let soc = plan.chip.soc_version;
    format!(
        r#"#!/bin/bash
# Builds the project and runs the program with the arguments given: ./run.sh {}
set -euo pipefail
cd "$(dirname "${{BASH_SOURCE[0]}}")"
if [ -z "${{ASCEND_HOME_PATH:-}}" ]; then
    echo "ASCEND_HOME_PATH is not set: source CANN's set_env.sh first" >&2
    exit 1
fi
cmake -S . -B build -DSOC_VERSION="${{SOC_VERSION:-{soc}}}" -DRUN_MODE="${{RUN_MODE:-npu}}" \
    -DASCEND_CANN_PACKAGE_PATH="$ASCEND_HOME_PATH"
cmake --build build -j
export LD_LIBRARY_PATH="$PWD/build/lib:$PWD/build:${{LD_LIBRARY_PATH:-}}"
./build/{stem}_main "$@"
"#,
        main::usage(plan)
    )
}

fn readme(plan: &Plan<'_>) -> String {
    let stem = &plan.names.kernel;
    format!(
        "{}## Build and run\n\nNeeds CANN (its `set_env.sh` sourced), CMake 3.16 and a C++17 compiler. `./run.sh ARGUMENTS` \
         builds and runs.\n\n{}\nWithout an NPU the same program runs on the CPU with its accesses checked: \
         `jumar cpp main.cpp {stem}.cpp -- ARGUMENTS`.\n\n## Synchronisation\n\n{}\n\n## Files\n\n| file | content |\n|---|---|\n| `{stem}.cpp` | the kernel: classes, and one kernel \
         function for each tiling key |\n| `{stem}_tiling.h` | tiling data, seen by both sides |\n| `{stem}_tiling_func.h` | shapes and \
         tiling function, plain C++17 |\n| `main.cpp` | the program |\n| `CMakeLists.txt`, `run.sh` | build |\n",
        about(plan, ProjectKind::Direct),
        running(plan),
        order(plan)
    )
}
