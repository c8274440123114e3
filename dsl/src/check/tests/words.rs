//! Texts of findings that depend on the kernel or the chip: parts that must be present, and parts
//! that must not.

use super::frames::{with_sums, with_tensors, with_tensors_aligned};
use super::*;

struct Said {
    code: &'static str,
    chip: &'static str,
    text: String,
    says: &'static [&'static str],
    never: &'static [&'static str],
}

/// Returns message, labels, notes and help of each finding with the code of a row.
fn told(row: &Said) -> String {
    let chip = Chip::by_name(row.chip).expect("a chip");
    let kernel = parse_file(&row.text)
        .expect("Rust")
        .remove(0)
        .kernel
        .expect("a kernel");
    let found = match check(&kernel, chip) {
        Ok(checked) => checked.warnings().to_vec(),
        Err(found) => found,
    };
    let all: Vec<_> = found.iter().map(|d| d.code.to_string()).collect();
    assert!(
        all.iter().any(|code| code == row.code),
        "{all:?} for\n{}",
        row.text
    );
    let text =
        |d: &Diagnostic| format!("{}\n{:?}\n{:?}\n{:?}", d.message, d.labels, d.notes, d.help);
    found
        .iter()
        .filter(|d| d.code.to_string() == row.code)
        .map(text)
        .collect::<Vec<_>>()
        .join("\n\n")
}

fn rows() -> Vec<Said> {
    let tiles = |body: &str| {
        format!("#[kernel]\nfn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {{\nfor t in tiles(x) {{\nlet v = x.at(t).load(); {body}\n}}\n}}")
    };
    let largest = |dtype: &str| {
        format!("#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<{dtype}>, #[shape(n)] y: &mut GlobalTensor<{dtype}>) {{\nfor r in tiles(n) {{ y.at(r).store(x.at(r, ..).load().amax(d)); }}\n}}")
    };
    let b1 = "ascend910b1";
    let said = |code, chip, text, says, never| Said {
        code,
        chip,
        text,
        says,
        never,
    };
    let turns = |body: &str| with_sums(&format!("if get_block_idx() == 0 {{ {body} }}"));
    let in_place = "#[kernel]\nfn k(#[shape(4096)] #[inplace] y: &mut GlobalTensor<f32>) {\nlet mut pipe = TPipe::new();\n\
         let (mut a, mut b) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new()); pipe.init_buffer(&mut a, 2, 256); pipe.init_buffer(&mut b, 2, 256);\n\
         for i in 0..32 { let t = a.alloc_tensor::<f32>();\ndata_copy_pad(&t, y.slice(i * 60, 64));\n\
         a.enque(t); let t = a.deque::<f32>(); let r = b.alloc_tensor::<f32>(); vec::relu(&r, &t, 64); a.free_tensor(t); b.enque(r); let r = b.deque::<f32>();\n\
         data_copy_pad(y.slice(i * 60, 64), &r);\nb.free_tensor(r); }\n}";
    let rows_of = |tile: &str| {
        format!("#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<i64>, #[shape(n, d)] y: &mut GlobalTensor<i64>) {{\nfor r in tiles(n) {{ y.at(r, ..).store({tile}); }}\n}}")
    };
    vec![
        said(
            "J0203",
            b1,
            rows_of("x.at(r).load().expand(d)"),
            &["expand does not take i64", "it takes f16, bf16, f32, i32, i16, u16, u32"],
            &["Max"],
        ),
        // The text does not recommend DataCopyPad for a chip that lacks it.
        said(
            "J0306",
            b1,
            with_tensors("data_copy(&a1, z.slice(0, 7));"),
            &["7 elements is 28 bytes, not a multiple of 32", "`data_copy_pad` copies any"],
            &[],
        ),
        said(
            "J0306",
            "ascend310p",
            with_tensors_aligned(";;data_copy(&a1, z.slice(0, 7));").replace("; ;;", ";;"),
            &["28 bytes"],
            &["copies any"],
        ),
        said(
            "J0901",
            b1,
            tiles("y.at(t).store(v.rsqrt());"),
            &["result of Rsqrt is an approximation", "`1.0 / x.sqrt()` is exact"],
            &[],
        ),
        said(
            "J0901",
            b1,
            tiles("y.at(t).store(v.reciprocal());"),
            &["result of Reciprocal is an approximation", "`1.0 / x` is exact"],
            &[],
        ),
        // The list includes the types that composed ops take.
        said(
            "J0203",
            b1,
            largest("bf16"),
            &["amax (ReduceMax) does not take bf16 on ascend910b1; it takes f16, f32, i32, i8, i64, i16, u8, u16, u32"],
            &["bool"],
        ),
        said(
            "J0203",
            "ascend310p",
            largest("i64"),
            &["amax (ReduceMax) does not take i64 on ascend310p; it takes f16, f32, i32"],
            &["i8", "i16"],
        ),
        // The fix repeats the index as written by the author.
        said(
            "J0416",
            b1,
            turns("y.set_value(get_block_idx() * 16, 1.0);"),
            &["element 0 of `y`", "`y.data_cache_clean_and_invalid(i)` behind it, with the index of the element"],
            &["invalid(0)"],
        ),
        // One statement in two iterations, and two statements.
        said(
            "J0411",
            b1,
            turns("for i in 0..4 {\ndata_copy_pad(y.slice(i * 8, 16), &q);\n}"),
            &["copy stores 16 elements of `y` from 8 behind the first that the iteration before stored"],
            &["the earlier one"],
        ),
        said("J0411", b1, in_place.to_string(), &["the earlier one", "copy loads 64 elements", "iteration before stored"], &[]),
    ]
}

#[test]
fn findings_say_what_is_so_here() {
    let mut failed = String::new();
    for row in rows() {
        let told = told(&row);
        let right = row.says.iter().all(|part| told.contains(part))
            && !row.never.iter().any(|part| told.contains(part));
        if !right {
            failed += &format!(
                "{} {:?}, never {:?}:\n{told}\n",
                row.code, row.says, row.never
            );
        }
    }
    assert!(failed.is_empty(), "{failed}");
}
