//! Examines the tools for building and launching kernels, and the consequence of each missing one.

use super::chip_of;
use super::compile::DeviceCompiler;
use jumar_acl::find::Installation;
use jumar_acl::sys::Library;
use jumar_acl::{Acl, Device, Path};
use jumar_codegen::{needs, ProjectKind};
use jumar_dsl::check::CheckedKernel;
use jumar_runtime::ascendc::Toolchain;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// The result of looking for one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The thing: `device compiler`.
    pub what: String,
    /// A description of what was found, or of what is missing and what to do.
    pub found: Result<String, String>,
    /// Tasks that are impossible without it.
    pub costs: &'static str,
}

/// The files with the version of a driver.
const DRIVER: [&str; 2] = [
    "/usr/local/Ascend/driver/version.info",
    "/etc/ascend_install.info",
];

/// Looks for everything, from the C++ compiler to the devices, in the installation and this
/// process's environment.
pub fn examine(installation: &Installation) -> Vec<Finding> {
    let mut all = vec![
        cpp_compiler(),
        cann(installation),
        device_compiler(installation),
    ];
    let acl = Acl::load_from(installation.clone());
    all.push(finding(
        "runtime library",
        acl.as_ref().map(opened).map_err(first_line),
        "launches on a device (`--backend npu`)",
    ));
    all.push(finding("driver", driver(), "devices"));
    let Ok(acl) = acl else { return all };
    all.extend(libraries(&acl));
    all.push(launch_ways(&acl));
    let count = acl.device_count();
    all.push(match &count {
        Ok(0) => finding(
            "devices",
            Err(
                "the runtime sees none: `npu-smi info` and ASCEND_RT_VISIBLE_DEVICES say why"
                    .into(),
            ),
            LAUNCHES,
        ),
        Ok(count) => finding("devices", Ok(count.to_string()), LAUNCHES),
        Err(e) => finding("devices", Err(e.to_string()), LAUNCHES),
    });
    for number in 0..count.unwrap_or(0) {
        let device = acl.device(number).and_then(|device| described(&device));
        let known = device.map_err(|e| e.to_string()).and_then(|known| known);
        all.push(finding(
            &format!("device {number}"),
            known,
            "launches on it",
        ));
    }
    all
}

/// Compares the least release of CANN for a kernel with the installed one, and names the kinds of
/// projects that need a later release.
pub fn release_for(kernel: &CheckedKernel, installed: Option<&str>) -> Finding {
    let direct = needs(kernel, ProjectKind::Direct);
    let mut said = direct.to_string();
    for kind in ProjectKind::ALL {
        let release = needs(kernel, kind).release;
        if release > direct.release {
            let _ = write!(said, "; as `--project {kind}` {release}");
        }
    }
    let found = match installed.map(|version| (version, direct.release.is_in(version))) {
        Some((version, Some(false))) => Err(format!("it needs {said}, and {version} is installed")),
        Some((_, Some(true) | None)) | None => Ok(said),
    };
    finding(
        &format!("kernel {}", kernel.kernel().sig.name),
        found,
        "build of it for a device",
    )
}

const LAUNCHES: &str =
    "launches on a device; kernels are checked, emitted, simulated and run on the CPU all the same";

fn finding(what: &str, found: Result<String, String>, costs: &'static str) -> Finding {
    Finding {
        what: what.to_string(),
        found,
        costs,
    }
}

fn first_line(e: &jumar_acl::Error) -> String {
    e.to_string().lines().next().unwrap_or_default().to_string()
}

fn cpp_compiler() -> Finding {
    let found = Toolchain::find()
        .map(|toolchain| toolchain.version().to_string())
        .map_err(|e| e.message().to_string());
    finding(
        "C++ compiler",
        found,
        "running AscendC on the CPU (`jumar cpp`, `--backend cpp`)",
    )
}

fn cann(installation: &Installation) -> Finding {
    let costs = "building for a device and launching on one";
    let Some(home) = &installation.home else {
        let missing = "no folder: source CANN's set_env.sh, or set ASCEND_HOME_PATH";
        return finding("CANN", Err(missing.into()), costs);
    };
    let by = installation
        .named_by
        .as_deref()
        .filter(|by| PathBuf::from(by) != *home);
    let by = by.map(|by| format!(", named by {by}")).unwrap_or_default();
    if !home.is_dir() {
        return finding(
            "CANN",
            Err(format!("{} is no folder{by}", home.display())),
            costs,
        );
    }
    let version = installation
        .version
        .as_deref()
        .unwrap_or("of a version that its files do not say");
    finding(
        "CANN",
        Ok(format!("{version} in {}{by}", home.display())),
        costs,
    )
}

