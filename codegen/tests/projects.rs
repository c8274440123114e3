//! The toolkit's rules for projects, checked on every kernel of the list. A row is a rule: the
//! kinds of project that it applies to, and a condition on the texts. The test parses the texts and
//! asks the emitter nothing.

use crate::bundle::{compiles, is_alone, write, Bundle, PLATFORM};
use crate::common;
use jumar_codegen::{emit, names, EmitOptions, Project, ProjectKind};
use jumar_dsl::check::CheckedKernel;
use jumar_dsl::ir::{Per, Role};
use jumar_dsl::soc::Chip;
use std::collections::BTreeSet;
use std::fmt::Write;

use ProjectKind::{Asc, Direct, Msopgen, Torch};

/// A project under test.
struct Case {
    name: &'static str,
    kernel: CheckedKernel,
    kind: ProjectKind,
    project: Project,
}

impl Case {
    fn new(name: &'static str, kind: ProjectKind) -> Case {
        let kernel = common::checked(name);
        let project = emit(
            &kernel,
            &EmitOptions {
                kind,
                ..EmitOptions::default()
            },
        );
        Case {
            name,
            kernel,
            kind,
            project,
        }
    }

    fn text(&self, path: &str) -> &str {
        self.project
            .text(path)
            .unwrap_or_else(|| panic!("{} {} has no {path}", self.name, self.kind))
    }

    /// Returns the file with the kernel functions.
    fn device(&self) -> &str {
        let stem = &names(&self.kernel).kernel;
        match self.kind {
            Direct => self.text(&format!("{stem}.cpp")),
            Asc => self.text(&format!("{stem}.asc")),
            Msopgen => self.text(&format!("op_kernel/{}.cpp", names(&self.kernel).op_stem)),
            Torch => self.text(&format!("csrc/{stem}.cpp")),
        }
    }

    /// Returns the registration of an operator.
    fn host(&self) -> &str {
        self.text(&format!("op_host/{}.cpp", names(&self.kernel).op_stem))
    }

    /// Returns types and names of the tiling data, of arrays with their elements, in their order.
    fn fields(&self) -> Vec<(String, String)> {
        let stem = names(&self.kernel);
        let (path, macros) = match self.kind {
            Msopgen => (format!("op_host/{}_tiling.h", stem.op_stem), true),
            Torch => (format!("csrc/{}_tiling.h", stem.kernel), false),
            Direct | Asc => (format!("{}_tiling.h", stem.kernel), false),
        };
        let lines = self.text(&path).lines().map(str::trim);
        if macros {
            let of = |line: &str| {
                let inner = line
                    .strip_prefix("TILING_DATA_FIELD_DEF")?
                    .split_once('(')?
                    .1
                    .split_once(')')?
                    .0;
                let parts: Vec<&str> = inner.split(", ").collect();
                Some((parts.first()?.to_string(), parts.last()?.to_string()))
            };
            return lines.filter_map(of).collect();
        }
        let inside = lines
            .skip_while(|l| !l.starts_with("struct "))
            .skip(1)
            .take_while(|l| *l != "};");
        let of = |line: &str| {
            line.split(';')
                .next()?
                .split_once(' ')
                .map(|(ty, name)| (ty.to_string(), name.to_string()))
        };
        inside.filter_map(of).collect()
    }

    /// Returns parameters of the definition of an operator: side, name and the text after the name.
    fn definition(&self) -> Vec<(&str, String, String)> {
        let class = self
            .host()
            .split(": public OpDef")
            .nth(1)
            .expect("a definition");
        let statements = class
            .split(';')
            .map(|s| s.split_whitespace().collect::<Vec<_>>().join(" "));
        let of = |text: String| {
            let (_, rest) = text.split_once("this->")?;
            let side = ["Input", "Output", "Attr"]
                .into_iter()
                .find(|side| rest.starts_with(&format!("{side}(\"")))?;
            let (name, tail) = rest.split_once('"')?.1.split_once('"')?;
            Some((side, name.to_string(), tail.to_string()))
        };
        statements.filter_map(of).collect()
    }
}

/// Returns the items in the brackets after a word.
fn list<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    let inner = text
        .split_once(&format!(".{word}({{"))
        .and_then(|(_, rest)| rest.split_once("})"));
    inner.map_or(Vec::new(), |(inner, _)| inner.split(", ").collect())
}

