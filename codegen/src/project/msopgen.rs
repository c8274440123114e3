//! A custom operator: `op_host` and `op_kernel` with the CMake functions that CANN ships for
//! operator projects.
//!
//! For a toolkit without these functions, msopgen makes the project from the description
//! `<op>.json`; the sources go into it unchanged.

use super::{about, file, opening, order};
use crate::cpp::Cpp;
use crate::host::{client, data, func, main, register, rust_client};
use crate::plan::Plan;
use crate::{device, File, ProjectKind};

pub(super) fn files(plan: &Plan<'_>) -> Vec<File> {
    let stem = &plan.names.op_stem;
    let mut files = vec![
        file("CMakeLists.txt", CMAKE),
        file("CMakePresets.json", presets(plan)),
        file("README.md", readme(plan)),
        file("build.sh", BUILD),
        file("examples/CMakeLists.txt", client_cmake(plan)),
        file("examples/main.cpp", client::source(plan)),
        file("op_host/CMakeLists.txt", HOST_CMAKE),
        file(format!("op_host/{stem}.cpp"), register::source(plan)),
        file(
            format!("op_host/{stem}_tiling.h"),
            register::tiling_header(plan),
        ),
        file(
            format!("op_host/{stem}_tiling_func.h"),
            func::header(plan, None, register::PLAIN_DATA),
        ),
        file("op_kernel/CMakeLists.txt", kernel_cmake(plan)),
        file(format!("op_kernel/{stem}.cpp"), kernel(plan)),
        file(format!("{stem}.json"), register::description(plan)),
    ];
    if let Some(client) = rust_client::source(plan) {
        files.insert(
            6,
            file("examples/rust/Cargo.toml", rust_client::manifest(plan)),
        );
        files.insert(7, file("examples/rust/src/main.rs", client));
    }
    files
}

fn kernel(plan: &Plan<'_>) -> String {
    let mut out = Cpp::new();
    opening(plan, &mut out);
    out.line("//");
    let declared = if plan.items {
        &plan.names.items
    } else {
        &plan.names.data
    };
    out.comment(&format!(
        "The build declares {declared} from what op_host registers."
    ));
    device::includes(plan.items, &mut out);
    out.blank();
    if plan.items {
        out.comment("What the host decided for one item.");
        data::plain(plan, &plan.names.data, &mut out);
        out.blank();
    }
    device::code(plan, ProjectKind::Msopgen, &mut out);
    out.finish()
}

const CMAKE: &str = r#"cmake_minimum_required(VERSION 3.16)
project(opp)

find_package(ASC REQUIRED HINTS ${ASCEND_CANN_PACKAGE_PATH}/compiler/tikcpp/ascendc_kernel_cmake)

set(package_name ${vendor_name})
set(ASCEND_AUTOGEN_PATH ${CMAKE_BINARY_DIR}/autogen)
set(package_type RUN)
if(ASCEND_PACK_SHARED_LIBRARY)
    # A library to link with, in place of a package to install.
    set(package_type SHARED)
endif()
npu_op_package(${package_name}
    TYPE ${package_type}
    CONFIG
        ENABLE_SOURCE_PACKAGE ${ENABLE_SOURCE_PACKAGE}
        ENABLE_BINARY_PACKAGE ${ENABLE_BINARY_PACKAGE}
        INSTALL_PATH ${CMAKE_BINARY_DIR}/
)

add_subdirectory(op_host)
add_subdirectory(op_kernel)
"#;

const HOST_CMAKE: &str = r#"aux_source_directory(${CMAKE_CURRENT_SOURCE_DIR} operator_sources)

npu_op_code_gen(
    SRC ${operator_sources}
    PACKAGE ${package_name}
    OUT_DIR ${ASCEND_AUTOGEN_PATH}
)

file(GLOB aclnn_sources ${ASCEND_AUTOGEN_PATH}/aclnn_*.cpp)
file(GLOB proto_sources ${ASCEND_AUTOGEN_PATH}/op_proto.cc)
file(GLOB fallback_sources ${ASCEND_AUTOGEN_PATH}/fallback_*.cpp)
set_source_files_properties(${aclnn_sources} ${proto_sources} ${fallback_sources} PROPERTIES GENERATED TRUE)

npu_op_library(cust_opapi ACLNN ${aclnn_sources})
npu_op_library(cust_op_proto GRAPH ${operator_sources} ${proto_sources})
npu_op_library(cust_optiling TILING ${operator_sources} ${fallback_sources})
foreach(library cust_opapi cust_op_proto cust_optiling)
    target_compile_options(${library} PRIVATE -fvisibility=hidden)
endforeach()

npu_op_package_add(${package_name} LIBRARY cust_optiling cust_opapi cust_op_proto)
"#;

fn kernel_cmake(plan: &Plan<'_>) -> String {
    format!(
        r#"npu_op_kernel_sources(ascendc_kernels
    OP_TYPE {}
    KERNEL_FILE {}.cpp
)
npu_op_kernel_library(ascendc_kernels
    SRC_BASE ${{CMAKE_SOURCE_DIR}}/op_kernel/
    TILING_LIBRARY cust_optiling
)
npu_op_package_add(${{package_name}} LIBRARY ascendc_kernels)
"#,
        plan.names.op, plan.names.op_stem
    )
}

