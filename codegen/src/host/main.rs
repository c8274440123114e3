//! The program that launches the kernel once: it reads inputs from files, computes the tiling,
//! launches, writes outputs.
//!
//! One text serves `main.cpp` and the host part of an `.asc` source; only the launch statement
//! differs. Every ACL call is checked, and every resource is released on each way out.

use super::{attrs, platform};
use crate::cpp::Cpp;
use crate::names;
use crate::plan::Plan;
use crate::ProjectKind;
use jumar_dsl::ir::{Dim, ParamId, Per, Role, ScalarTy};
use jumar_dsl::scalar::Value;

/// Returns the call of the program, for its usage line and the README.
pub(crate) fn usage(plan: &Plan<'_>) -> String {
    words(plan, true)
}

/// Returns the words of a command line. A program that infers no shapes also takes those of
/// outputs.
pub(crate) fn words(plan: &Plan<'_>, infers: bool) -> String {
    let mut words = Vec::new();
    if !plan.sig.dtypes.is_empty() {
        let choices: Vec<_> = plan
            .instances
            .iter()
            .map(|l| names::dtypes(l.binding()))
            .collect();
        words.push(format!("--dtype {}", choices.join("|")));
    }
    for (at, (id, role, name)) in plan.tensors.iter().enumerate() {
        let shape = format!("{name}={}", example_shape(plan, at, *id));
        words.push(
            if (infers && *role == Role::Out) || plan.sig.is_optional(*id) {
                format!("[{shape}]")
            } else {
                shape
            },
        );
    }
    for (id, _, default) in told(plan) {
        let member = plan.names.attr(id);
        let choices = plan.sig.choices(id);
        let value = match plan.example().and_then(|example| example.attrs[id.index()]) {
            _ if !choices.is_empty() => choices.join("|"),
            Some(value) => value.to_string(),
            None => "VALUE".to_string(),
        };
        let word = format!("{member}={value}");
        words.push(if default.is_some() {
            format!("[{word}]")
        } else {
            word
        });
    }
    words.push("[--device N]".into());
    words.join(" ")
}

/// Returns sizes that fit those of the other tensors: `32x1024`. Without a launch the axes are
/// named.
fn example_shape(plan: &Plan<'_>, at: usize, id: ParamId) -> String {
    let name = |dim: &Dim| {
        dim.axis()
            .map_or("size", |axis| &plan.sig.axes[axis.index()].name)
            .to_string()
    };
    let sizes: Vec<String> = match plan.example() {
        Some(example) => example.shapes[at].iter().map(usize::to_string).collect(),
        None => plan.sig.shape(id).iter().map(name).collect(),
    };
    sizes.join("x")
}

/// Prints the includes that the program needs besides those of the project.
pub(crate) fn includes(out: &mut Cpp) {
    for header in [
        "algorithm",
        "cstdint",
        "cstdio",
        "cstdlib",
        "cstring",
        "set",
        "string",
        "vector",
    ] {
        out.line(format_args!("#include <{header}>"));
    }
}

/// Prints everything after the includes.
pub(crate) fn program(plan: &Plan<'_>, kind: ProjectKind, out: &mut Cpp) {
    out.line("namespace {");
    checks(out);
    files(out);
    parsing(plan, out);
    resources(kind, out);
    out.blank();
    platform::chip_of(plan, out);
    out.blank();
    launch(plan, kind, out);
    out.blank();
    run(plan, out);
    out.line("} // namespace");
    out.blank();
    main_function(plan, out);
}

pub(super) fn checks(out: &mut Cpp) {
    out.function("bool Failed(aclError code, const char *call)", |out| {
        out.block("if (code == ACL_SUCCESS)", |out| out.line("return false;"));
        out.line("const char *text = aclGetRecentErrMsg();");
        out.stmt(
            "std::fprintf(stderr, \"%s failed with code %d: %s\\n\", call, static_cast<int>(code), text != nullptr ? text : \"\")",
        );
        out.line("return true;");
    });
    out.blank();
    let lines = [
        "#define RETURN_IF_FAILED(call)",
        "    do {",
        "        if (Failed(call, #call)) {",
        "            return false;",
        "        }",
    ];
    lines
        .iter()
        .for_each(|l| out.line(format_args!("{l:<36}\\")));
    out.line("    } while (0)");
}

