//! The macro on the wrong and right kernels of the error pages: codes, messages and carets as rustc prints them.
//!
//! The cases in `fail` and `pass` are written by `tests/errors.rs`; those in `forms` are mistakes that a code's page does not show. After a change of a message `TRYBUILD=overwrite cargo test --test suite ui`
//! refreshes the `.stderr` files; read the carets before committing them.

#[test]
fn macro_reports_what_the_pages_say() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/fail/*.rs");
    cases.compile_fail("tests/ui/forms/*.rs");
    cases.pass("tests/ui/pass/*.rs");
}
