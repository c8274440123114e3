//! Files that hold a wrong kernel and its right twin.
//!
//! A line with `//-` belongs to the wrong kernel alone, one that begins with `//+` to the twin
//! alone. Lines keep their numbers.

/// Returns the text of the twin. The file itself is the wrong kernel's text: there a line of the
/// twin is a comment.
pub fn twin(text: &str) -> String {
    text.lines().map(|line| line_of_twin(line) + "\n").collect()
}

fn line_of_twin(line: &str) -> String {
    let code = line.trim_start();
    match code.strip_prefix("//+ ") {
        Some(own) => format!("{}{own}", &line[..line.len() - code.len()]),
        None if line.contains("//-") => String::new(),
        None => line.into(),
    }
}
