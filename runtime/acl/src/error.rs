//! Errors between a program and the device.

use crate::codes;
use crate::sys::Release;
use std::fmt;
use std::path::PathBuf;

/// The reason why a call or a launch failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A call of CANN returned an error code.
    #[error("{0}")]
    Call(Box<Call>),
    /// A call that returns what it made returned null.
    #[error("{call} answered null{}", said(text))]
    Null {
        call: &'static str,
        /// The text of CANN; empty where there is none.
        text: String,
    },
    /// The installation lacks a function.
    #[error("this installation of CANN has no {symbol}: {}", missing(*since, opened))]
    Missing {
        symbol: &'static str,
        /// The first release that we read whose headers have it.
        since: Release,
        /// The libraries that were searched; empty where none of their kind is installed.
        opened: Vec<PathBuf>,
    },
    /// No library of CANN can be opened.
    #[error("{}", not_found(tried))]
    NotFound {
        /// Each file that was tried, with the message of the system's loader.
        tried: Vec<(PathBuf, String)>,
    },
    /// This crate refused the request before CANN saw it.
    #[error("{0}")]
    Refused(String),
    /// A file of the program could not be read or written.
    #[error("{path}: {why}", path = path.display())]
    File {
        path: PathBuf,
        /// The message of the system.
        why: String,
    },
}

/// A call that returned an error code.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub call: &'static str,
    pub code: i32,
    /// The text of CANN; empty where there is none.
    pub text: String,
}

impl Call {
    /// Returns the code's name in CANN's headers.
    pub fn name(&self) -> Option<&'static str> {
        codes::name(self.code)
    }
    /// Returns advice about the code.
    pub fn advice(&self) -> Option<&'static str> {
        codes::advice(self.code)
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} failed with {}", self.call, self.code)?;
        if let Some(name) = self.name() {
            write!(f, " ({name})")?;
        }
        f.write_str(&said(&self.text))?;
        match self.advice() {
            Some(advice) => write!(f, "\n  = help: {advice}"),
            None => Ok(()),
        }
    }
}

impl Error {
    pub(crate) fn call(call: &'static str, code: i32, text: String) -> Self {
        Error::Call(Box::new(Call { call, code, text }))
    }
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Error::Refused(message.into())
    }
    /// Returns CANN's error code; `None` where CANN was not called.
    pub fn code(&self) -> Option<i32> {
        match self {
            Error::Call(call) => Some(call.code),
            Error::Null { .. }
            | Error::Missing { .. }
            | Error::NotFound { .. }
            | Error::Refused(_)
            | Error::File { .. } => None,
        }
    }
    /// True if the work of a stream has ended, perhaps with an error, so that it no longer uses its
    /// memory. A call that waits has some codes for how the work ended; all others say that the
    /// call itself failed.
    pub(crate) fn is_of_finished_work(&self) -> bool {
        let Error::Call(failed) = self else {
            return false;
        };
        let waits = matches!(
            failed.call,
            "aclrtSynchronizeStream" | "aclrtSynchronizeDevice"
        );
        waits && codes::is_of_work(failed.code)
    }
    /// True if another way may succeed: a function is missing, or the release lacks a feature.
    pub(crate) fn is_of_release(&self) -> bool {
        matches!(self, Error::Missing { .. }) || self.code() == Some(207_000)
    }
}

fn said(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!(": {text}")
    }
}

fn missing(since: Release, opened: &[PathBuf]) -> String {
    if opened.is_empty() {
        return format!("it has no library of that kind; release {since} has the function");
    }
    let files: Vec<_> = opened
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    format!(
        "releases from {since} on have it, {} does not",
        files.join(" and ")
    )
}

fn not_found(tried: &[(PathBuf, String)]) -> String {
    let mut text =
        String::from("CANN's runtime library was not found: source CANN's set_env.sh, or set ASCEND_HOME_PATH to its folder");
    for (file, why) in tried {
        // The loader's text begins with the file's name where it has one.
        let file = file.display().to_string();
        let why = why
            .strip_prefix(&file)
            .map_or(why.as_str(), |rest| rest.trim_start_matches(": "));
        text.push_str(&format!("\n  = note: {file}: {why}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_call_code_name_text_and_what_to_do() {
        let error = Error::call("aclrtMalloc", 207_001, "no room for 64 bytes".into());
        let shown = error.to_string();
        let wanted = "aclrtMalloc failed with 207001 (ACL_ERROR_RT_MEMORY_ALLOCATION): no room for 64 bytes\n  = help: the memory of the device \
                      is full: free buffers, or use less at once; `npu-smi info` says who has it";
        assert_eq!(shown, wanted);
        assert_eq!(
            Error::call("aclrtFree", -7, String::new()).to_string(),
            "aclrtFree failed with -7"
        );
        for (call, code, finished) in [
            ("aclrtSynchronizeStream", 507_015, true),
            ("aclrtSynchronizeDevice", 507_054, true),
            ("aclrtSynchronizeStream", 507_000, false),
            ("aclrtSynchronizeStream", 507_004, false),
            ("aclrtSynchronizeStream", 507_046, false),
            ("aclrtSynchronizeStream", 507_899, false),
            ("aclrtSetCurrentContext", 507_015, false),
        ] {
            assert_eq!(
                Error::call(call, code, String::new()).is_of_finished_work(),
                finished,
                "{call} {code}"
            );
        }
        let error = Error::Missing {
            symbol: "aclrtBinaryLoadFromData",
            since: Release::V8_5,
            opened: vec!["libascendcl.so".into()],
        };
        let wanted =
            "this installation of CANN has no aclrtBinaryLoadFromData: releases from 8.5.0 on have it, libascendcl.so does not";
        assert_eq!(error.to_string(), wanted);
    }
}