pub(super) fn files(out: &mut Cpp) {
    out.blank();
    out.function("bool ReadFile(const std::string &path, std::vector<uint8_t> &bytes)", |out| {
        out.line("std::FILE *file = std::fopen(path.c_str(), \"rb\");");
        out.block("if (file == nullptr)", |out| {
            out.line("std::fprintf(stderr, \"%s cannot be read\\n\", path.c_str());");
            out.line("return false;");
        });
        out.line("const size_t got = std::fread(bytes.data(), 1, bytes.size(), file);");
        out.line("const bool more = std::fgetc(file) != EOF;");
        out.line("std::fclose(file);");
        out.block("if (got != bytes.size() || more)", |out| {
            out.line("std::fprintf(stderr, \"%s must hold exactly %zu bytes\\n\", path.c_str(), bytes.size());");
            out.line("return false;");
        });
        out.line("return true;");
    });
    out.blank();
    out.function("bool WriteFile(const std::string &path, const std::vector<uint8_t> &bytes)", |out| {
        out.line("std::FILE *file = std::fopen(path.c_str(), \"wb\");");
        out.line("const bool opened = file != nullptr;");
        out.line("const bool written = opened && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();");
        out.line("const bool closed = opened && std::fclose(file) == 0;");
        out.block("if (!written || !closed)", |out| {
            out.line("std::fprintf(stderr, \"%s cannot be written\\n\", path.c_str());");
            out.line("return false;");
        });
        out.line("return true;");
    });
}

pub(super) fn parsing(plan: &Plan<'_>, out: &mut Cpp) {
    out.blank();
    out.comment("`32x1024` as a list of sizes; nothing as a single element without axes.");
    out.function("bool ParseShape(const std::string &text, std::vector<int64_t> &shape)", |out| {
        out.line("shape.clear();");
        out.line("for (const char *at = text.c_str(); *at != '\\0';) {");
        out.line("    char *end = nullptr;");
        out.line("    const long long size = std::strtoll(at, &end, 10);");
        out.line("    if (end == at || size < 0 || (*end != 'x' && *end != '\\0') || (*end == 'x' && end[1] == '\\0')) {");
        out.line("        return false;");
        out.line("    }");
        out.line("    shape.push_back(size);");
        out.line("    at = *end == 'x' ? end + 1 : end;");
        out.line("}");
        out.line("return true;");
    });
    let of: Vec<_> = plan.sig.attrs().collect();
    if of.iter().any(|a| matches!(a.2, ScalarTy::F32)) {
        out.blank();
        out.function(
            "bool ParseNumber(const std::string &text, float &value)",
            |out| {
                out.line("char *end = nullptr;");
                out.line("value = std::strtof(text.c_str(), &end);");
                out.line("return !text.empty() && *end == '\\0';");
            },
        );
    }
    attrs::parse_choice(plan, out);
    if of.iter().any(|a| plan.sig.is_whole(a.0)) {
        out.blank();
        out.line("template <typename Integer>");
        out.function(
            "bool ParseInteger(const std::string &text, Integer &value)",
            |out| {
                out.line("char *end = nullptr;");
                out.line("const long long parsed = std::strtoll(text.c_str(), &end, 10);");
                out.line("value = static_cast<Integer>(parsed);");
                out.line("return !text.empty() && *end == '\\0' && value == parsed;");
            },
        );
    }
    if of.iter().any(|a| matches!(a.2, ScalarTy::Bool)) {
        out.blank();
        out.function(
            "bool ParseBool(const std::string &text, bool &value)",
            |out| {
                out.line("value = text == \"true\";");
                out.line("return value || text == \"false\";");
            },
        );
    }
    out.blank();
    out.function(
        "int64_t ElementCount(const std::vector<int64_t> &shape)",
        |out| {
            out.line("int64_t count = 1;");
            out.block("for (int64_t size : shape)", |out| {
                out.line("count *= size;")
            });
            out.line("return count;");
        },
    );
}

