//! Small kernels of the queue level, wrong ones beside right ones that differ in what matters.
//!
//! `//^ J0405` at the end of a line is the finding expected there, and no other is: a kernel without a mark is clean.

mod bounds;
mod cores;
mod memory;
mod queues;

use super::*;
use crate::diag::byte_range;
use crate::front::parse_file;

/// Findings of the first kernel of a text on a chip, as line and code, and their messages.
fn findings(text: &str, chip: &'static Chip) -> (Vec<(u32, String)>, String) {
    let parsed = parse_file(text).unwrap_or_else(|(d, _)| panic!("{}\n{text}", d.message)).remove(0);
    let kernel = parsed.kernel.unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics));
    let found = match check(&kernel, chip) {
        Ok(checked) => checked.warnings().to_vec(),
        Err(found) => found,
    };
    let at = |d: &Diagnostic| kernel.spans[d.span().index()];
    found.iter().for_each(|d| assert!(!byte_range(text, at(d)).is_empty(), "{}: {} has no place\n{text}", d.code, d.message));
    let lines = found.iter().map(|d| (at(d).line, d.code.to_string())).collect();
    let said = found.iter().map(|d| format!("{}: {} {:?} {:?}", at(d).line, d.message, d.notes, d.help)).collect::<Vec<_>>();
    (lines, said.join("\n"))
}

/// Checks every kernel of a table against its marks.
fn judge(table: &[&str], whole: impl Fn(&str) -> String, chip: &str) {
    let chip = Chip::by_name(chip).expect("a chip");
    let mut failed = String::new();
    for case in table {
        let text = whole(case);
        let marks = text.lines().zip(1..).filter_map(|(l, n)| l.split_once("//^ ").map(|(_, codes)| (n, codes)));
        let mut want: Vec<_> = marks.flat_map(|(n, codes)| codes.split(' ').map(move |c| (n, c.to_string()))).collect();
        let (mut got, said) = findings(&text, chip);
        want.sort();
        got.sort();
        if got != want {
            failed += &format!("{text}\nwanted {want:?}\n   got {got:?}\n{said}\n\n");
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

/// A kernel with a VECIN queue `a` and a VECOUT queue `b` of two buffers of 8192 bytes, and a TBuf `c` of 8192.
/// Its outputs have a share of their own in every block.
fn with_queues(body: &str) -> String {
    format!(
        "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, flag: bool, turns: usize) {{\n\
         let share = split(x.len()).unit(8);\nlet (at, len) = (share.start(), share.len().min(2048));\n\
         let mut pipe = TPipe::new();\n\
         let (mut a, mut b, mut c) = (TQue::<VecIn, 2>::new(), TQue::<VecOut, 2>::new(), TBuf::<VecCalc>::new());\n\
         pipe.init_buffer(&mut a, 2, 8192);\npipe.init_buffer(&mut b, 2, 8192);\npipe.init_buffer(&mut c, 1, 8192);\n\
         let t = b.alloc_tensor::<f32>();\nvec::duplicate(&t, 0.0, len);\nb.enque(t);\n\
         let t = b.deque::<f32>();\ndata_copy_pad(y.slice(at, len), &t);\nb.free_tensor(t);\n{body}\n}}"
    )
}

/// The same queues and buffer, and more tensors: `case` is what the kernel requires, then `;;`, then its statements.
/// `a1` is a tensor of the VECIN queue that has been allocated, `c1` the TBuf.
fn with_tensors(case: &str) -> String {
    let (requires, body) = case.split_once(";;").unwrap_or(("", case));
    let requires = if requires.is_empty() { String::new() } else { format!("{requires};") };
    format!(
        "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m)] w: &GlobalTensor<f32>, #[shape(64)] z: &GlobalTensor<f32>,\n\
         #[shape(r, d)] v: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, at: usize, k: usize, flag: bool, s: i32) {{\n\
         {requires}\nlet share = split(x.len()).unit(8);\nlet len = share.len().min(2048);\nlet mut pipe = TPipe::new();\n\
         let (mut a, mut b, mut c) = (TQue::<VecIn, 2>::new(), TQue::<VecOut, 2>::new(), TBuf::<VecCalc>::new());\n\
         pipe.init_buffer(&mut a, 2, 8192);\npipe.init_buffer(&mut b, 2, 8192);\npipe.init_buffer(&mut c, 1, 8192);\n\
         let t = b.alloc_tensor::<f32>();\nlet c1 = c.get::<f32>();\nvec::duplicate(&t, 0.0, len);\nb.enque(t);\n\
         let t = b.deque::<f32>();\ndata_copy_pad(y.slice(share.start(), len), &t);\nb.free_tensor(t);\n\
         let a1 = a.alloc_tensor::<f32>();\n{body}\na.free_tensor(a1);\n}}"
    )
}