fn has_meetings(case: &Case) -> bool {
    ["SyncAll", "CrossCoreWaitFlag"]
        .iter()
        .any(|word| case.device().contains(word))
}

type Rule = (
    &'static str,
    &'static [ProjectKind],
    fn(&Case) -> Result<(), String>,
);

fn hold(is: bool, said: impl Into<String>) -> Result<(), String> {
    is.then_some(()).ok_or_else(|| said.into())
}

const ALL: &[ProjectKind] = &[Direct, Asc, Msopgen, Torch];
const RULES: &[Rule] = &[
    (
        "fields of the tiling data are 8, then 4 bytes long, of no bool, enum or pointer, and are padded by hand to 8",
        ALL,
        |case| {
            let fields = case.fields();
            let bytes = |ty: &str| match ty {
                "int64_t" => Some(8),
                "int32_t" | "float" => Some(4),
                _ => None,
            };
            let sizes: Option<Vec<i64>> = fields.iter().map(|(ty, _)| bytes(ty)).collect();
            let sizes = sizes.ok_or_else(|| format!("{fields:?}"))?;
            hold(!sizes.is_empty() && sizes.windows(2).all(|w| w[0] >= w[1]), format!("{fields:?}"))?;
            // Arrays have an even number of elements.
            let is_array = case.kind == Msopgen && case.kernel.kernel().sig.lists().next().is_some();
            hold(is_array || sizes.iter().sum::<i64>() % 8 == 0, format!("{fields:?}"))
        },
    ),
    ("the tiling data of an operator has the fields of a plain struct, in its order", &[Msopgen], |case| {
        let plain = Case::new(case.name, Direct).fields();
        let own = case.fields();
        let is_list = case.kernel.kernel().sig.lists().next().is_some();
        hold(is_list || own == plain, format!("{own:?} and {plain:?}"))
    }),
    ("an operator's files and kernel function are its type in snake case", &[Msopgen], |case| {
        let (class, _) = case.host().split_once(" : public OpDef").ok_or("no class")?;
        let class = class.rsplit(' ').next().ok_or("no class")?;
        let mut snake = String::new();
        for c in class.chars() {
            let gap = c.is_ascii_uppercase() && !snake.is_empty();
            snake.extend(gap.then_some('_').into_iter().chain([c.to_ascii_lowercase()]));
        }
        hold(case.host().contains(&format!("OP_ADD({class});")), class)?;
        hold(case.device().contains(&format!("__aicore__ void {snake}(")), snake.as_str())?;
        hold(case.text("op_kernel/CMakeLists.txt").contains(&format!("OP_TYPE {class}\n    KERNEL_FILE {snake}.cpp")), snake)
    }),
    ("macros of the operator build stand in operators alone", ALL, |case| {
        let all: String = case.project.files.iter().filter(|f| !f.path.ends_with(".md")).map(|f| f.text.as_str()).collect();
        let own = ["GET_TILING_DATA", "TILING_KEY_IS", "REGISTER_TILING", "BEGIN_TILING_DATA_DEF", "KERNEL_TASK_TYPE("];
        let found: Vec<&&str> = own.iter().filter(|word| all.contains(**word)).collect();
        hold(case.kind == Msopgen || found.is_empty(), format!("{found:?}"))
    }),
    ("no else stands behind the branches of tiling keys, whose conditions are constants", &[Msopgen], |case| {
        let text = case.device();
        let entry = &text[text.find("GET_TILING_DATA").ok_or("no tiling data")?..];
        for key in entry.split("TILING_KEY_IS(").skip(1) {
            let (number, _) = key.split_once(')').ok_or("no bracket")?;
            hold(number.parse::<u64>().is_ok(), number)?;
        }
        hold(!entry.lines().any(|l| l == "    } else {"), entry)
    }),
    ("a parameter has one element type and one format for each instance", &[Msopgen], |case| {
        let count = case.kernel.instances().len();
        for (side, name, text) in case.definition().iter().filter(|(side, ..)| *side != "Attr") {
            let lengths = ["DataType", "Format", "UnknownShapeFormat"].map(|word| list(text, word).len());
            hold(lengths == [count; 3], format!("{side} {name}: {lengths:?} of {count}"))?;
        }
        Ok(())
    }),
    ("parameters are dynamic for lists, optional where they may be left out, required else", &[Msopgen], |case| {
        let sig = &case.kernel.kernel().sig;
        let wanted = |side: &str| -> Vec<&str> {
            let own = |role: Role| if side == "Input" { role != Role::Out } else { role != Role::In };
            let of = |(id, p, ..): (_, &jumar_dsl::ir::Param, Role, _)| match (p.per, sig.is_optional(id)) {
                (Per::Item, _) => "DYNAMIC",
                (_, true) => "OPTIONAL",
                (_, false) => "REQUIRED",
            };
            sig.tensors().filter(|(_, _, role, _)| own(*role)).map(of).collect()
        };
        for side in ["Input", "Output"] {
            let said: Vec<String> =
                case.definition().iter().filter(|(own, ..)| *own == side).map(|(_, _, text)| text.clone()).collect();
            let wanted = wanted(side);
            let holds = said.len() == wanted.len()
                && said.iter().zip(&wanted).all(|(text, word)| text.contains(&format!("ParamType({word})")));
            hold(holds, format!("{said:?} and {wanted:?}"))?;
        }
        Ok(())
    }),
    ("attributes have a kind each, and those with a default are optional", &[Msopgen], |case| {
        let kinds = ["Float", "Int", "Bool", "String", "ListFloat", "ListInt"];
        for (_, name, text) in case.definition().iter().filter(|(side, ..)| *side == "Attr") {
            let kind =
                kinds.iter().find_map(|kind| text.split_once(&format!(".{kind}("))).ok_or_else(|| format!("{name} {text}"))?;
            let has_default = kind.1 != ")";
            hold(text.contains(if has_default { "AttrType(OPTIONAL)" } else { "AttrType(REQUIRED)" }), format!("{name} {text}"))?;
        }
        Ok(())
    }),
    ("inputs are made contiguous, outputs are left as they are, and nobody asks the framework for zeros", &[Msopgen], |case| {
        for (side, name, text) in case.definition().iter().filter(|(side, ..)| *side != "Attr") {
            hold(text.contains(".AutoContiguous()") == (*side == "Input"), format!("{side} {name}"))?;
        }
        let words = ["InitValue", "SetNeedAtomic", "ValueDepend", "OutputShapeDependOnCompute"];
        hold(!words.iter().any(|word| case.host().contains(word)), "a word that book/src/reference/projects.md says is not needed")
    }),
    ("an operator serves every family of the architecture that the author has not ruled out", &[Msopgen], |case| {
        let said: BTreeSet<&str> = case.host().split("AddConfig(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let (own, listed) = (case.kernel.chip(), &case.kernel.kernel().chips);
        let is_listed = |chip: &&Chip| {
            listed.is_empty() || listed.iter().any(|name| Chip::by_name(name).map(|c| c.compute_unit) == Some(chip.compute_unit))
        };
        let all = Chip::all().iter().filter(|chip| chip.arch == own.arch).filter(is_listed);
        let wanted: BTreeSet<&str> = all.map(|chip| chip.compute_unit).collect();
        hold(said == wanted, format!("{said:?} and {wanted:?}"))?;
        let presets: serde_json::Value = serde_json::from_str(case.text("CMakePresets.json")).map_err(|e| e.to_string())?;
        let units = &presets["configurePresets"][0]["cacheVariables"]["ASCEND_COMPUTE_UNIT"]["value"];
        let built: BTreeSet<&str> = units.as_str().ok_or("no units")?.split(';').collect();
        hold(built == wanted, format!("{built:?} and {wanted:?}"))
    }),
    ("the presets have the variables of the toolkit's template, each with its type", &[Msopgen], |case| {
        let presets: serde_json::Value = serde_json::from_str(case.text("CMakePresets.json")).map_err(|e| e.to_string())?;
        let preset = &presets["configurePresets"][0];
        let own = preset["cacheVariables"].as_object().ok_or("no variables")?;
        let wanted = [
            ("CMAKE_BUILD_TYPE", "STRING"),
            ("ENABLE_SOURCE_PACKAGE", "BOOL"),
            ("ENABLE_BINARY_PACKAGE", "BOOL"),
            ("ASCEND_COMPUTE_UNIT", "STRING"),
            ("ENABLE_TEST", "BOOL"),
            ("vendor_name", "STRING"),
            ("ASCEND_CANN_PACKAGE_PATH", "PATH"),
            ("ASCEND_PYTHON_EXECUTABLE", "STRING"),
            ("CMAKE_INSTALL_PREFIX", "PATH"),
            ("ENABLE_CROSS_COMPILE", "BOOL"),
            ("CMAKE_CROSS_PLATFORM_COMPILER", "PATH"),
            ("ASCEND_PACK_SHARED_LIBRARY", "BOOL"),
        ];
        let found: BTreeSet<(&str, &str)> =
            own.iter().map(|(name, v)| (name.as_str(), v["type"].as_str().unwrap_or(""))).collect();
        hold(found == BTreeSet::from(wanted), format!("{found:?}"))?;
        let places = (&preset["name"], &preset["generator"], &preset["binaryDir"]);
        let said = places.0 == "default" && places.1 == "Unix Makefiles" && places.2 == "${sourceDir}/build_out";
        hold(said, format!("{places:?}"))
    }),
    ("a package is one to install, or a library where the presets say so", &[Msopgen], |case| {
        let text = case.text("CMakeLists.txt");
        let (before, package) = text.split_once("npu_op_package(").ok_or("no package")?;
        hold(package.contains("TYPE ${package_type}"), package)?;
        let (run, shared) = (before.find("set(package_type RUN)"), before.find("if(ASCEND_PACK_SHARED_LIBRARY)"));
        hold(run.is_some() && run < shared && before.contains("    set(package_type SHARED)"), before)?;
        let script = case.text("build.sh");
        hold(script.contains("is_true ASCEND_PACK_SHARED_LIBRARY") && script.contains("-DHOST_NATIVE_TILING_LIB="), script)
    }),
    ("clients look for the operator in each folder of ASCEND_CUSTOM_OPP_PATH, which is a list", &[Msopgen], |case| {
        let header = format!("op_api/include/aclnn_{}.h", names(&case.kernel).op_stem);
        let text = case.text("examples/CMakeLists.txt");
        hold(text.contains("string(REPLACE \":\" \";\"") && text.contains(&format!("EXISTS \"${{folder}}/{header}\"")), text)?;
        hold(case.text("examples/rust/src/main.rs").contains("split_paths(&custom)"), "the client in Rust")
    }),
    ("the three spellings of the chip are of one chip", ALL, |case| {
        let chip = case.kernel.chip();
        let (path, wanted) = match case.kind {
            Direct | Torch => ("CMakeLists.txt", format!("set(SOC_VERSION \"{}\"", chip.soc_version)),
            Asc => ("CMakeLists.txt", format!("set(CMAKE_ASC_ARCHITECTURES \"{}\"", chip.npu_arch)),
            Msopgen => ("README.md", format!("ai_core-{}", chip.soc_version)),
        };
        hold(case.text(path).contains(&wanted), wanted)?;
        hold(Chip::by_name(chip.compute_unit).map(|c| c.npu_arch) == Some(chip.npu_arch), chip.compute_unit)
    }),
    ("architectures are set before ASC is looked for", &[Asc], |case| {
        let text = case.text("CMakeLists.txt");
        hold(text.find("CMAKE_ASC_ARCHITECTURES") < text.find("find_package(ASC"), text)
    }),
    ("blocks that meet are of the type with flags, start together and have the library's workspace", ALL, |case| {
        let (device, meets) = (case.device(), has_meetings(case));
        if meets && case.kernel.chip().has_cross_core_sync {
            let ty = if case.kind == Asc { "__mix__(0, 1)" } else { "KERNEL_TYPE_MIX_AIV_1_0" };
            hold(device.contains(ty), ty)?;
        }
        if case.kind != Msopgen {
            return Ok(());
        }
        hold(case.host().contains("SetScheduleMode(1)") == meets, "SetScheduleMode")?;
        let takes = names(&case.kernel).takes_workspace;
        hold(case.host().contains("GetLibApiWorkSpaceSize") == (meets || takes), "GetLibApiWorkSpaceSize")?;
        let user = device.find("GetUserWorkspace(workspace)");
        hold(user.is_some() == takes, "GetUserWorkspace")?;
        let checked =
            user.is_none_or(|at| device[at..].lines().nth(1).is_some_and(|l| l.trim() == "if (userWorkspace == nullptr) {"));
        hold(checked, "the address of the workspace is not looked at")
    }),
    ("a workspace of none is told", &[Msopgen], |case| hold(case.host().contains("workspaces[0] = "), "workspaces[0]")),
    ("shapes and element types of all outputs are inferred", &[Msopgen], |case| {
        let outputs = case.definition().iter().filter(|(side, ..)| *side == "Output").count();
        let part =
            case.host().split("namespace ge {").nth(1).ok_or("no inference")?.split("namespace ops").next().ok_or("no end")?;
        let (shapes, types) = (part.matches("->SetDimNum(0)").count(), part.matches("SetOutputDataType(").count());
        hold((shapes, types) == (outputs, outputs), format!("{shapes} shapes and {types} types of {outputs}"))
    }),
    ("the description for msopgen says what the definition says", &[Msopgen], |case| {
        let path = format!("{}.json", names(&case.kernel).op_stem);
        let told: serde_json::Value = serde_json::from_str(case.text(&path)).map_err(|e| e.to_string())?;
        let of = |key: &str| -> Vec<String> {
            let all = told[0][key].as_array().into_iter().flatten();
            all.map(|item| item["name"].as_str().unwrap_or_default().to_string()).collect()
        };
        for (key, side) in [("input_desc", "Input"), ("output_desc", "Output"), ("attr", "Attr")] {
            let own: Vec<String> = case.definition().into_iter().filter(|(s, ..)| *s == side).map(|(_, name, _)| name).collect();
            hold(of(key) == own, format!("{key}: {:?} and {own:?}", of(key)))?;
        }
        Ok(())
    }),
    ("a kernel function takes inputs, outputs, workspace, tiling", &[Msopgen], |case| {
        let head = case.device().split("__aicore__ void ").last().and_then(|rest| rest.split_once('(')?.1.split_once(')'));
        let (list, _) = head.ok_or("no kernel function")?;
        let said: Vec<String> = list.split(',').filter_map(|p| Some(p.trim().strip_prefix("GM_ADDR ")?.to_string())).collect();
        let of = |wanted: &str| case.definition().into_iter().filter(|(side, ..)| *side == wanted).count();
        let (inputs, outputs) = (of("Input"), of("Output"));
        hold(said.len() == inputs + outputs + 2, format!("{said:?} for {inputs} inputs and {outputs} outputs"))?;
        hold(said[inputs + outputs..] == ["workspace", "tiling"], format!("{said:?}"))?;
        // Names are those of the definition, except where the function uses such a word itself.
        let named = case.definition().into_iter().filter(|(side, ..)| *side != "Attr").map(|(_, name, _)| name);
        let is_so = |(own, name): (&String, String)| own.starts_with(name.trim_end_matches(|c: char| c.is_ascii_digit()));
        hold(said.iter().zip(named).all(is_so), format!("{said:?}"))
    }),
    (
        "a kernel library is built without dump, by functions that are looked for where releases have them",
        &[Direct, Torch],
        |case| {
            let text = case.text("CMakeLists.txt");
            let places =
                "tools/tikcpp/ascendc_kernel_cmake compiler/tikcpp/ascendc_kernel_cmake ascendc_devkit/tikcpp/samples/cmake";
            hold(text.contains(places) && text.contains("-DASCENDC_DUMP=0"), text)?;
            // The wrapper would treat workspace and tiling as its own.
            hold(!text.contains("HAVE_WORKSPACE") && !text.contains("HAVE_TILING"), text)
        },
    ),
    ("launches of PyTorch go to the current stream behind what its host has queued", &[Torch], |case| {
        let text = case.text(&format!("csrc/{}_npu.cpp", names(&case.kernel).kernel));
        hold(text.contains("getCurrentNPUStream().stream(true)") && !text.contains("Synchronize"), text)?;
        let sig = &case.kernel.kernel().sig;
        let has_device = sig.tensors().any(|(id, ..)| !sig.is_optional(id));
        hold(text.contains("DeviceGuard") == has_device, text)
    }),
    (
        "the schema of PyTorch has an argument for what a call gives, and a result for each output that is made",
        &[Torch],
        schema_is_right,
    ),
];

/// Returns the header that the operator build makes of the definition: an input and output of one
/// name is one argument.
fn aclnn_header(case: &Case) -> String {
    let all = case.definition();
    let is = |side: &str, name: &str| all.iter().any(|(s, n, _)| *s == side && n == name);
    let tensor = |text: &str| {
        if text.contains("DYNAMIC") {
            "const aclTensorList *"
        } else {
            "const aclTensor *"
        }
    };
    let mut list: Vec<String> = Vec::new();
    for (_, name, text) in all.iter().filter(|(side, ..)| *side == "Input") {
        let ty = tensor(text);
        list.push(if is("Output", name) {
            format!("{}{name}Ref", ty.trim_start_matches("const "))
        } else {
            format!("{ty}{name}")
        });
    }
    for (_, name, text) in all.iter().filter(|(side, ..)| *side == "Attr") {
        let kinds = [
            (".ListFloat(", "const aclFloatArray *"),
            (".ListInt(", "const aclIntArray *"),
            (".Float(", "double "),
            (".Int(", "int64_t "),
            (".Bool(", "bool "),
            (".String(", "char *"),
        ];
        let ty = kinds
            .iter()
            .find(|(word, _)| text.contains(word))
            .expect("a kind")
            .1;
        list.push(format!("{ty}{name}"));
    }
    for (_, name, text) in all
        .iter()
        .filter(|(side, name, _)| *side == "Output" && !is("Input", name))
    {
        list.push(format!("{}{name}", tensor(text)));
    }
    let op = names(&case.kernel).op;
    format!(
        "#include \"aclnn/acl_meta.h\"\nextern \"C\" {{\naclnnStatus aclnn{op}GetWorkspaceSize({}, uint64_t *workspaceSize, aclOpExecutor **executor);\n\
         aclnnStatus aclnn{op}(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);\n}}\n",
        list.join(", ")
    )
}

/// Adds the client after that header to a bundle; an argument at a wrong place has another type or
/// number.
fn add_client(bundle: &mut Bundle, case: &Case) {
    let (name, stem) = (case.name, names(&case.kernel).op_stem);
    for (path, text) in [
        ("main.cpp".to_string(), case.text("examples/main.cpp")),
        (
            format!("{stem}_tiling_func.h"),
            case.text(&format!("op_host/{stem}_tiling_func.h")),
        ),
        (format!("aclnn_{stem}.h"), &aclnn_header(case)),
    ] {
        write(&bundle.dir.join(name).join(path), text);
    }
    let _ = writeln!(
        bundle.text,
        "namespace client_{name} {{\n#include \"{name}/main.cpp\"\n}}"
    );
}

fn clients(folder: &str, cases: &[Case]) -> Bundle {
    let mut bundle = Bundle::new(folder, &["acl/acl.h", "aclnn/acl_meta.h", PLATFORM]);
    cases.iter().for_each(|case| add_client(&mut bundle, case));
    bundle
}

/// Type and name of an argument of a schema, and whether it has a default.
type Argument = (String, String, bool);

/// Returns the arguments of a schema, and the types of its results.
fn parse_schema(schema: &str) -> Option<(Vec<Argument>, Vec<String>)> {
    let (head, result) = schema.split_once(" -> ")?;
    let inner = head.split_once('(')?.1.strip_suffix(')')?;
    let mut arguments = Vec::new();
    let (mut depth, mut start) = (0i32, 0);
    let ends = inner.char_indices().chain([(inner.len(), ',')]);
    for (i, c) in ends {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                let text = inner[start..i].trim();
                let (ty, name) = text.split_once(' ').unwrap_or_default();
                let name = name.split('=').next()?;
                if !text.is_empty() {
                    arguments.push((ty.to_string(), name.to_string(), text.contains('=')));
                }
                start = i + 1;
            }
            _ => {}
        }
    }
    let results = result
        .trim_start_matches('(')
        .trim_end_matches(')')
        .split(", ")
        .filter(|r| !r.is_empty());
    Some((arguments, results.map(str::to_string).collect()))
}