pub(super) fn resources(kind: ProjectKind, out: &mut Cpp) {
    out.blank();
    out.comment("ACL, one device and one stream, given back in the reverse order.");
    out.line("class Session {");
    out.line("public:");
    out.inside(|out| {
        out.line("Session() = default;");
        out.line("Session(const Session &) = delete;");
        out.line("Session &operator=(const Session &) = delete;");
        out.function("~Session()", |out| {
            out.block("if (stream_ != nullptr)", |out| {
                out.line("(void)aclrtDestroyStream(stream_);")
            });
            out.block("if (deviceSet_)", |out| {
                out.line("(void)aclrtResetDevice(deviceId_);")
            });
            out.block("if (started_)", |out| out.line("(void)aclFinalize();"));
        });
        out.function("bool Open(int32_t deviceId)", |out| {
            out.line("RETURN_IF_FAILED(aclInit(nullptr));");
            out.line("started_ = true;");
            out.line("deviceId_ = deviceId;");
            out.line("RETURN_IF_FAILED(aclrtSetDevice(deviceId_));");
            out.line("deviceSet_ = true;");
            out.line("RETURN_IF_FAILED(aclrtCreateStream(&stream_));");
            out.line("return true;");
        });
        out.function("aclrtStream Stream() const", |out| {
            out.line("return stream_;")
        });
    });
    out.blank();
    out.line("private:");
    out.inside(|out| {
        out.line("aclrtStream stream_ = nullptr;");
        out.line("int32_t deviceId_ = 0;");
        out.line("bool started_ = false;");
        out.line("bool deviceSet_ = false;");
    });
    out.line("};");
    out.blank();
    out.comment("Device memory that lives as long as the object.");
    out.line("class DeviceBuffer {");
    out.line("public:");
    out.inside(|out| {
        out.line("DeviceBuffer() = default;");
        out.line("DeviceBuffer(const DeviceBuffer &) = delete;");
        out.line("DeviceBuffer &operator=(const DeviceBuffer &) = delete;");
        out.function("~DeviceBuffer()", |out| {
            out.block("if (data_ != nullptr)", |out| out.line("(void)aclrtFree(data_);"));
        });
        out.function("bool Allocate(size_t bytes)", |out| {
            out.comment("A tensor without elements still needs an address.");
            out.line("RETURN_IF_FAILED(aclrtMalloc(&data_, bytes > 0 ? bytes : 32, ACL_MEM_MALLOC_HUGE_FIRST));");
            out.line("return true;");
        });
        out.function("bool CopyFrom(const std::vector<uint8_t> &host)", |out| {
            out.block("if (!host.empty())", |out| {
                out.stmt(
                    "RETURN_IF_FAILED(aclrtMemcpy(data_, host.size(), host.data(), host.size(), ACL_MEMCPY_HOST_TO_DEVICE))",
                );
            });
            out.line("return true;");
        });
        out.function("bool CopyTo(std::vector<uint8_t> &host) const", |out| {
            out.block("if (!host.empty())", |out| {
                out.stmt(
                    "RETURN_IF_FAILED(aclrtMemcpy(host.data(), host.size(), data_, host.size(), ACL_MEMCPY_DEVICE_TO_HOST))",
                );
            });
            out.line("return true;");
        });
        if kind == ProjectKind::Asc {
            out.function("uint8_t *Data() const", |out| out.line("return static_cast<uint8_t *>(data_);"));
        } else {
            out.function("void *Data() const", |out| out.line("return data_;"));
        }
    });
    out.blank();
    out.line("private:");
    out.inside(|out| out.line("void *data_ = nullptr;"));
    out.line("};");
}

