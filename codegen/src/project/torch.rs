//! A PyTorch extension: the kernel as a library of CANN 8.x, and an operator of PyTorch. The
//! operator launches it on the current stream of `torch_npu`.
//!
//! The kernel is built by `ascendc_library`, not as an `.asc` source. The C++ that includes PyTorch
//! needs the compiler and the standard library of PyTorch's build, and toolkits of 8.x and 9.x both
//! have this function.

use super::{about, direct, file, order, torch_test};
use crate::host::torch::{header, meta, npu, Interface, Language, Param};
use crate::host::{data, func};
use crate::plan::Plan;
use crate::{File, ProjectKind};

pub(super) fn files(plan: &Plan<'_>) -> Vec<File> {
    let (api, stem) = (Interface::new(plan), &plan.names.kernel);
    let tiling = format!("{stem}_tiling.h");
    let (package, test) = (&api.namespace, format!("tests/test_{stem}.py"));
    vec![
        file("CMakeLists.txt", cmake(&api)),
        file("README.md", readme(&api)),
        file(format!("csrc/{stem}.cpp"), direct::kernel(plan)),
        file(format!("csrc/{stem}_meta.cpp"), meta(&api)),
        file(format!("csrc/{stem}_npu.cpp"), npu(&api)),
        file(format!("csrc/{tiling}"), data::header(plan)),
        file(
            format!("csrc/{stem}_tiling_func.h"),
            func::header(plan, Some(&tiling), &plan.names.data),
        ),
        file(format!("csrc/{stem}_torch.h"), header(&api)),
        file(format!("{package}/__init__.py"), package_text(&api)),
        file("setup.py", setup(&api)),
        file(test, torch_test::text(&api)),
    ]
}

fn cmake(api: &Interface<'_>) -> String {
    let (stem, library) = (&api.plan.names.kernel, &api.namespace);
    let soc = api.plan.chip.soc_version;
    let toolkit = direct::TOOLKIT;
    format!(
        r#"cmake_minimum_required(VERSION 3.18)
project({library} LANGUAGES CXX)

option(WITH_NPU "Build the kernel and its launch; else schema and shape function alone" ON)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE "Release" CACHE STRING "Release or Debug" FORCE)
endif()

find_package(Python3 REQUIRED COMPONENTS Interpreter)
function(ask_python variable code)
    execute_process(COMMAND "${{Python3_EXECUTABLE}}" -c "${{code}}" OUTPUT_VARIABLE answer
        OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${{Python3_EXECUTABLE}} cannot say: ${{code}}")
    endif()
    set(${{variable}} "${{answer}}" PARENT_SCOPE)
endfunction()
ask_python(TORCH_FOLDER "import os, torch; print(os.path.dirname(torch.__file__))")
ask_python(TORCH_CXX11_ABI "import torch; print(int(torch.compiled_with_cxx11_abi()))")

add_library({library} SHARED csrc/{stem}_meta.cpp)
target_include_directories({library} PRIVATE ${{CMAKE_CURRENT_SOURCE_DIR}}/csrc)
target_include_directories({library} SYSTEM PRIVATE
    ${{TORCH_FOLDER}}/include ${{TORCH_FOLDER}}/include/torch/csrc/api/include)
target_compile_definitions({library} PRIVATE _GLIBCXX_USE_CXX11_ABI=${{TORCH_CXX11_ABI}})
target_compile_options({library} PRIVATE -Wall -Wextra)
target_link_directories({library} PRIVATE ${{TORCH_FOLDER}}/lib)
target_link_libraries({library} PRIVATE torch torch_cpu c10)
set_target_properties({library} PROPERTIES BUILD_RPATH "$ORIGIN;${{TORCH_FOLDER}}/lib" LIBRARY_OUTPUT_DIRECTORY ${{CMAKE_BINARY_DIR}}/lib)

if(NOT WITH_NPU)
    return()
endif()

{toolkit}
ask_python(TORCH_NPU_FOLDER "import os, torch_npu; print(os.path.dirname(torch_npu.__file__))")

# A toolkit of 9.x makes the headers of launches only where it is told to.
set(ENABLE_ACLRT_LAUNCH ON)
set(SOC_VERSION "{soc}" CACHE STRING "Chip to build for")
set(RUN_MODE "npu")
include(${{ASCENDC_CMAKE_DIR}}/ascendc.cmake)

ascendc_library({stem}_kernels SHARED csrc/{stem}.cpp)
ascendc_include_directories({stem}_kernels PRIVATE ${{CMAKE_CURRENT_SOURCE_DIR}}/csrc)
# The kernel prints nothing: without dump support its functions have no hidden parameter.
ascendc_compile_definitions({stem}_kernels PRIVATE -DASCENDC_DUMP=0)

target_sources({library} PRIVATE csrc/{stem}_npu.cpp)
target_include_directories({library} SYSTEM PRIVATE ${{ASCEND_CANN_PACKAGE_PATH}}/include ${{TORCH_NPU_FOLDER}}/include)
target_link_directories({library} PRIVATE ${{TORCH_NPU_FOLDER}}/lib)
target_link_libraries({library} PRIVATE
    {stem}_kernels $<$<TARGET_EXISTS:host_intf_pub>:host_intf_pub> torch_npu ascendcl tiling_api register platform dl)
"#
    )
}