fn schema_is_right(case: &Case) -> Result<(), String> {
    let stem = &names(&case.kernel).kernel;
    let meta = case.text(&format!("csrc/{stem}_meta.cpp"));
    let schema = meta
        .split("m.def(\"")
        .nth(1)
        .and_then(|rest| rest.split("\");").next())
        .ok_or("no schema")?
        .replace("\\\"", "\"");
    let (arguments, results) = parse_schema(&schema).ok_or_else(|| schema.clone())?;
    let sig = &case.kernel.kernel().sig;
    let tensors = arguments
        .iter()
        .filter(|(ty, ..)| ty.starts_with("Tensor"))
        .count();
    let asked = arguments
        .iter()
        .filter(|(_, name, _)| name.starts_with("want_"))
        .count();
    hold(
        tensors + results.len() == sig.tensors().count(),
        schema.as_str(),
    )?;
    let written = arguments.iter().filter(|(ty, ..)| ty.contains('!')).count();
    let outputs = sig
        .tensors()
        .filter(|(_, _, role, _)| *role != Role::In)
        .count();
    hold(written + results.len() == outputs, schema.as_str())?;
    let mut parts = sig
        .attrs()
        .filter(|(_, p, ..)| p.per != Per::Place)
        .map(|(id, ..)| sig.part(id).map_or(0, |part| part.at));
    let attrs = parts.by_ref().filter(|at| *at == 0).count();
    hold(arguments.len() == tensors + attrs + asked, schema.as_str())?;
    // Only defaults may follow a default.
    let first = arguments
        .iter()
        .position(|(.., default)| *default)
        .unwrap_or(arguments.len());
    hold(
        arguments[first..].iter().all(|(.., default)| *default),
        schema,
    )
}