/// Prints the launch: one kernel function for each tiling key.
fn launch(plan: &Plan<'_>, kind: ProjectKind, out: &mut Cpp) {
    let tensors = &plan.tensors;
    let ty = if kind == ProjectKind::Asc {
        "uint8_t"
    } else {
        "void"
    };
    let mut params = vec![
        format!("{} &tiling", plan.names.tiling),
        "aclrtStream stream".to_string(),
    ];
    params.extend(tensors.iter().map(|(_, _, name)| format!("{ty} *{name}Gm")));
    if plan.names.takes_workspace {
        params.push(format!("{ty} *workspace"));
    }
    out.comment("Starts the kernel function that the tiling key stands for.");
    out.function(format_args!("bool Launch({})", params.join(", ")), |out| {
        out.line("const uint32_t blockDim = static_cast<uint32_t>(tiling.blockDim);");
        if kind != ProjectKind::Asc {
            out.line("uint32_t status = 0;");
        }
        out.line("switch (tiling.tilingKey) {");
        out.inside(|out| {
            let mut list: Vec<_> = tensors.iter().map(|(_, _, name)| format!("{name}Gm")).collect();
            if plan.names.takes_workspace {
                list.push("workspace".into());
            }
            for entry in &plan.entries {
                out.line(format_args!("case {}:", entry.key));
                out.inside(|out| {
                    if kind == ProjectKind::Asc {
                        out.stmt(format_args!("{}<<<blockDim, nullptr, stream>>>({}, tiling.data)", entry.name, list.join(", ")));
                    } else {
                        // The generated stub takes a struct parameter by pointer and passes it on
                        // by value.
                        out.stmt(format_args!(
                            "status = aclrtlaunch_{}(blockDim, stream, {}, &tiling.data)",
                            entry.name,
                            list.join(", ")
                        ));
                    }
                    out.line("break;");
                });
            }
            out.line("default:");
            out.inside(|out| {
                out.stmt(
                    "std::fprintf(stderr, \"no kernel function for tiling key %lld\\n\", static_cast<long long>(tiling.tilingKey))",
                );
                out.line("return false;");
            });
        });
        out.line("}");
        if kind != ProjectKind::Asc {
            out.block("if (status != 0)", |out| {
                out.line("std::fprintf(stderr, \"the launch failed with code %u\\n\", status);");
                out.line("return false;");
            });
        }
        out.line("RETURN_IF_FAILED(aclrtSynchronizeStream(stream));");
        out.line("return true;");
    });
}

/// Prints the table of instances.
pub(super) fn instances(plan: &Plan<'_>, out: &mut Cpp) {
    let tensors = &plan.tensors;
    out.comment("Bytes of an element of each tensor, by dtype instance.");
    out.line("struct Instance {");
    out.inside(|out| {
        out.line("const char *dtype;");
        tensors
            .iter()
            .for_each(|(_, _, name)| out.line(format_args!("int64_t {name}Bytes;")));
    });
    out.line("};");
    out.line("constexpr Instance INSTANCES[] = {");
    out.inside(|out| {
        for lowered in plan.instances {
            let mut row = vec![format!("\"{}\"", names::dtypes(lowered.binding()))];
            row.extend(tensors.iter().map(|(id, ..)| {
                plan.sig
                    .dtype(*id)
                    .map_or(1, |ty| ty.resolve(lowered.binding()).bytes())
                    .to_string()
            }));
            out.line(format_args!("{{{}}},", row.join(", ")));
        }
    });
    out.line("};");
}

/// Prints `FirstTold`, for a kernel with dtypes that only optional tensors determine; false where
/// it is not needed.
fn first_told(plan: &Plan<'_>, out: &mut Cpp) -> bool {
    let (sig, count) = (plan.sig, plan.sig.dtypes.len());
    let params = || 0..count as u8;
    if !params().any(|param| sig.is_open(param)) {
        return false;
    }
    let is_given = |id: &ParamId| format!("args.{}", plan.names.attr(*id));
    let is_told = |param: u8| match sig.is_open(param) {
        true => {
            let given: Vec<String> = sig.tensors_that_say(param).iter().map(is_given).collect();
            given.join(" || ")
        }
        false => "true".to_string(),
    };
    out.comment("The first combination with the dtypes that given tensors have: a dtype that none of them has is the first one of its list.");
    out.function(format_args!("int32_t FirstTold(int32_t instance, const {} &args)", plan.names.args), |out| {
        out.stmt(format_args!("const bool isTold[] = {{{}}}", params().map(is_told).collect::<Vec<_>>().join(", ")));
        out.line(format_args!("constexpr const char *DTYPES[][{count}] = {{"));
        out.inside(|out| {
            for lowered in plan.instances {
                let row: Vec<String> = lowered.binding().iter().map(|dtype| format!("\"{dtype}\"")).collect();
                out.line(format_args!("{{{}}},", row.join(", ")));
            }
        });
        out.line("};");
        out.block("for (int32_t first = 0; first < instance; ++first)", |out| {
            out.line("bool isAlike = true;");
            out.block(format_args!("for (size_t i = 0; i < {count}; ++i)"), |out| {
                out.line("isAlike = isAlike && (!isTold[i] || std::strcmp(DTYPES[first][i], DTYPES[instance][i]) == 0);");
            });
            out.block("if (isAlike)", |out| out.line("return first;"));
        });
        out.line("return instance;");
    });
    out.blank();
    true
}

