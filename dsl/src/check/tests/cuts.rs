//! Results that depend on the cut, J0214, beside those that do not: what an attacker of the rule found, and its siblings.

use super::judge;

/// A kernel of `params | body`.
fn kernel(case: &str) -> String {
    let (params, body) = case.split_once(" | ").expect("parameters and a body");
    format!("#[kernel]\nfn k({params}) {{\n{body}\n}}")
}

/// Which core one is on, and how many there are, outside of loops.
const CORES: &[&str] = &[
    "#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32> | let mut w = 0;\nw = get_block_idx(); //^ J0214\nfor t in tiles(n) { y.at(t).store(x.at(t).load() + w as f32); }",
    "#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32> | let b = full((), get_block_num() as f32); //^ J0214\nfor t in tiles(n) { y.at(t).store(x.at(t).load() + b); }",
    "#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32> | let w = get_block_num();\nlet b = full((), w as f32); //^ J0214\nfor t in tiles(n) { y.at(t).store(x.at(t).load() + b); }",
    "#[shape(n)] x: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<f32> | let mut c = across_cores::<f32>((), get_block_num() as f32); //^ J0214\nfor t in tiles(n) { c += x.at(t).load().sum(t); }\ny.at().store(c);",
    "#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[shape()] z: &mut GlobalTensor<f32> | for t in tiles(n) { y.at(t).store(x.at(t).load()); }\nz.at().store(full((), get_block_num() as f32)); //^ J0214",
    "#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32> | if get_block_num() > 3 { //^ J0214\nfor t in tiles(n) { y.at(t).store(x.at(t).load()); } } else { for t in tiles(n) { y.at(t).store(x.at(t).load() * 2.0); } }",
    "#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32> | let mut w = 0.0;\nif get_block_idx() == 0 { //^ J0214\nw = 1.0; }\nfor t in tiles(n) { y.at(t).store(x.at(t).load() + w); }",
    "#[shape(n)] x: &GlobalTensor<f32>, #[inplace] y: &mut GlobalTensor<f32> | for p in 0..get_block_num() { //^ J0214\nfor t in tiles(n) { y.at(t).store(x.at(t).load() + y.at(t).load()); } }",
    "#[shape(n)] x: &GlobalTensor<f32>, #[inplace] y: &mut GlobalTensor<f32> | for t in tiles(0..get_block_num().min(n)) { //^ J0214\ny.at(t).store(x.at(t).load()); }",
    "#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32> | require(n >= 100);\nlet w = x.at(get_block_idx().min(n - 1)).load().scalar(); //^ J0214\nfor t in tiles(n) { y.at(t).store(x.at(t).load() + w); }",
    // A name that nobody computes with.
    "#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32> | let w = get_block_idx();\nfor t in tiles(n) { y.at(t).store(x.at(t).load()); }",
    // Where it is used is where it is told.
    "#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32> | let w = get_block_idx() as f32;\nfor t in tiles(n) {\ny.at(t).store(x.at(t).load() + w); //^ J0214\n}",
];

/// Parts that become other integers.
const CONVERTED: &[&str] = &[
    "#[shape(n)] x: &GlobalTensor<i32>, #[shape()] y: &mut GlobalTensor<i32> | let mut c = across_cores::<i32>((), 0);\nfor t in tiles(n) { c += x.at(t).load().sum(t).cast::<u32>().cast::<i32>(); //^ J0214\n}\ny.at().store(c);",
    "#[shape(n)] x: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<i32> | let mut c = across_cores::<i32>((), 0);\nfor t in tiles(n) { c += x.at(t).load().floor().sum(t).cast::<i16>().cast::<i32>(); //^ J0214\n}\ny.at().store(c);",
    "#[shape(n)] x: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<i32> | let mut c = across_cores::<i32>((), 0);\nfor t in tiles(n) { c += x.at(t).load().floor().sum(t).cast::<u8>().cast::<i32>(); //^ J0214\n}\ny.at().store(c);",
    "#[shape(n)] x: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<i32> | let mut c = across_cores::<i32>((), 0);\nfor t in tiles(n) { c += x.at(t).load().floor().sum(t).cast::<i32>(); }\ny.at().store(c);",
    // A largest one that has no place becomes the nearest end, and is the largest still.
    "#[shape(n)] x: &GlobalTensor<i32>, #[shape()] y: &mut GlobalTensor<i32> | let mut c = across_cores::<i32>((), i32::MIN);\nfor t in tiles(n) { let m = x.at(t).load().amax(t).cast::<i16>().cast::<i32>(); c = c.max(m); }\ny.at().store(c);",
];

/// What a turn assigns of its own, and what it holds in between.
const ASSIGNED: &[&str] = &[
    // An online softmax with a mask that may be left out.
    "#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(m, d)] w: Option<&GlobalTensor<f32>>, #[shape(d)] y: &mut GlobalTensor<f32> | require(m >= 1);\nfor t in tiles(d) { let mut s = full(t, -1e30); let mut l = full(t, 0.0);\nfor j in tiles(m) { let mut v = x.at(j, t).load();\nif let Some(w) = w { v = v + w.at(j, t).load(); }\nlet p = s.max(v.amax(j)); l = l * (s - p).exp() + (v - p).exp().sum(j); s = p; }\ny.at(t).store(l); }",
    "#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>, f: bool | require(m >= 1);\nfor t in tiles(d) { let mut s = full(t, -1e30); let mut l = full(t, 0.0);\nfor j in tiles(m) { let a = x.at(j, t).load(); let v = if f { a * 0.5 } else { a };\nlet p = s.max(v.amax(j)); l = l * (s - p).exp() + (v - p).exp().sum(j); s = p; }\ny.at(t).store(l); }",
    // Of its own, but with what is merged so far.
    "#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32> | require(m >= 1);\nfor t in tiles(d) { let mut s = full(t, -1e30); let mut l = full(t, 0.0);\nfor j in tiles(m) { let mut v = x.at(j, t).load().sum(j);\nv = v + s;\nl = l + v; //^ J0214\ns = s.max(x.at(j, t).load().amax(j)); }\ny.at(t).store(l); }",
    // A running maximum at the end of a turn that holds a running sum in between is compared with nothing.
    "#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32> | require(m >= 1);\nfor t in tiles(d) { let mut s = full(t, 0.0); let mut a = full(t, 0.0); let mut c = full(t, 0.0);\nfor j in tiles(m) { let v = x.at(j, t).load(); let old = s;\ns = a;\nc = c + s.gt((d * 1000) as f32).select(1.0, 0.0); //^ J0214\ns = old.max(v.amax(j)); a = a + v.sum(j); }\ny.at(t).store(c); }",
];

#[test]
fn results_that_depend_on_the_cut_are_refused_and_others_are_not() {
    for table in [CORES, CONVERTED, ASSIGNED] {
        judge(table, kernel, "ascend910b1");
    }
}