#[test]
fn every_project_keeps_the_rules_of_its_toolkit() {
    let mut broken = Vec::new();
    for (name, _) in common::KERNELS {
        for kind in ProjectKind::ALL {
            let case = Case::new(name, kind);
            for (rule, _, holds) in RULES.iter().filter(|(_, kinds, _)| kinds.contains(&kind)) {
                if let Err(said) = holds(&case) {
                    broken.push(format!("{name}, {kind}: {rule}\n{said}"));
                }
            }
        }
    }
    assert!(
        broken.is_empty(),
        "{} rules are broken\n{}",
        broken.len(),
        broken.join("\n\n")
    );
}

/// The list of kernels must show these features, so that no rule is tested on nothing.
#[test]
fn the_kernels_have_all_that_an_operator_may_have() {
    let all: Vec<Case> = common::KERNELS
        .iter()
        .map(|(name, _)| Case::new(name, Msopgen))
        .collect();
    for word in [
        "ParamType(DYNAMIC)",
        "ParamType(OPTIONAL)",
        ".Float(",
        ".Int(",
        ".Bool(",
        ".String(",
        ".ListFloat(",
        ".ListInt(",
        "SetScheduleMode(1)",
        "GetLibApiWorkSpaceSize",
        "AddConfig(\"ascend910_93\")",
        "AddConfig(\"ascend310p\")",
    ] {
        assert!(
            all.iter().any(|case| case.host().contains(word)),
            "no kernel of the list has {word}"
        );
    }
}