/// Iterates over the attributes on the command line. A kernel with lists does not take the number
/// of an item there.
fn told<'p>(plan: &'p Plan<'_>) -> impl Iterator<Item = (ParamId, ScalarTy, Option<Value>)> + 'p {
    plan.sig
        .attrs()
        .filter(|(_, p, ..)| !(plan.items && p.per == Per::Place))
        .map(|(id, _, ty, default)| (id, ty, default))
}

/// Prints the function that reads, launches and writes.
fn run(plan: &Plan<'_>, out: &mut Cpp) {
    let n = &plan.names;
    let launch = &n.launch;
    let tensors = &plan.tensors;
    instances(plan, out);
    out.blank();
    let is_open = first_told(plan, out);
    let params = format!(
        "int32_t deviceId, int32_t instance, {launch}::Shapes &shapes, {} &args",
        n.args
    );
    out.function(format_args!("bool Run({params})"), |out| {
        if is_open {
            out.line("instance = FirstTold(instance, args);");
        }
        out.line("std::string error;");
        out.line(format_args!("{} tiling;", n.tiling));
        out.block(format_args!("if (!{launch}::BindShapes(shapes, args, &error))"), |out| {
            out.line("std::fprintf(stderr, \"%s\\n\", error.c_str());");
            out.line("return false;");
        });
        if tensors.iter().any(|(_, role, _)| *role == Role::Out) {
            out.line(format_args!("{launch}::InferShapes(args, shapes);"));
        }
        out.comment("The chip that the program runs on; where there is none, the one that the kernel was emitted for.");
        out.line("const platform_ascendc::PlatformAscendC *platform = platform_ascendc::PlatformAscendCManager::GetInstance();");
        out.block("if (platform == nullptr)", |out| {
            let soc = plan.chip.soc_version;
            out.line(format_args!("platform = platform_ascendc::PlatformAscendCManager::GetInstance(\"{soc}\");"));
        });
        out.block("if (platform == nullptr)", |out| {
            out.line("std::fprintf(stderr, \"the platform tells nothing of the chip\\n\");");
            out.line("return false;");
        });
        out.block(format_args!("if (!{}(args, ChipOf(*platform), instance, tiling, &error))", n.compute), |out| {
            out.line("std::fprintf(stderr, \"%s\\n\", error.c_str());");
            out.line("return false;");
        });
        out.blank();
        for (id, role, name) in tensors {
            if plan.sig.is_optional(*id) {
                out.line(format_args!("std::vector<uint8_t> {name}Host;"));
                out.block(format_args!("if (args.{})", n.attr(*id)), |out| {
                    out.stmt(format_args!(
                        "{name}Host.resize(static_cast<size_t>(ElementCount(shapes.{name}) * INSTANCES[instance].{name}Bytes))"
                    ));
                    if *role != Role::Out {
                        out.block(format_args!("if (!ReadFile(\"input_{name}.bin\", {name}Host))"), |out| {
                            out.line("return false;")
                        });
                    }
                });
                continue;
            }
            let bytes = format!("ElementCount(shapes.{name}) * INSTANCES[instance].{name}Bytes");
            out.stmt(format_args!("std::vector<uint8_t> {name}Host(static_cast<size_t>({bytes}))"));
            if *role != Role::Out {
                out.block(format_args!("if (!ReadFile(\"input_{name}.bin\", {name}Host))"), |out| out.line("return false;"));
            }
        }
        out.blank();
        out.line("Session session;");
        tensors.iter().for_each(|(_, _, name)| out.line(format_args!("DeviceBuffer {name}Device;")));
        out.block("if (!session.Open(deviceId))", |out| out.line("return false;"));
        for (id, role, name) in tensors {
            let when = if plan.sig.is_optional(*id) { format!("args.{} && ", n.attr(*id)) } else { String::new() };
            let fill = if *role == Role::Out { String::new() } else { format!(" || !{name}Device.CopyFrom({name}Host)") };
            let test = format!("!{name}Device.Allocate({name}Host.size()){fill}");
            let test = match (when.is_empty(), fill.is_empty()) {
                (true, _) => test,
                (false, true) => format!("{when}{test}"),
                (false, false) => format!("{when}({test})"),
            };
            out.block(format_args!("if ({test})"), |out| out.line("return false;"));
        }
        let mut args: Vec<_> = tensors.iter().map(|(_, _, name)| format!("{name}Device.Data()")).collect();
        if plan.names.takes_workspace {
            out.comment("What the kernel keeps in GM for itself.");
            out.line("DeviceBuffer workspace;");
            out.block("if (!workspace.Allocate(static_cast<size_t>(tiling.workspaceSize)))", |out| out.line("return false;"));
            args.push("workspace.Data()".into());
        }
        out.wrapped(format_args!("if (!Launch(tiling, session.Stream(), {}))", args.join(", ")), " {");
        out.line("    return false;");
        out.line("}");
        for (id, _, name) in tensors.iter().filter(|(_, role, _)| *role != Role::In) {
            let test = format!("!{name}Device.CopyTo({name}Host) || !WriteFile(\"output_{name}.bin\", {name}Host)");
            let test = if plan.sig.is_optional(*id) { format!("args.{} && ({test})", n.attr(*id)) } else { test };
            out.block(format_args!("if ({test})"), |out| out.line("return false;"));
        }
        out.line("return true;");
    });
}

