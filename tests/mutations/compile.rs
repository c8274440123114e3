//! Compiles emitted texts with g++ against the headers of the CPU build.

use super::text::Emitted;
use std::path::Path;
use std::process::Command;

/// Returns the names of the kernel functions in a text, each with its number of addresses: those of
/// tensors and workspace.
fn entries(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let heads = text
        .split("__global__")
        .skip(1)
        .filter_map(|behind| behind.split_once(')'))
        .filter_map(|(head, _)| head.split_once('('));
    heads.filter_map(|(head, params)| {
        Some((head.rsplit(' ').next()?, params.matches("GM_ADDR ").count()))
    })
}

/// Compiles the projects of one text.
pub fn judge(number: u64, projects: &Emitted) -> Result<&'static str, String> {
    for (name, tensors, data, project) in projects {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("mutations")
            .join(number.to_string())
            .join(name);
        std::fs::create_dir_all(&dir).map_err(|e| e.to_string())?;
        let write = |file: &str, text: &str| {
            std::fs::write(dir.join(file), text).map_err(|e| e.to_string())
        };
        for file in project.files.iter().filter(|f| !f.path.contains('/')) {
            write(&file.path, &file.text)?;
        }
        // Only bisheng knows the launch brackets, so they are replaced.
        let kernel = project
            .files
            .iter()
            .find(|f| f.text.contains("__global__"))
            .ok_or("no kernel in the project")?;
        if kernel.path.ends_with(".asc") {
            let plain = kernel
                .text
                .replace("<<<blockDim, nullptr, stream>>>(", "(")
                .replace("const uint32_t blockDim = ", "(void)stream;\n(void)");
            write("plain.cpp", &plain)?;
            compiles(&dir, &["plain.cpp"])?;
            continue;
        }
        for (entry, addresses) in entries(&kernel.text) {
            if addresses < *tensors {
                return Err(format!(
                    "`{entry}` takes {addresses} addresses of {tensors} tensors"
                ));
            }
            let params = format!(
                "uint32_t, aclrtStream, {}{data} *",
                "void *, ".repeat(addresses)
            );
            write(
                &format!("aclrtlaunch_{entry}.h"),
                &format!("extern \"C\" uint32_t aclrtlaunch_{entry}({params});\n"),
            )?;
        }
        compiles(&dir, &[&kernel.path, "main.cpp"])?;
    }
    Ok("compiles")
}

fn compiles(dir: &Path, files: &[&str]) -> Result<(), String> {
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/ascendc/include");
    let mut g = Command::new("g++");
    g.args([
        "-std=c++17",
        "-fsyntax-only",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-x",
        "c++",
        "-I",
    ])
    .arg(headers)
    .arg("-I")
    .arg(dir);
    let out = g
        .args(files.iter().map(|f| dir.join(f)))
        .output()
        .map_err(|e| format!("g++: {e}; install the package g++"))?;
    let said = String::from_utf8_lossy(&out.stderr);
    let first = said
        .lines()
        .find(|l| l.contains("error"))
        .unwrap_or_default();
    if out.status.success() {
        Ok(())
    } else {
        Err(format!("the emitted text is no C++: {first}"))
    }
}