/// Texts that break a rule: kernel, kind, a replacement, and words of the rule that finds it.
const FAULTS: &[(&str, ProjectKind, &str, &str, &str)] = &[
    (
        "swish",
        Direct,
        "    int64_t totalLength;\n",
        "    bool totalLength;\n",
        "fields of the tiling data",
    ),
    (
        "swish",
        Torch,
        "    float scale;\n",
        "",
        "fields of the tiling data",
    ),
    (
        "swish",
        Msopgen,
        "TILING_DATA_FIELD_DEF(int64_t, totalLength);",
        "",
        "has the fields of a plain struct",
    ),
    (
        "swish",
        Msopgen,
        "class SwishCustom :",
        "class Swish :",
        "type in snake case",
    ),
    (
        "swish",
        Torch,
        "    AscendC::TPipe pipe;",
        "    GET_TILING_DATA(t, tiling);\n    AscendC::TPipe pipe;",
        "stand in operators alone",
    ),
    (
        "weigh",
        Msopgen,
        "} else if (TILING_KEY_IS(2)) {",
        "} else {",
        "no else stands",
    ),
    (
        "swish",
        Msopgen,
        ".Format({ge::FORMAT_ND, ",
        ".Format({",
        "one element type and one format",
    ),
    (
        "affine",
        Msopgen,
        "ParamType(OPTIONAL)",
        "ParamType(REQUIRED)",
        "parameters are dynamic",
    ),
    (
        "swish",
        Msopgen,
        ".Float(1.0f)",
        ".Float()",
        "attributes have a kind",
    ),
    (
        "swish",
        Msopgen,
        ".AutoContiguous()",
        "",
        "inputs are made contiguous",
    ),
    (
        "swish",
        Msopgen,
        "this->AICore().AddConfig(\"ascend910_93\");",
        "",
        "every family",
    ),
    (
        "swish",
        Msopgen,
        "\"ENABLE_TEST\": { \"type\": \"BOOL\"",
        "\"ENABLE_TEST\": { \"type\": \"STRING\"",
        "the presets have",
    ),
    (
        "swish",
        Msopgen,
        "foreach(folder IN LISTS custom_folders)\n    if(EXISTS \"${folder}",
        "if(EXISTS \"$ENV{X}",
        "clients look for the operator",
    ),
    (
        "swish",
        Msopgen,
        "TYPE ${package_type}",
        "TYPE RUN",
        "a package is one to install",
    ),
    (
        "swish",
        Direct,
        "Ascend910B1",
        "Ascend310P3",
        "three spellings",
    ),
    (
        "swish",
        Asc,
        "set(CMAKE_ASC_ARCHITECTURES",
        "set(OTHER",
        "three spellings",
    ),
    (
        "total",
        Msopgen,
        "context->SetScheduleMode(1);",
        "",
        "blocks that meet",
    ),
    (
        "total",
        Msopgen,
        "if (userWorkspace == nullptr) {",
        "if (false) {",
        "blocks that meet",
    ),
    (
        "total",
        Direct,
        "KERNEL_TYPE_MIX_AIV_1_0",
        "KERNEL_TYPE_AIV_ONLY",
        "blocks that meet",
    ),
    (
        "asked",
        Msopgen,
        "context->SetOutputDataType(2, ",
        "(void)(2, ",
        "shapes and element types",
    ),
    (
        "swish",
        Msopgen,
        "\"name\": \"x\"",
        "\"name\": \"z\"",
        "the description for msopgen",
    ),
    (
        "swish",
        Msopgen,
        "GM_ADDR workspace, GM_ADDR tiling",
        "GM_ADDR tiling, GM_ADDR workspace",
        "takes inputs, outputs",
    ),
    ("swish", Direct, "-DASCENDC_DUMP=0", "", "without dump"),
    (
        "swish",
        Torch,
        ".stream(true)",
        ".stream(false)",
        "launches of PyTorch",
    ),
    (
        "asked",
        Torch,
        "-> (Tensor, Tensor, Tensor)",
        "-> (Tensor, Tensor)",
        "the schema of PyTorch",
    ),
    (
        "choose",
        Torch,
        "float limit, ",
        "",
        "the schema of PyTorch",
    ),
];