fn client_cmake(plan: &Plan<'_>) -> String {
    format!(
        r#"cmake_minimum_required(VERSION 3.16)
project({0}_example LANGUAGES CXX)

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(ASCEND_CANN_PACKAGE_PATH "$ENV{{ASCEND_HOME_PATH}}" CACHE PATH "Where CANN is installed")
set(vendor_name "customize" CACHE STRING "Vendor that the operator was installed under")
set(OPP_FOLDER "$ENV{{ASCEND_OPP_PATH}}/vendors/${{vendor_name}}")
# Packages that were installed with --install-path: set_env.bash of each puts its folder in front.
string(REPLACE ":" ";" custom_folders "$ENV{{ASCEND_CUSTOM_OPP_PATH}}")
foreach(folder IN LISTS custom_folders)
    if(EXISTS "${{folder}}/op_api/include/aclnn_{0}.h")
        set(OPP_FOLDER "${{folder}}")
        break()
    endif()
endforeach()
set(OPERATOR_PATH "${{OPP_FOLDER}}" CACHE PATH "Folder with op_api of the installed operator")

add_executable({0}_example main.cpp)
target_include_directories({0}_example PRIVATE ${{CMAKE_CURRENT_SOURCE_DIR}}/../op_host)
target_include_directories({0}_example SYSTEM PRIVATE ${{ASCEND_CANN_PACKAGE_PATH}}/include ${{OPERATOR_PATH}}/op_api/include)
target_compile_options({0}_example PRIVATE -Wall -Wextra)
target_link_directories({0}_example PRIVATE ${{ASCEND_CANN_PACKAGE_PATH}}/lib64 ${{OPERATOR_PATH}}/op_api/lib)
target_link_libraries({0}_example PRIVATE cust_opapi nnopbase ascendcl dl)
"#,
        plan.names.op_stem
    )
}

fn presets(plan: &Plan<'_>) -> String {
    let units = plan.units.join(";");
    let variables = [
        ("CMAKE_BUILD_TYPE", "STRING", "Release"),
        ("ENABLE_SOURCE_PACKAGE", "BOOL", "True"),
        ("ENABLE_BINARY_PACKAGE", "BOOL", "True"),
        ("ASCEND_COMPUTE_UNIT", "STRING", units.as_str()),
        ("vendor_name", "STRING", "customize"),
        ("ASCEND_CANN_PACKAGE_PATH", "PATH", "$env{ASCEND_HOME_PATH}"),
        ("ENABLE_TEST", "BOOL", "False"),
        ("ASCEND_PYTHON_EXECUTABLE", "STRING", "python3"),
        ("CMAKE_INSTALL_PREFIX", "PATH", "${sourceDir}/build_out"),
        ("ENABLE_CROSS_COMPILE", "BOOL", "False"),
        (
            "CMAKE_CROSS_PLATFORM_COMPILER",
            "PATH",
            "/usr/bin/aarch64-linux-gnu-g++",
        ),
        ("ASCEND_PACK_SHARED_LIBRARY", "BOOL", "False"),
    ];
    let rows: Vec<_> = variables
        .iter()
        .map(|(name, ty, value)| {
            format!("                \"{name}\": {{ \"type\": \"{ty}\", \"value\": \"{value}\" }}")
        })
        .collect();
    format!(
        r#"{{
    "version": 1,
    "cmakeMinimumRequired": {{ "major": 3, "minor": 19, "patch": 0 }},
    "configurePresets": [
        {{
            "name": "default",
            "generator": "Unix Makefiles",
            "binaryDir": "${{sourceDir}}/build_out",
            "cacheVariables": {{
{}
            }}
        }}
    ]
}}
"#,
        rows.join(",\n")
    )
}

const BUILD: &str = r##"#!/bin/bash
# Builds the installable package, build_out/custom_opp_<os>_<arch>.run; where ASCEND_PACK_SHARED_LIBRARY is True, a library below build_out.
# Variables stand in CMakePresets.json.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
if [ -z "${ASCEND_HOME_PATH:-}" ]; then
    echo "ASCEND_HOME_PATH is not set: source CANN's set_env.sh first" >&2
    exit 1
fi

is_true() {
    python3 - "$1" <<'END'
import json
import sys

variables = json.load(open("CMakePresets.json"))["configurePresets"][0]["cacheVariables"]
sys.exit(str(variables[sys.argv[1]]["value"]).lower() not in ("true", "on", "1"))
END
}