pub(super) fn main_function(plan: &Plan<'_>, out: &mut Cpp) {
    let launch = &plan.names.launch;
    let tensors = &plan.tensors;
    out.function("int main(int argc, char **argv)", |out| {
        out.line("int32_t deviceId = 0;");
        out.line(format_args!("int32_t instance = {};", if plan.sig.dtypes.is_empty() { 0 } else { -1 }));
        out.line(format_args!("{launch}::Shapes shapes;"));
        out.line(format_args!("{} args;", plan.names.args));
        out.line("bool good = true;");
        out.line("std::set<std::string> given;");
        out.block("for (int i = 1; i < argc; ++i)", |out| {
            out.line("const std::string word = argv[i];");
            out.line("const size_t equals = word.find('=');");
            out.line("const std::string name = word.substr(0, equals);");
            out.line("const std::string value = equals == std::string::npos ? \"\" : word.substr(equals + 1);");
            out.line("given.insert(name);");
            out.line("if (word == \"--device\" && i + 1 < argc) {");
            out.line("    deviceId = std::atoi(argv[++i]);");
            if !plan.sig.dtypes.is_empty() {
                out.line("} else if (word == \"--dtype\" && i + 1 < argc) {");
                out.line("    ++i;");
                out.line("    for (const Instance &candidate : INSTANCES) {");
                out.line("        if (std::strcmp(candidate.dtype, argv[i]) == 0) {");
                out.line("            instance = static_cast<int32_t>(&candidate - INSTANCES);");
                out.line("        }");
                out.line("    }");
            }
            out.line("} else if (equals == std::string::npos) {");
            out.line("    good = false;");
            for (id, _, name) in tensors {
                out.line(format_args!("}} else if (name == \"{name}\") {{"));
                out.line(format_args!("    good = ParseShape(value, shapes.{name}) && good;"));
                if plan.sig.is_optional(*id) {
                    out.line(format_args!("    args.{} = true;", plan.names.attr(*id)));
                }
            }
            for (id, ty, _) in told(plan) {
                let member = plan.names.attr(id);
                out.line(format_args!("}} else if (name == \"{member}\") {{"));
                out.line(format_args!("    good = {} && good;", attrs::parsed(plan, id, ty, "value")));
            }
            out.line("} else {");
            out.line("    good = false;");
            out.line("}");
        });
        let inputs = tensors
            .iter()
            .filter(|(id, role, _)| *role != Role::Out && !plan.sig.is_optional(*id))
            .map(|(_, _, name)| name.clone());
        let attrs = told(plan).filter(|a| a.2.is_none());
        let required: Vec<_> =
            inputs.chain(attrs.filter_map(|a| plan.names.attrs[a.0.index()].clone())).map(|name| format!("\"{name}\"")).collect();
        if !required.is_empty() {
            out.block(format_args!("for (const char *required : {{{}}})", required.join(", ")), |out| {
                out.line("good = good && given.count(required) > 0;");
            });
        }
        out.block("if (!good || instance < 0)", |out| {
            out.stmt(format_args!(
                "std::fprintf(stderr, \"usage: %s {}\\n\", argv[0])",
                usage(plan).replace('%', "%%").replace('"', "'")
            ));
            out.line("return 2;");
        });
        out.line("return Run(deviceId, instance, shapes, args) ? 0 : 1;");
    });
}
