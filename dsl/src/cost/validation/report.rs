//! The tables of the validation.

use super::{Kernel, Quantity, Record, Records, ELEMENT_WISE, RECORDS};
use std::fmt::Write;

/// From this error on, a record needs a reason.
pub(super) const FAR: f64 = 0.4;

/// A record with its prediction.
pub(super) struct Row<'a> {
    pub record: &'a Record,
    pub predicted: f64,
    /// The measured part of the least time of a launch; of other records none.
    of_bound: Option<f64>,
}

impl Row<'_> {
    pub fn error(&self) -> f64 {
        self.predicted / self.record.measured - 1.0
    }
}

/// Predicts all records.
pub(super) fn rows(records: &Records) -> Result<Vec<Row<'_>>, String> {
    let predict = |record| {
        let (predicted, all) =
            Record::predict(record).map_err(|e| format!("{}: {e}", record.id))?;
        let is_launch = record.quantity == Quantity::Launch;
        Ok(Row {
            record,
            predicted,
            of_bound: is_launch.then(|| record.measured / all.bound),
        })
    };
    records.all.iter().map(predict).collect()
}

/// The mean and the greatest of some errors, without their signs.
pub(super) struct Errors {
    pub count: usize,
    pub mean: f64,
    pub worst: f64,
}

pub(super) fn errors(all: impl Iterator<Item = f64>) -> Errors {
    let all: Vec<f64> = all.map(f64::abs).collect();
    Errors {
        count: all.len(),
        mean: all.iter().sum::<f64>() / all.len().max(1) as f64,
        worst: all.iter().copied().fold(0.0, f64::max),
    }
}

/// Returns the first of `all` of each kind, in their order.
fn kinds<'a>(all: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

/// Returns the number that a part of the sorted errors does not exceed.
pub(super) fn quantile(sorted: &[f64], part: f64) -> f64 {
    let at = (sorted.len().saturating_sub(1) as f64 * part).round() as usize;
    sorted.get(at).copied().unwrap_or(f64::NAN)
}

/// Returns all tables as text.
///
/// # Errors
/// A table of this crate is damaged.
pub fn report() -> Result<String, String> {
    let records = Records::read(RECORDS)?;
    let rows = rows(&records)?;
    let mut text = String::from(
        "published times of vector cores, predicted; * helped to choose a constant or a rule\n\n",
    );
    let percent = |error: f64| error * 100.0;
    for class in kinds(rows.iter().map(|row| row.record.class)) {
        let _ = writeln!(text, "{class}");
        for row in rows.iter().filter(|row| row.record.class == class) {
            let record = row.record;
            let _ = writeln!(
                text,
                "  {:16}{} {:>9.2} {:>9.2} {}  {:+6.1} %",
                record.id,
                if record.fitted { '*' } else { ' ' },
                record.measured,
                row.predicted,
                record.quantity.unit(),
                percent(row.error())
            );
        }
    }
    let _ = writeln!(
        text,
        "\n{:20} records     mean    worst   mean of those not fitted",
        "class"
    );
    let mut line = |name: &str, of: &dyn Fn(&&Row<'_>) -> bool| {
        let all = errors(rows.iter().filter(of).map(Row::error));
        let own = |row: &&Row<'_>| of(row) && !row.record.fitted;
        let others = errors(rows.iter().filter(own).map(Row::error));
        let others = match others.count {
            0 => "      -".to_string(),
            _ => format!("{:5.1} %", percent(others.mean)),
        };
        let _ = writeln!(
            text,
            "{name:20} {:7}  {:5.1} %  {:5.1} %  {others}",
            all.count,
            percent(all.mean),
            percent(all.worst)
        );
    };
    for class in kinds(rows.iter().map(|row| row.record.class)) {
        line(class, &|row| row.record.class == class);
    }
    line("all", &|_| true);
    let _ = writeln!(text, "\nmore than {:.0} % off:", percent(FAR));
    for row in rows.iter().filter(|row| row.error().abs() > FAR) {
        let why = records.reason(row.record.id).unwrap_or("?");
        let _ = writeln!(text, "  {}: {why}", row.record.id);
    }
    let _ = writeln!(text, "\nnot rebuilt:");
    for left in &records.left {
        let _ = writeln!(text, "  {:3}  {}", left.count, left.text);
    }
    let least = rows.iter().filter_map(|row| row.of_bound);
    let _ = writeln!(
        text,
        "\nthe fastest launch took {:.2} of its bound",
        least.fold(f64::INFINITY, f64::min)
    );
    text += "\nkernels of the vendor on ascend910b2, by their bytes\n\n";
    text += &kernels()?;
    Ok(text)
}

/// A kernel of the vendor with the error of its prediction.
pub(super) struct Judged {
    pub kernel: Kernel,
    pub error: f64,
}

/// Predicts all kernels of the vendor.
pub(super) fn judged() -> Result<Vec<Judged>, String> {
    let judge = |kernel: Kernel| {
        let error = kernel.predict()? / kernel.measured - 1.0;
        Ok(Judged { kernel, error })
    };
    Kernel::read(ELEMENT_WISE)?.into_iter().map(judge).collect()
}

/// Returns the sorted errors, without their signs.
pub(super) fn sorted<'a>(all: impl Iterator<Item = &'a Judged>) -> Vec<f64> {
    let mut errors: Vec<f64> = all.map(|one| one.error.abs()).collect();
    errors.sort_by(f64::total_cmp);
    errors
}

/// Returns the errors of the law of memory, by group and kernel.
fn kernels() -> Result<String, String> {
    let all = judged()?;
    let mut text = format!(
        "{:12} {:22} records   median      p90    worst\n",
        "group", "kernel"
    );
    let mut line = |group: &str, name: &str, errors: Vec<f64>| {
        let at = |part| 100.0 * quantile(&errors, part);
        let _ = writeln!(
            text,
            "{group:12} {name:22} {:7}  {:5.1} %  {:5.1} %  {:5.1} %",
            errors.len(),
            at(0.5),
            at(0.9),
            at(1.0)
        );
    };
    for group in kinds(all.iter().map(|one| one.kernel.group)) {
        let of = || all.iter().filter(|one| one.kernel.group == group);
        for name in kinds(of().map(|one| one.kernel.name)) {
            line(
                group,
                name,
                sorted(of().filter(|one| one.kernel.name == name)),
            );
        }
        line(group, "all", sorted(of()));
    }
    Ok(text)
}
