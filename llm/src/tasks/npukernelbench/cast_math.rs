use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let cuts = of.types[0].is_float() && !of.types[1].is_float();
    let one = |v: f64| match of.types[1] {
        DType::Bool => f64::from(u8::from(v != 0.0)),
        _ if cuts => v.trunc(),
        _ => v,
    };
    due("y", of.map("x", one))
}
