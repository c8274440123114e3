use super::report::{errors, judged, quantile, rows, sorted, Row, FAR};
use super::*;
use std::collections::BTreeSet;

#[test]
fn enough_records_are_rebuilt_and_each_once() {
    let records = Records::read(RECORDS).expect("records");
    let ids: BTreeSet<&str> = records.all.iter().map(|record| record.id).collect();
    assert_eq!(ids.len(), records.all.len(), "an id stands twice");
    assert!(ids.len() >= 55, "{}", ids.len());
    assert!(records.all.iter().all(|record| !record.source.is_empty()));
}

#[test]
fn predictions_are_as_near_as_the_page_says() {
    let records = Records::read(RECORDS).expect("records");
    let rows = rows(&records).expect("predictions");
    assert!(errors(rows.iter().map(Row::error)).mean < 0.15);
    for class in [
        "bandwidth",
        "straight vector",
        "L2",
        "one address",
        "launch",
    ] {
        let of = rows.iter().filter(|row| row.record.class == class);
        let errors = errors(of.map(Row::error));
        assert!(errors.mean < 0.10 && errors.worst < 0.15, "{class}");
    }
}

#[test]
fn a_record_has_a_reason_where_it_is_far_off_and_only_there() {
    let records = Records::read(RECORDS).expect("records");
    let rows = rows(&records).expect("predictions");
    let far = rows.iter().filter(|row| row.error().abs() > FAR);
    let far: BTreeSet<&str> = far.map(|row| row.record.id).collect();
    let reasons: BTreeSet<&str> = records.reasons.iter().map(|reason| reason.0).collect();
    assert_eq!(far, reasons);
}

#[test]
fn bytes_decide_where_the_law_of_memory_holds() {
    let all = judged().expect("predictions");
    let errors = sorted(all.iter().filter(|one| one.kernel.group == "law"));
    let (median, p90) = (quantile(&errors, 0.5), quantile(&errors, 0.9));
    assert!(median < 0.10 && p90 < 0.25, "median {median}, p90 {p90}");
}

#[test]
fn a_description_has_all_of_its_numbers_and_no_others() {
    for (text, wanted) in [
        ("amax", "`blocks` is missing"),
        ("amax blocks=1 tile=2", "nothing reads `tile`"),
        ("amax blocks=one", "`blocks=one` is no number"),
        ("fold blocks=1", "no generator is called `fold`"),
        ("repeat 2 V Add", "line 3 of the trace: it ends too early"),
    ] {
        let made = events::made("ascend910b1", text);
        assert_eq!(made.err().as_deref(), Some(wanted), "{text}");
    }
}
