//! The memory that a run may take. It is checked before arrays are made, so an oversized shape
//! gives a message and not a killed process.

use std::fs::read_to_string;

/// Returns the bytes that this process may still take, or `None` if the system does not say.
pub fn available() -> Option<u64> {
    let limits = [meminfo(), cgroup()];
    limits.into_iter().flatten().min()
}

/// Reads `MemAvailable` of Linux.
fn meminfo() -> Option<u64> {
    let text = read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// Returns the bytes that a container may still take.
fn cgroup() -> Option<u64> {
    let number = |path| read_to_string(path).ok()?.trim().parse::<u64>().ok();
    Some(
        number("/sys/fs/cgroup/memory.max")?
            .saturating_sub(number("/sys/fs/cgroup/memory.current")?),
    )
}

/// Writes a number of bytes for people: `3.2 GiB`.
pub fn spelled(bytes: u64) -> String {
    const UNITS: [&str; 7] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let unit = (63 - bytes.max(1).leading_zeros() as usize) / 10;
    if unit == 0 {
        return format!("{bytes} bytes");
    }
    format!(
        "{:.1} {}",
        bytes as f64 / (1u64 << (10 * unit)) as f64,
        UNITS[unit]
    )
}

#[cfg(test)]
mod tests {
    use super::spelled;

    #[test]
    fn bytes_are_spelled_in_their_largest_unit() {
        let all = [0, 1023, 1024, 1 << 30, u64::MAX].map(spelled);
        assert_eq!(
            all,
            ["0 bytes", "1023 bytes", "1.0 KiB", "1.0 GiB", "16.0 EiB"]
        );
    }
}