fn device_compiler(installation: &Installation) -> Finding {
    let found =
        DeviceCompiler::find(installation).map(|compiler| compiler.bisheng().display().to_string());
    let found = found.map_err(|e| e.message().lines().next().unwrap_or_default().to_string());
    finding(
        "device compiler",
        found,
        "`jumar build`, and launches of kernels that were not built before",
    )
}

fn opened(acl: &Acl) -> String {
    let files = acl
        .functions()
        .libraries()
        .all()
        .iter()
        .filter(|one| one.library == Library::Acl);
    let files: Vec<_> = files.map(|one| one.file.display().to_string()).collect();
    let version = acl.version().map_or_else(
        |e| format!("; its version: {}", first_line(&e)),
        |v| format!(", interface {v}"),
    );
    format!("{}{version}", files.join(" and "))
}

fn driver() -> Result<String, String> {
    let text = DRIVER
        .iter()
        .find_map(|file| Some((file, fs::read_to_string(file).ok()?)));
    match text {
        Some((file, text)) => {
            let line = text
                .lines()
                .find(|line| line.to_ascii_lowercase().contains("version="))
                .unwrap_or("without a version");
            Ok(format!("{} in {file}", line.trim()))
        }
        None => Err(format!(
            "neither {} is there: the driver package is not installed, or not in this container",
            DRIVER.join(" nor ")
        )),
    }
}

/// Examines the libraries besides that of the runtime.
fn libraries(acl: &Acl) -> Vec<Finding> {
    let of = |library: Library, what, costs| {
        let found = acl
            .functions()
            .libraries()
            .all()
            .iter()
            .find(|one| one.library == library);
        let missing = || format!("no {}", library.files().join(" nor "));
        finding(
            what,
            found
                .map(|one| one.file.display().to_string())
                .ok_or_else(missing),
            costs,
        )
    };
    vec![
        of(
            Library::Runtime,
            "lower runtime",
            "a way to launch that only releases without the newer functions need",
        ),
        of(
            Library::Operators,
            "operator base",
            "aclnn calls of installed operators",
        ),
        of(
            Library::Profiler,
            "profiler",
            "profiles from inside of a program (`Profile`)",
        ),
    ]
}

fn launch_ways(acl: &Acl) -> Finding {
    let ways = Path::ALL
        .iter()
        .filter(|path| acl.functions().have(path.calls()))
        .map(|path| path.name());
    let ways: Vec<_> = ways.collect();
    let found = match ways.is_empty() {
        true => Err("none of the functions that start a kernel from an object".to_string()),
        false => Ok(ways.join(", ")),
    };
    finding(
        "ways to launch",
        found,
        "launches from Rust; `jumar emit --project direct`, `asc` and `msopgen` build programs of their own",
    )
}

/// Describes a device in a line, or says why jumar cannot use it.
fn described(device: &Device) -> Result<Result<String, String>, jumar_acl::Error> {
    let (soc, cores) = (device.soc_name()?, device.vector_cores()?);
    let memory = device
        .memory()
        .map(|(free, total)| format!(", {} of {} MiB free", free >> 20, total >> 20));
    let line = format!("{soc}, {cores} vector cores{}", memory.unwrap_or_default());
    Ok(match chip_of(&soc) {
        Some(chip) => Ok(format!(
            "{line}; kernels are checked for it as {}",
            chip.name
        )),
        None => Err(format!("{line}: jumar has no facts of this chip")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_cann_each_missing_thing_says_what_it_costs() {
        let found = examine(&Installation::at("/nowhere"));
        let missing: Vec<_> = found
            .iter()
            .filter(|f| f.found.is_err())
            .map(|f| f.what.as_str())
            .collect();
        assert!(
            ["CANN", "device compiler", "runtime library"]
                .iter()
                .all(|what| missing.contains(what)),
            "{found:?}"
        );
        assert!(found.iter().all(|f| !f.costs.is_empty()));
    }
}