options=()
if is_true ENABLE_CROSS_COMPILE && is_true ENABLE_BINARY_PACKAGE; then
    # Kernels are compiled with what the tiling function says, which runs here: its library is built for this machine first.
    cmake -S . -B build_native --preset=default -DENABLE_CROSS_COMPILE=False
    cmake --build build_native --target cust_optiling -j
    tiling="$(find "$PWD/build_native" -name 'libcust_opmaster_rt2.0.so' -print -quit)"
    if [ -z "$tiling" ]; then
        echo "the tiling library libcust_opmaster_rt2.0.so was not built in build_native" >&2
        exit 1
    fi
    options+=("-DHOST_NATIVE_TILING_LIB=$tiling")
fi
target=package
if is_true ASCEND_PACK_SHARED_LIBRARY; then
    target=install
fi
cmake -S . -B build_out --preset=default ${options[@]+"${options[@]}"}
cmake --build build_out --target binary -j
cmake --build build_out --target "$target" -j
"##;

fn readme(plan: &Plan<'_>) -> String {
    let op = &plan.names.op;
    let stem = &plan.names.op_stem;
    let soc = plan.chip.soc_version;
    let renamed: Vec<_> = plan
        .sig
        .attrs()
        .filter(|(id, ..)| {
            plan.sig.part(*id).is_none()
                && plan.names.op_attrs[id.index()] != plan.names.attrs[id.index()]
        })
        .filter_map(|(id, p, _, _)| {
            Some(format!(
                "`{}` is `{}`",
                p.name,
                plan.names.op_attrs[id.index()].as_ref()?
            ))
        })
        .collect();
    let renamed = match renamed.is_empty() {
        true => String::new(),
        false => format!(
            " Attributes whose names the operator build keeps for itself have others: {}.",
            renamed.join(", ")
        ),
    };
    format!(
        "{}## Build and install\n\nNeeds CANN with the operator project functions of `find_package(ASC)` (its `set_env.sh` sourced) and \
         CMake 3.19.\n\n```\n./build.sh\n./build_out/custom_opp_*.run\n```\n\nPrograms find the operator with \
         `export LD_LIBRARY_PATH=$ASCEND_OPP_PATH/vendors/customize/op_api/lib:$LD_LIBRARY_PATH`; where the package was installed with \
         `--install-path=DIR`, with `source DIR/vendors/customize/bin/set_env.bash`.\n\nVariables stand in `CMakePresets.json`: `vendor_name`, \
         `ASCEND_COMPUTE_UNIT`, and with `ASCEND_PACK_SHARED_LIBRARY` a library below `build_out` in place of the package. For another processor set \
         `ENABLE_CROSS_COMPILE`, and `CMAKE_CROSS_PLATFORM_COMPILER` to its compiler: the tiling library is then built for this machine first.\n\n\
         With an older toolkit let msopgen make the project and put the \
         sources into it:\n\n```\nmsopgen gen -i {stem}.json -c ai_core-{soc} -lan cpp -out project\ncp op_host/{stem}* project/op_host/\n\
         cp op_kernel/{stem}.cpp project/op_kernel/\n(cd project && ./build.sh)\n```\n\n## Call\n\n`aclnn{op}GetWorkspaceSize` and `aclnn{op}` \
         of `aclnn_{stem}.h`; arguments are the inputs, the attributes, the outputs.{renamed} `jumar emit --op-type NAME` gives it \
         another type; an operator of that type that CANN brings would be hidden.\n\n`examples/` has a program that calls it once, with files for tensors:\n\n```\ncmake -S examples -B build_example && cmake --build build_example\n\
         ./build_example/{stem}_example {}\n```\n\n{}Without an NPU tiling function and kernel run on the CPU with their accesses checked: \
         `jumar cpp op_kernel/{stem}.cpp --host op_host/{stem}.cpp`, with `--arg NAME=@FILE.npy` for each input, `--out NAME=@FILE.npy` \
         for each output and `--attr NAME=VALUE`.\n\n## Synchronisation\n\n{}\n\n## Files\n\n| file | content |\n|---|---|\n| `op_kernel/{stem}.cpp` | the kernel |\n| `op_host/{stem}.cpp` | \
         tiling, shape and dtype inference, definition |\n| `op_host/{stem}_tiling.h` | registered tiling data |\n| \
         `op_host/{stem}_tiling_func.h` | shapes and tiling function, plain C++17 |\n| `{stem}.json` | description for msopgen |\n\
         | `examples/` | programs that call the operator |\n",
        about(plan, ProjectKind::Msopgen),
        main::usage(plan),
        of_rust(plan),
        order(plan)
    )
}

/// Returns the README's words about the program in Rust.
fn of_rust(plan: &Plan<'_>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    if rust_client::source(plan).is_none() {
        return "A call from Rust has at most 16 arguments, and this operator has more: there is no program in Rust.\n\n".into();
    }
    format!(
        "`examples/rust/` is the same program in Rust; shapes of outputs are given, too. It uses `jumar-acl` {version} of jumar, whose clone the build \
         names (`DIR`); CANN is looked for when it runs.\n\n```\ncargo build --release --manifest-path examples/rust/Cargo.toml \\\n    \
         --config 'patch.crates-io.jumar-acl.path=\"DIR/runtime/acl\"'\nexamples/rust/target/release/{}\n```\n\n",
        rust_client::usage(plan)
    )
}
