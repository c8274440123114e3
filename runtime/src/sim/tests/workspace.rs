//! Workspaces: tensors in GM of the kernel itself, which begin without values.

use crate::array::Array;
use crate::{Launch, RunError};
use jumar_dsl::check::check;
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::front::parse_file;
use jumar_dsl::soc::Chip;

/// Runs statements from line 9 on in four blocks, each with eight elements of `y` and of the
/// workspace `w`. `put` stores a tensor of numbers there, `o` is such a tensor, and `t` receives
/// loads.
pub(super) fn run(stmts: &str) -> Result<Vec<f64>, RunError> {
    let text = format!(
        "#[kernel]\nfn k(#[shape(32)] x: &GlobalTensor<f32>, #[shape(32)] y: &mut GlobalTensor<f32>, n: usize) {{\n\
         let share = split(x.len()).unit(8).block_dim(4); let at = share.start(); let len = share.len().min(8);\n\
         let w = workspace::<f32>(n); let mut pipe = TPipe::new();\n\
         let (mut a, mut b, mut e) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());\n\
         pipe.init_buffer(&mut a, 1, 128); pipe.init_buffer(&mut b, 1, 128); pipe.init_buffer(&mut e, 1, 32);\n\
         let o = b.alloc_tensor::<f32>(); vec::duplicate(&o, 1.0, 32); b.enque(o); let o = b.deque::<f32>();\n\
         let t = a.alloc_tensor::<f32>();\n{stmts}\na.enque(t); let t = a.deque::<f32>(); b.free_tensor(o);\n\
         let o = b.alloc_tensor::<f32>(); vec::relu(&o, &t, len); a.free_tensor(t); b.enque(o);\n\
         let o = b.deque::<f32>(); data_copy_pad(y.slice(at, len), &o); b.free_tensor(o);\n}}"
    );
    let parsed = parse_file(&text)
        .unwrap_or_else(|(d, _)| panic!("{}", d.message))
        .remove(0);
    let said: Vec<_> = parsed
        .diagnostics
        .iter()
        .map(|d| d.message.as_str())
        .collect();
    let kernel = parsed.kernel.unwrap_or_else(|| panic!("{said:?}\n{text}"));
    let kernel =
        check(&kernel, Chip::default_chip()).unwrap_or_else(|d| panic!("{}\n{text}", d[0].message));
    let (x, mut y) = (
        Array::zeros(DType::F32, &[32]).unwrap(),
        Array::zeros(DType::F32, &[32]).unwrap(),
    );
    Launch::new(&kernel)
        .pipes(true)
        .input("x", &x)
        .output("y", &mut y)
        .attr("n", 40i64)
        .run()?;
    Ok(y.to_f64())
}

/// Returns code, line and message of the fault of some statements.
#[track_caller]
pub(super) fn fault(stmts: &str) -> (Code, u32, String) {
    let error = run(stmts).expect_err(stmts);
    let fault = error.fault().unwrap_or_else(|| panic!("refused: {error}"));
    (fault.code, fault.line, fault.message.clone())
}

#[test]
fn a_block_finds_what_it_wrote_and_nothing_else_has_a_value() {
    let all = "if n >= at + len { data_copy_pad(w.slice(at, len), &o); }\n";
    let there = format!("{all}if n >= at + len {{ data_copy_pad(&t, w.slice(at, len)); }}");
    assert_eq!(run(&there).unwrap(), [1.0; 32]);
    // One element too few is written; another block's elements are read.
    let text = |element| {
        format!("the copy reads element {element} of workspace `w`, which neither this block has written nor another one before a `sync_all`")
    };
    let short =
        "if n >= at + 7 { data_copy_pad(w.slice(at, 7), &o); }\nif n >= at + len { data_copy_pad(&t, w.slice(at, len)); }";
    assert_eq!(fault(short), (Code::J0802, 10, text(7)));
    let other = format!("{all}if n >= at + 9 {{ data_copy_pad(&t, w.slice(at + 1, 8)); }}");
    assert_eq!(fault(&other), (Code::J0802, 10, text(8)));
    assert_eq!(
        fault("if n >= 8 {\ndata_copy_pad(&t, w.slice(0, 8)); }"),
        (Code::J0802, 10, text(0))
    );
}

#[test]
fn blocks_that_write_one_element_of_a_workspace_are_found() {
    // The checker does not know which element is read.
    let (code, line, message) =
        fault("let f = e.get::<f32>(); vec::duplicate(&f, 1.0, 8); let d = (f.get_value(0) as usize).min(1); if n >= at + 8 + d { data_copy_pad(w.slice(at, 8 + d), &o); }\nif n >= at + 8 { data_copy_pad(&t, w.slice(at, 8)); }");
    assert_eq!((code, line), (Code::J0809, 9));
    assert!(
        message.starts_with("block 1 stores element 8 of `w`, which block 0 stores in line 9:"),
        "{message}"
    );
}

#[test]
fn a_workspace_of_no_possible_length_is_refused_by_the_host() {
    let text = "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, k: usize) {\n\
         let w = workspace::<f32>(n * n - k); let share = split(n).unit(8); let mut pipe = TPipe::new(); let mut q = TQue::<VecOut, 1>::new();\n\
         pipe.init_buffer(&mut q, 1, 32); let t = q.alloc_tensor::<f32>(); vec::duplicate(&t, 0.0, 8); q.enque(t); let t = q.deque::<f32>();\n\
         let len = share.len().min(8); data_copy_pad(y.slice(share.start(), len), &t); q.free_tensor(t);\n}";
    let kernel = parse_file(text)
        .unwrap_or_else(|(d, _)| panic!("{}", d.message))
        .remove(0)
        .kernel
        .expect("a kernel");
    let kernel =
        check(&kernel, Chip::default_chip()).unwrap_or_else(|d| panic!("{}", d[0].message));
    let launch = |k: i64| {
        let (x, mut y) = (
            Array::zeros(DType::F32, &[8]).unwrap(),
            Array::zeros(DType::F32, &[8]).unwrap(),
        );
        Launch::new(&kernel)
            .input("x", &x)
            .output("y", &mut y)
            .attr("k", k)
            .run()
            .map(|report| report.items[0].workspace)
    };
    // A launch has 16 elements of 4 bytes, aligned to the next line of GM.
    assert_eq!((launch(64), launch(48)), (Ok(0), Ok(512)));
    let refused = launch(65).expect_err("a length below zero");
    assert_eq!(
        (refused.code(), refused.message()),
        (
            Code::J0606,
            "workspace `w` has less than 0 elements or more than 1099511627776"
        )
    );
}
