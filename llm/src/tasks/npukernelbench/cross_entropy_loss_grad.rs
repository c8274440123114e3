use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let weight = |target: f64| match target == of.number("ignore_index") {
        true => 0.0,
        false => of.get("weight").map_or(1.0, |w| w[target as usize]),
    };
    let weights: f64 = match of.name("reduction") {
        "mean" => of["target"].iter().map(|t| weight(*t)).sum(),
        _ => 1.0,
    };
    let smoothing = of.number("label_smoothing");
    let one = |j: usize| of.get("weight").map_or(1.0, |w| w[j]);
    let all: f64 = (0..d).map(one).sum();
    let (dx, size) = unzip(of["log_prob"].iter().enumerate().map(|(i, p)| {
        let target = of["target"][i / d];
        let kept = f64::from(u8::from(target != of.number("ignore_index")));
        let g = kept / weights * of["grad_loss"][if of.name("reduction") == "none" { i / d } else { 0 }];
        let hit = f64::from(u8::from(target == (i % d) as f64));
        let (own, smooth) = ((1.0 - smoothing) * weight(target), smoothing / d as f64);
        let (e, w) = (p.exp(), one(i % d));
        (g * (own * (e - hit) + smooth * (e * all - w)), g * (own * (e + hit) + smooth * (e * all + w)))
    }));
    due_of("dx", dx, size)
}