/// Makes a project with a fault.
fn broken(name: &'static str, kind: ProjectKind, from: &str, to: &str) -> Case {
    let mut case = Case::new(name, kind);
    let before = case.project.clone();
    case.project
        .files
        .iter_mut()
        .for_each(|file| file.text = file.text.replace(from, to));
    assert!(
        case.project != before,
        "{name}, {kind}: {from} stands nowhere"
    );
    case
}

#[test]
fn arguments_of_aclnn_are_inputs_attributes_outputs() {
    let all: Vec<Case> = common::KERNELS
        .iter()
        .map(|(name, _)| Case::new(name, Msopgen))
        .collect();
    let bundle = clients("projects", &all);
    bundle.compile();
    // Some compile by themselves, as in `cpp`.
    for (name, _) in common::KERNELS
        .iter()
        .filter(|(name, source)| is_alone(name, source))
    {
        compiles(&bundle.dir, &format!("{name}/main.cpp"));
    }
    for (name, from, to) in [
        ("affine", "xTensor.Get(), gammaTensor", "gammaTensor"),
        ("defaults", "static_cast<double>(args.whole)", "&args.whole"),
    ] {
        let case = broken(name, Msopgen, from, to);
        let said = clients(&format!("projects_{name}"), &[case])
            .said()
            .expect_err(from);
        assert!(said.contains("main.cpp"), "{said}");
    }
}

#[test]
fn every_rule_tells_what_breaks_it() {
    for (name, kind, from, to, rule) in FAULTS {
        let case = broken(name, *kind, from, to);
        let (_, _, holds) = RULES
            .iter()
            .find(|(said, ..)| said.contains(rule))
            .expect("a rule");
        assert!(
            holds(&case).is_err(),
            "{name}, {kind}: {from} as {to} keeps the rule: {rule}"
        );
    }
}