fn setup(api: &Interface<'_>) -> String {
    let (stem, package, soc) = (
        &api.plan.names.kernel,
        &api.namespace,
        api.plan.chip.soc_version,
    );
    format!(
        r#""""Builds the libraries of `{package}` by CMake and packs them: `pip install --no-build-isolation .`

SOC_VERSION in the environment names another chip than {soc}, WITH_NPU=OFF leaves the kernel out.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

HERE = Path(__file__).resolve().parent
PACKAGE = "{package}"
LIBRARIES = ["lib{package}.so", "lib{stem}_kernels.so"]


class Build(build_py):
    """Copies the libraries beside the module."""

    def run(self):
        super().run()
        build = HERE / "build" / "cmake"
        with_npu = os.environ.get("WITH_NPU", "ON")
        subprocess.check_call([
            "cmake", "-S", str(HERE), "-B", str(build), f"-DPython3_EXECUTABLE={{sys.executable}}",
            f"-DWITH_NPU={{with_npu}}", f"-DSOC_VERSION={{os.environ.get('SOC_VERSION', '{soc}')}}",
        ])
        subprocess.check_call(["cmake", "--build", str(build), "-j"])
        wanted = LIBRARIES if with_npu == "ON" else LIBRARIES[:1]
        for name in wanted:
            found = sorted(build.rglob(name))
            if not found:
                raise RuntimeError(f"the build has made no {{name}}")
            shutil.copy2(found[0], Path(self.build_lib) / PACKAGE / name)


class Binary(Distribution):
    """The package holds machine code."""

    def has_ext_modules(self):
        return True


setup(name=PACKAGE, version="0.1.0", packages=[PACKAGE], cmdclass={{"build_py": Build}}, distclass=Binary)
"#
    )
}

/// Returns the parameters of the function in Python, with their defaults.
fn python_params(api: &Interface<'_>) -> String {
    let params = api.params();
    let one = |(i, param): (usize, &Param<'_>)| match param {
        Param::Tensor(t) if t.is_optional && params[i..].iter().all(|p| p.has_default()) => {
            format!("{}=None", t.name)
        }
        Param::Tensor(t) => t.name.clone(),
        Param::Attr(a) => format!("{}{}", a.name, api.default(a, Language::Python)),
        Param::Asked(t) => format!("{}=True", t.name),
    };
    params
        .iter()
        .enumerate()
        .map(one)
        .collect::<Vec<_>>()
        .join(", ")
}

fn package_text(api: &Interface<'_>) -> String {
    let (stem, package) = (&api.plan.names.kernel, &api.namespace);
    let params = python_params(api);
    let passed: Vec<String> = api
        .params()
        .iter()
        .map(|param| param.name().to_string())
        .collect();
    let doc: Vec<String> = api
        .plan
        .sig
        .doc
        .trim()
        .lines()
        .map(|line| line.trim().replace('\\', "\\\\").replace('"', "'"))
        .collect();
    let doc = if doc.is_empty() {
        format!("The kernel `{stem}`.")
    } else {
        doc.join("\n    ").replace("\n    \n", "\n\n")
    };
    let written: Vec<String> = api
        .given()
        .filter(|t| t.way == crate::host::torch::Way::Written)
        .map(|t| format!("`{}`", t.name))
        .collect();
    let written = match written.is_empty() {
        true => String::new(),
        false => format!("\n\n    Written in place: {}.", written.join(", ")),
    };
    let schema = api.schema();
    format!(
        r#""""The kernel `{stem}` as an operator of PyTorch: `{package}.{stem}` and `torch.ops.{package}.{stem}`."""
from pathlib import Path

import torch

try:
    import torch_npu  # noqa: F401  The library of launches links to it.
except ImportError:
    torch_npu = None  # Tensors of the meta device have shapes without it.

torch.ops.load_library(str(Path(__file__).with_name("lib{package}.so")))

SCHEMA = "{package}::{}"


def {stem}({params}):
    """{doc}{written}
    """
    return torch.ops.{package}.{stem}({})


__all__ = ["{stem}", "SCHEMA"]
"#,
        schema.replace('\\', "\\\\").replace('"', "\\\""),
        passed.join(", ")
    )
}

fn readme(api: &Interface<'_>) -> String {
    let (stem, package) = (&api.plan.names.kernel, &api.namespace);
    format!(
        "{}## Build and use\n\nNeeds PyTorch with `torch_npu`, CANN (its `set_env.sh` sourced), CMake 3.18 and a C++17 compiler.\n\n```\n\
         pip install --no-build-isolation .\npython -m unittest discover tests\n```\n\n```python\nimport torch, torch_npu\nimport {package}\n\n\
         {package}.{stem}({})\n```\n\nThe operator is `{package}::{}`. It runs on the current stream and waits for nothing. Inputs that are views are \
         made contiguous, tensors that it writes must be. It has no derivative: wrap it in a `torch.autograd.Function` for training. The shape function is \
         for tensors whose sizes are numbers: `torch.compile` with `dynamic=False`.\n\nWithout an NPU `WITH_NPU=OFF pip install --no-build-isolation .` builds \
         schema and shape function alone, and the tests of shapes run.\n\n## Synchronisation\n\n{}\n\n## Files\n\n| file | content |\n|---|---|\n\
         | `csrc/{stem}.cpp` | the kernel: classes, and one kernel function for each tiling key |\n| `csrc/{stem}_tiling.h`, \
         `csrc/{stem}_tiling_func.h` | tiling data; shapes and tiling function, plain C++17 |\n| `csrc/{stem}_torch.h` | what is checked of tensors, and \
         the shapes of outputs |\n| `csrc/{stem}_meta.cpp` | schema and shape function, PyTorch alone |\n| `csrc/{stem}_npu.cpp` | the launch |\n\
         | `{package}/__init__.py` | the Python function |\n| `tests/test_{stem}.py` | shapes on the meta device, values on the NPU |\n\
         | `CMakeLists.txt`, `setup.py` | build |\n",
        about(api.plan, ProjectKind::Torch),
        python_params(api),
        api.schema(),
        order(api.plan)
    )
}
