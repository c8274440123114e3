//! Kernels that merge the values of loop iterations, right ones and wrong ones, by a seed.
//!
//! A form says where the merge is: over the cores, in an inner loop, in GM, in nests, over single
//! indices, of two axes, or nowhere (pointwise). The rest is drawn: reductions, functions of a
//! part, conditions and loops around the merge, scalars of the core, indices. Pairs of running
//! values are spelled out, with one change or none. Nothing here knows which kernels are right.

/// Random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    /// True in `n` of a hundred calls.
    pub fn percent(&mut self, n: usize) -> bool {
        self.below(100) < n
    }
}

/// A kernel with its form.
#[derive(Clone, Debug)]
pub struct Made {
    pub form: &'static str,
    pub text: String,
}

/// The forms of merges.
pub const FORMS: [&str; 9] = [
    "over cores",
    "inside",
    "add",
    "nest",
    "each",
    "two axes",
    "pointwise",
    "pair",
    "merges of a tensor",
];

/// The loops of a form, and the names of the innermost one.
struct Place {
    form: &'static str,
    /// Parameters in front of the attributes.
    params: &'static str,
    /// Loads at the head of the innermost loop: `v` has all axes, `w` the reduced ones, `u` the
    /// kept ones.
    loads: String,
    /// Axes along which parts are reduced.
    runs: Vec<&'static str>,
    /// The kept axes, as `full` takes them.
    kept: &'static str,
    /// Loop variables of tiles, which have a start and a length.
    tiles: Vec<&'static str>,
    /// Loop variables of single indices.
    counters: Vec<&'static str>,
    has_w: bool,
    has_u: bool,
}

struct Maker {
    random: Random,
    place: Place,
}

pub fn make(seed: u64) -> Made {
    let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let form = FORMS[random.below(FORMS.len())];
    match form {
        "pair" => pair(&mut random),
        "pointwise" => pointwise(random),
        form => merge(form, random),
    }
}

const ATTRS: &str = "p: f32, q: usize, flag: bool,";

fn places(form: &'static str, random: &mut Random) -> Place {
    // One in ten indices is wrong: it depends on the tile and not on the element.
    let index = |random: &mut Random, t: &'static str| match random.below(40) {
        0 => format!("{t}.start()"),
        1 => format!("{t} + {t}.start()"),
        2 => format!("{t}.end() - 1"),
        3 => format!("{t} + {t}.len() - 1"),
        _ => t.to_string(),
    };
    match form {
        "over cores" | "add" | "merges of a tensor" => {
            let (x, w) = (index(random, "t"), index(random, "t"));
            Place {
                form,
                params: "#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] z: &GlobalTensor<f32>,",
                loads: format!("let v = x.at({x}).load(); let w = z.at({w}).load();"),
                runs: vec!["t"],
                kept: "()",
                tiles: vec!["t"],
                counters: vec![],
                has_w: true,
                has_u: false,
            }
        }
        "inside" => {
            let (a, b) = (index(random, "j"), index(random, "t"));
            Place {
                form,
                params: "#[shape(m, n)] x: &GlobalTensor<f32>, #[shape(m)] z: &GlobalTensor<f32>, #[shape(n)] g: &GlobalTensor<f32>,",
                loads: format!("let v = x.at({a}, {b}).load(); let w = z.at(j).load(); let u = g.at(t).load();"),
                runs: vec!["j"],
                kept: "t",
                tiles: vec!["j", "t"],
                counters: vec![],
                has_w: true,
                has_u: true,
            }
        }
        "nest" => {
            let a = index(random, "t");
            Place {
                form,
                params: "#[shape(m, n)] x: &GlobalTensor<f32>, #[shape(m, n)] z: &GlobalTensor<f32>,",
                loads: format!("let v = x.at(j, {a}).load(); let w = z.at(j, t).load();"),
                runs: vec!["j", "t"],
                kept: "()",
                tiles: vec!["j", "t"],
                counters: vec![],
                has_w: true,
                has_u: false,
            }
        }
        "each" => Place {
            form,
            params: "#[shape(m, n)] x: &GlobalTensor<f32>, #[shape(n)] z: &GlobalTensor<f32>,",
            loads: format!("let v = x.at(i, {}).load(); let w = z.at(t).load();", index(random, "t")),
            runs: vec!["t"],
            kept: "()",
            tiles: vec!["t"],
            counters: vec!["i"],
            has_w: true,
            has_u: false,
        },
        _ => Place {
            form,
            params: "#[shape(m, k, n)] x: &GlobalTensor<f32>, #[shape(m, k)] z: &GlobalTensor<f32>, #[shape(n)] g: &GlobalTensor<f32>,",
            loads: format!(
                "let v = x.at({}, h, t).load(); let w = z.at(j, {}).load(); let u = g.at(t).load();",
                index(random, "j"),
                index(random, "h")
            ),
            runs: vec!["j", "h"],
            kept: "t",
            tiles: vec!["j", "h", "t"],
            counters: vec![],
            has_w: true,
            has_u: true,
        },
    }
}

/// Name, operator and initial value of reductions.
const REDUCTIONS: [(&str, &str, &str); 4] = [
    ("sum", "+", "0.0"),
    ("amax", "max", "f32::NEG_INFINITY"),
    ("amin", "min", "f32::INFINITY"),
    ("prod", "*", "1.0"),
];

fn merge(form: &'static str, mut random: Random) -> Made {
    let place = places(form, &mut random);
    let mut maker = Maker { random, place };
    let m = &mut maker;
    let masks = m.random.percent(12) && form != "add";
    let (reduction, update, init) = if masks {
        let any = m.random.percent(50);
        (
            if any { "any" } else { "all" },
            if any { "|" } else { "&" },
            if any { "false" } else { "true" },
        )
    } else {
        let at = [0, 0, 0, 1, 1, 2, 3][m.random.below(7)];
        REDUCTIONS[at]
    };
    let own = m.part(reduction, masks);
    let part = if masks {
        m.mask_wrapped(own)
    } else {
        m.wrapped(own)
    };
    let op = if m.random.percent(85) {
        update
    } else if masks {
        m.random.of(&["|", "&"])
    } else {
        m.random.of(&["+", "max", "min", "*", "-"])
    };
    let init = if m.random.percent(85) || masks {
        init
    } else {
        m.random.of(&["0.0", "1.0", "-1.0", "f32::NEG_INFINITY"])
    };
    let before = m.before();
    let target = m.target(masks, op, &part);
    let around = m.around(&target);
    let use_in_loop = m.used_within(masks);
    let kept = m.place.kept;
    let store = |c: &str| {
        if masks {
            format!("{c}.select(1.0, 0.0)")
        } else {
            c.to_string()
        }
    };
    let behind = if masks || m.random.percent(60) {
        store("c")
    } else {
        m.random
            .of(&["c * 2.0", "c + 1.0", "c.floor()", "c.exp()", "c / n as f32"])
            .to_string()
    };
    let (loads, params) = (m.place.loads.clone(), m.place.params);
    let counted = if m.random.percent(8) {
        "let mut turns = 0.0;"
    } else {
        ""
    };
    let count = if counted.is_empty() {
        ""
    } else {
        "turns = turns + 1.0;"
    };
    let around = if counted.is_empty() {
        around
    } else {
        around.replace(" p ", " turns ")
    };
    let extra = if m.place.form == "inside" || m.place.form == "two axes" {
        ", #[shape(n)] y2: &mut GlobalTensor<f32>"
    } else {
        ""
    };
    let _ = extra;
    let body = format!("{loads} {before} {count} {around} {use_in_loop}");
    let ty = if masks { "bool" } else { "f32" };
    let text = match form {
        "over cores" => format!(
            "{ATTRS} #[shape()] y: &mut GlobalTensor<f32>) {{ require(n >= 1); {counted}
    let mut c = across_cores::<{ty}>((), {init});
    for t in tiles(n) {{ {body} }}
    y.at().store({behind});"
        ),
        "add" => {
            let part = m.paths(&part);
            format!(
                "{ATTRS} #[shape()] y: &mut GlobalTensor<f32>) {{ require(n >= 1); {counted}
    for t in tiles(n) {{ {loads} {before} {count} {} }}",
                m.around(&format!("y.at().atomic_add({part});"))
            )
        }
        "merges of a tensor" => {
            let place = m.random.of(&["t.start()", "0", "q", "t.len()", "t.end() - 1", "get_block_idx()"]);
            format!(
                "{ATTRS} #[shape(n)] y: &mut GlobalTensor<f32>) {{ require(n >= 1); require(q < n); {counted}
    for t in tiles(n) {{ {loads} {before} {count} y.at({place}).atomic_add({}); }}",
                if masks { format!("{part}.select(1.0, 0.0)") } else { part }
            )
        }
        "inside" | "two axes" => {
            let head = if form == "inside" { "for j in tiles(m)" } else { "for (j, h) in tiles((m, k))" };
            let init = if masks {
                format!("full({kept}, 0.0).{}(1.0)", if init == "true" { "lt" } else { "gt" })
            } else {
                format!("full({kept}, {init})")
            };
            let (at, end) = if m.random.percent(12) && !masks {
                (format!("y.at(t).atomic_add({});", m.random.of(&["c", "v.sum(j)", "u"])), String::new())
            } else {
                (String::new(), format!("y.at(t).store({behind});"))
            };
            let at = if form == "two axes" { at.replace("v.sum(j)", "v.sum((j, h))") } else { at };
            let inner = m.controlled(&format!("{head} {{ {body} {at} }}"), "t");
            format!(
                "{ATTRS} #[shape(n)] y: &mut GlobalTensor<f32>) {{ require(m >= 1); {counted}
    for t in tiles(n) {{ let mut c = {init};
        {inner}
        {end} }}"
            )
        }
        "nest" => format!(
            "{ATTRS} #[shape()] y: &mut GlobalTensor<f32>) {{ require(n >= 1); require(m >= 1); {counted}
    let mut c = across_cores::<{ty}>((), {init});
    for (j, t) in tiles((m, n)) {{ {body} }}
    y.at().store({behind});"
        ),
        _ => {
            let init = if masks {
                format!("full({kept}, 0.0).{}(1.0)", if init == "true" { "lt" } else { "gt" })
            } else {
                format!("full({kept}, {init})")
            };
            let inner = m.controlled(&format!("for t in tiles(n) {{ {body} }}"), "");
            format!(
                "{ATTRS} #[shape(m)] y: &mut GlobalTensor<f32>) {{ require(n >= 1); {counted}
    for i in each(m) {{ let mut c = {init};
        {inner}
        y.at(i).store({behind}); }}"
            )
        }
    };
    Made {
        form,
        text: format!("#[kernel]\npub fn k({params} {text}\n}}"),
    }
}

impl Maker {
    /// Puts one in four loops under scalar control, which may depend on the tile around it.
    fn controlled(&mut self, inner: &str, tile: &str) -> String {
        if self.random.percent(75) {
            return inner.to_string();
        }
        let cond = match tile {
            "" => self.random.of(&["q > 1", "i % 2 == 0", "i + q > 2"]),
            _ => self
                .random
                .of(&["q > 1", "t.start() > 0", "t.len() > 3", "t.end() == n"]),
        };
        match self.random.below(3) {
            0 => format!("if {cond} {{ {inner} }}"),
            1 => format!("if {cond} {{ {inner} }} else {{ {inner} }}"),
            _ => format!(
                "for s in 0..{} {{ {inner} }}",
                self.random.of(&["2", "q", "3"])
            ),
        }
    }

    /// Draws a scalar; most are equal in each iteration.
    fn scalar(&mut self) -> String {
        let tile = self.place.tiles[self.random.below(self.place.tiles.len())];
        let run = self.place.runs[0];
        match self.random.below(26) {
            0..=7 => self
                .random
                .of(&["2.0", "0.5", "1.0", "-1.0", "0.0", "3.0"])
                .to_string(),
            8..=12 => "p".to_string(),
            13 | 14 => "n as f32".to_string(),
            15 => "q as f32".to_string(),
            16 | 17 => format!("{tile}.len() as f32"),
            18 => format!("{tile}.start() as f32"),
            19 => format!("{tile}.end() as f32"),
            20 => "get_block_idx() as f32".to_string(),
            21 => "get_block_num() as f32".to_string(),
            22 => format!("{run}.len() as f32 / n as f32"),
            23 => format!("({run}.start() + {run}.len()) as f32"),
            24 if !self.place.counters.is_empty() => format!("{} as f32", self.place.counters[0]),
            _ => format!("(n - {run}.len()) as f32"),
        }
    }

    /// Draws a number of each element.
    fn element(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.below(12) {
                0 | 1 if self.place.has_w => "w".to_string(),
                2 if self.place.has_u => "u".to_string(),
                3 => format!("{}.iota().cast::<f32>()", self.place.runs[0]),
                _ => "v".to_string(),
            };
        }
        let a = self.element(depth - 1);
        match self.random.below(16) {
            0 => format!("({a} * {})", self.element(depth - 1)),
            1 => format!("({a} + {})", self.element(depth - 1)),
            2 => format!("({a} - {})", self.element(depth - 1)),
            3 => {
                let s = self.scalar();
                format!("({a} * ({s}))")
            }
            4 => {
                let s = self.scalar();
                format!("({a} + ({s}))")
            }
            5 => format!("{a}.abs()"),
            6 => format!("{a}.floor()"),
            7 => {
                let b = self.element(depth - 1);
                format!("{a}.max({b})")
            }
            8 => {
                let (mask, b) = (self.mask(0), self.element(depth - 1));
                format!("{mask}.select({a}, {b})")
            }
            9 => {
                let mask = self.mask(0);
                format!("{mask}.select({a}, 0.0)")
            }
            10 => format!("({a} * 0.25).exp()"),
            11 => format!("{a}.relu()"),
            12 => {
                let s = self.scalar();
                format!("{a}.min({s})")
            }
            _ => a,
        }
    }

    /// Draws a mask of each element.
    fn mask(&mut self, depth: usize) -> String {
        let a = self.element(depth);
        let how = self.random.of(&["gt", "lt", "ge", "le"]);
        if self.random.percent(50) {
            let s = self.scalar();
            format!("{a}.{how}({s})")
        } else {
            let b = self.element(0);
            format!("{a}.{how}({b})")
        }
    }

    fn over(&self) -> String {
        match &self.place.runs[..] {
            [one] => (*one).to_string(),
            all => format!("({})", all.join(", ")),
        }
    }

    /// Draws the part that an iteration contributes.
    fn part(&mut self, reduction: &str, masks: bool) -> String {
        let depth = self.random.below(3);
        let other = self.random.percent(10);
        if masks {
            let mask = self.mask(depth.min(1));
            let all = self.elements_of(&mask);
            let over = self.over();
            return if other {
                format!("{all}.{}({over})", self.random.of(&["any", "all"]))
            } else {
                format!("{all}.{reduction}({over})")
            };
        }
        let reduction = if other {
            self.random.of(&["sum", "amax", "amin", "prod", "mean"])
        } else {
            reduction
        };
        let element = self.element(depth);
        let element = self.elements_of_number(&element);
        if self.random.percent(6) {
            // The place of the largest element.
            if let [run] = self.place.runs[..] {
                return format!(
                    "{element}.{}({run}).cast::<f32>()",
                    self.random.of(&["argmax", "argmin"])
                );
            }
        }
        match &self.place.runs[..] {
            [a, b] if self.random.percent(25) => {
                let inner = if self.random.percent(70) {
                    reduction
                } else {
                    self.random.of(&["sum", "amax", "amin"])
                };
                format!("{element}.{inner}({b}).{reduction}({a})")
            }
            _ => format!("{element}.{reduction}({})", self.over()),
        }
    }

    /// Gives a number all axes.
    fn elements_of_number(&self, element: &str) -> String {
        if element.contains('v') {
            element.to_string()
        } else {
            format!("(v * 0.0 + {element})")
        }
    }

    fn elements_of(&self, mask: &str) -> String {
        if mask.contains('v') {
            format!("({mask})")
        } else {
            format!("({mask} & v.le(v))")
        }
    }

    /// Draws a function of a part.
    fn wrapped(&mut self, part: String) -> String {
        let s = self.scalar();
        let kept = self.place.kept;
        match self.random.below(44) {
            0..=17 => part,
            18 => format!("({part}).floor()"),
            19 => format!("({part}).exp()"),
            20 => format!("({part}).abs()"),
            21 => format!("({part}).relu()"),
            22 => format!("({part}).cast::<i32>().cast::<f32>()"),
            23 => format!("({part}).cast::<f16>().cast::<f32>()"),
            24 => format!("(-({part}))"),
            25..=28 => format!("({part} * ({s}))"),
            29 => format!("({part} / ({s}))"),
            30 | 31 => format!("({part} + ({s}))"),
            32 => format!("({part}).max({s})"),
            33 => format!("({part}).min({s})"),
            34 => format!("({part}).gt({s}).select(1.0, 0.0)"),
            35 => format!("({part}).gt({s}).select({part}, 0.0)"),
            36 => {
                let other = self.part("sum", false);
                format!("({part} {} {other})", self.random.of(&["+", "-", "*", "/"]))
            }
            37 => {
                let other = self.part("amax", false);
                format!("({part}).{}({other})", self.random.of(&["max", "min"]))
            }
            38 => format!("full({kept}, {s})"),
            39 if self.place.has_u => format!("({part} * u)"),
            40 if self.place.has_u => format!("({part} + u)"),
            41 if self.place.has_u => {
                format!(
                    "u.gt(0.0).select({part}, {})",
                    self.random.of(&["0.0", "1.0", "u"])
                )
            }
            42 if self.place.has_u => format!("({part} - u)"),
            43 => format!("({part}).cast_with::<f16>(RoundMode::Floor).cast::<f32>()"),
            _ => part,
        }
    }

    fn mask_wrapped(&mut self, part: String) -> String {
        match self.random.below(8) {
            0 => format!("!({part})"),
            1 => {
                let (other, s) = (self.part("sum", false), self.scalar());
                format!("({part} | {other}.gt({s}))")
            }
            2 => {
                let (other, s) = (self.part("amax", false), self.scalar());
                format!("{other}.gt({s})")
            }
            3 => {
                let (other, s) = (self.part("sum", false), self.scalar());
                format!("{other}.gt({s})")
            }
            _ => part,
        }
    }

    /// Draws statements in front of the merge.
    fn before(&mut self) -> String {
        match self.random.below(12) {
            0 => "let s0 = p * 2.0;".to_string(),
            1 => format!("let w = w * ({});", self.scalar()),
            2 => format!("let v = v + ({});", self.scalar()),
            3 => "let v = v.abs();".to_string(),
            4 => format!(
                "let v = {}.select(v, {});",
                self.mask(0),
                self.random.of(&["0.0", "w", "1.0"])
            ),
            _ => String::new(),
        }
    }

    /// Draws the merge itself.
    fn target(&mut self, masks: bool, op: &str, part: &str) -> String {
        let with = |c: &str, part: &str| match op {
            "max" | "min" => format!("{c}.{op}({part})"),
            _ => format!("{c} {op} {part}"),
        };
        let plain = with("c", part);
        if masks {
            return match self.random.below(12) {
                0 => format!("c = {part} {op} c;"),
                1 => format!("c = ({plain}) & {};", part),
                _ => format!("c = {plain};"),
            };
        }
        let s = self.scalar();
        match self.random.below(36) {
            0 => format!(
                "c = {};",
                if op == "max" || op == "min" {
                    format!("({part}).{op}(c)")
                } else {
                    format!("{part} {op} c")
                }
            ),
            1 => format!("c = ({plain}).min({s});"),
            2 => format!("c = ({plain}).max({s});"),
            3 => format!("c = ({part}).gt({s}).select({plain}, c);"),
            4 => format!("c = c.lt({s}).select({plain}, c);"),
            5 => format!("c = {};", with("(c * 0.5)", part)),
            6 => format!("c = {};", with(&format!("(c * ({s}))"), part)),
            7 => format!("c = {};", with("c.floor()", part)),
            8 => format!("c = c.max({part}) + c.min({part});"),
            9 => format!("c = {plain}; c = {plain};"),
            10 => format!("c = {plain} + ({s});"),
            11 => format!("c = {plain} - c;"),
            12 => format!("let o = {plain}; c = o * ({s});"),
            13 if self.place.has_u => format!("c = u.gt({s}).select({plain}, c);"),
            14 if self.place.has_u => format!("c = {plain}; c = c * u;"),
            15 => format!("c = {part};"),
            16 => format!("c = ({part}).gt(c).select({part}, c);"),
            17 => format!("let a = {part}; c = {};", with("c", "a")),
            _ => format!("c = {plain};"),
        }
    }

    fn condition(&mut self) -> String {
        let tile = self.place.tiles[self.random.below(self.place.tiles.len())];
        match self.random.below(12) {
            0 => "p > 0.5".to_string(),
            1 => "flag".to_string(),
            2 => "n > 4".to_string(),
            3 => format!("{tile}.start() == 0"),
            4 => format!("{tile}.len() > {}", 2 + self.random.below(5)),
            5 => "get_block_idx() == 0".to_string(),
            6 => "get_block_num() > 1".to_string(),
            7 => format!("{tile}.start() >= {}", 1 + self.random.below(5)),
            8 => format!("{tile}.end() < n"),
            9 => "q > 2".to_string(),
            10 if !self.place.counters.is_empty() => format!("{} > 1", self.place.counters[0]),
            _ => format!("{tile}.start() % 2 == 0"),
        }
    }

    /// Draws a condition or loop around the merge.
    fn around(&mut self, merge: &str) -> String {
        let tile = self.place.runs[0];
        match self.random.below(30) {
            0 | 1 => {
                let cond = self.condition();
                format!("if {cond} {{ {merge} }}")
            }
            2 => {
                let cond = self.condition();
                format!(
                    "if {cond} {{ {merge} }} else {{ {} }}",
                    merge.replace(" + ", " - ")
                )
            }
            3 => format!("for e in 0..3 {{ {merge} }}"),
            4 => format!("for e in 0..q {{ {merge} }}"),
            5 => format!("for e in 0..{tile}.len() {{ {merge} }}"),
            6 => format!("for e in {tile}.start()..{tile}.end() {{ {merge} }}"),
            7 => format!(
                "let r0 = v.amax({}).scalar(); if r0 > 0.5 {{ {merge} }}",
                self.over()
            )
            .replace("amax", self.random.of(&["amax", "sum"])),
            8 if self.place.form == "over cores" => {
                format!(
                    "for e in each({tile}.start()..{tile}.end()) {{ {} }}",
                    self.of_elements(merge)
                )
            }
            9 if self.place.form == "over cores" => {
                format!(
                    "for e in tiles({tile}.start()..{tile}.end()) {{ let v = x.at(e).load(); {} }}",
                    worded(&merge.replace("(t)", "(e)"), "w", "v")
                )
            }
            10 if self.place.form == "inside" => {
                format!(
                    "for e in {tile}.start()..{tile}.end() {{ let v = x.at(e, t).load(); {} }}",
                    self.of_elements(merge)
                )
            }
            11 if self.place.form == "inside" => {
                format!(
                    "for e in tiles({tile}.start()..{tile}.end()) {{ let v = x.at(e, t).load(); let w = z.at(e).load(); {} }}",
                    merge.replace("(j)", "(e)")
                )
            }
            _ => merge.to_string(),
        }
    }

    /// Merges single elements in place of parts.
    fn of_elements(&self, merge: &str) -> String {
        let mut text = merge.to_string();
        for reduction in ["sum", "amax", "amin", "prod", "mean"] {
            for over in ["(t)", "(j)"] {
                text = text.replace(&format!(".{reduction}{over}"), "");
            }
        }
        worded(&text, "w", "v")
    }

    /// Draws a use of the running value in its own loop.
    fn used_within(&mut self, masks: bool) -> String {
        if masks || !self.random.percent(5) {
            return String::new();
        }
        match self.place.form {
            "inside" => self
                .random
                .of(&[
                    "y.at(t).atomic_add(c);",
                    "y.at(t).store_any(c);",
                    "c = c + c;",
                    "if c_is { }",
                ])
                .replace("if c_is { }", "c = c * 1.0;"),
            _ => self
                .random
                .of(&["c = c + c;", "c = c * 1.0;", "c = c + 0.0;"])
                .to_string(),
        }
    }

    /// Draws the addend in one of several forms.
    fn paths(&mut self, part: &str) -> String {
        match self.random.below(8) {
            0 => format!("({part}).cast_with::<f32>(RoundMode::Floor)"),
            1 => format!("({part}) * p"),
            _ => part.to_string(),
        }
    }
}

/// Replaces one word by another.
fn worded(text: &str, from: &str, to: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        out.push_str(if word == from { to } else { &word });
        word.clear();
        out.push(c);
    }
    out.trim_end().to_string()
}

/// Makes a kernel that stores a function of each element.
fn pointwise(random: Random) -> Made {
    let place = Place {
        form: "pointwise",
        params: "",
        loads: String::new(),
        runs: vec!["t"],
        kept: "()",
        tiles: vec!["t"],
        counters: vec![],
        has_w: true,
        has_u: false,
    };
    let mut m = Maker { random, place };
    let depth = m.random.below(3);
    let element = m.element(depth);
    let element = m.elements_of_number(&element);
    let tail = match m.random.below(8) {
        0 => format!("{element} + ({})", m.scalar()),
        1 => format!("{element} - v.amax(t)"),
        2 => format!("{element} * v.any_of",).replace(".any_of", ""),
        3 => format!("v.gt({}).select({element}, w)", m.scalar()),
        4 => format!("v.cumsum(t) + {element}"),
        5 => format!(
            "{element} + (t.iota() - {}).cast::<f32>()",
            m.random
                .of(&["t.start() as i32", "0", "1", "t.len() as i32"])
        ),
        _ => element,
    };
    let index = m.random.of(&[
        "t",
        "t",
        "t",
        "t",
        "t",
        "t",
        "n - 1 - t",
        "t + t.start() - t.start()",
    ]);
    let cond = m.condition();
    let store = match m.random.below(8) {
        0 => format!("if {cond} {{ y.at({index}).store(a); }} else {{ y.at({index}).store(v); }}"),
        1 => format!("let mut b = a; if {cond} {{ b = a * 2.0; }} y.at({index}).store(b);"),
        2 => {
            format!("let mut b = a; for e in 0..t.len() {{ b = b + 1.0; }} y.at({index}).store(b);")
        }
        3 => format!("k = k + 1.0; y.at({index}).store(a + k);"),
        4 => format!("let mut b = a; for e in 0..q {{ b = b + v; }} y.at({index}).store(b);"),
        _ => format!("y.at({index}).store(a);"),
    };
    let (xi, zi) = (
        m.random.of(&["t", "t", "t", "t", "n - 1 - t", "t.start()"]),
        m.random.of(&["t", "t", "t", "0", "t.end() - 1", "q"]),
    );
    let counter = if store.starts_with("k =") {
        "let mut k = 0.0;"
    } else {
        ""
    };
    Made {
        form: "pointwise",
        text: format!(
            "#[kernel]\npub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] z: &GlobalTensor<f32>, {ATTRS} #[shape(n)] y: &mut GlobalTensor<f32>) {{
    require(n >= 1); require(q < n); {counter}
    for t in tiles(n) {{ let v = x.at({xi}).load(); let w = z.at({zi}).load(); let a = {tail}; {store} }}\n}}"
        ),
    }
}

/// Pairs of running values that belong together: a right kernel, and replacements of its parts.
const PAIRS: &[(&str, &[(&str, &str)])] = &[
    // Online softmax: the logarithm of a sum.
    (
        "#[kernel]\npub fn k(#[shape(m, d)] x: &GlobalTensor<f32>, p: f32, flag: bool, #[shape(d)] y: &mut GlobalTensor<f32>) {
    require(m >= 1);
    for t in tiles(d) {
        let mut a = full(t, f32::NEG_INFINITY);
        let mut s = full(t, 0.0);
        for j in tiles(m) {
            let v = x.at(j, t).load();
            let top = a.max(v.amax(j));
            s = s * (a - top).exp() + (v - top).exp().sum(j);
            a = top;
        }
        y.at(t).store(s * a.exp());
    }\n}",
        &[
            ("a.max(v.amax(j))", "v.amax(j)"),
            ("a.max(v.amax(j))", "a.max(v.amin(j))"),
            ("a.max(v.amax(j))", "a.min(v.amin(j))"),
            ("a.max(v.amax(j))", "a.max(v.sum(j))"),
            ("a.max(v.amax(j))", "a.max(v.amax(j)) + 1.0"),
            ("s * (a - top).exp()", "s"),
            ("s * (a - top).exp()", "s * (top - a).exp()"),
            ("s * (a - top).exp()", "s * (a - top)"),
            ("s * (a - top).exp()", "s * ((a - top) * p).exp()"),
            ("(v - top).exp().sum(j)", "(v - a).exp().sum(j)"),
            ("(v - top).exp().sum(j)", "(v - top).exp().amax(j)"),
            ("(v - top).exp().sum(j)", "(v - top).exp().mean(j)"),
            ("(v - top).exp().sum(j)", "(v - top + 1.0).exp().sum(j)"),
            ("(v - top).exp().sum(j)", "((v - top).exp() * v).sum(j)"),
            ("(v - top).exp().sum(j)", "((v - top).exp().sum(j)).floor()"),
            ("(v - top).exp().sum(j)", "(v - top).exp().sum(j) * j.len() as f32"),
            ("f32::NEG_INFINITY", "0.0"),
            ("f32::NEG_INFINITY", "-100.0"),
            ("full(t, 0.0)", "full(t, 1.0)"),
            ("a = top;", ""),
            ("a = top;", "a = v.amax(j);"),
            ("a = top;", "if flag { a = top; }"),
            ("a = top;", "if j.start() == 0 { a = top; }"),
            ("s * a.exp()", "s"),
            ("s * a.exp()", "a"),
            ("s * a.exp()", "a + s.ln()"),
            ("let v = x.at(j, t).load();", "let v = x.at(j, t).load() * p;"),
        ],
    ),
    // The largest element and its place.
    (
        "#[kernel]\npub fn k(#[shape(m, d)] x: &GlobalTensor<f32>, p: f32, flag: bool, #[shape(d)] y: &mut GlobalTensor<f32>) {
    require(m >= 1);
    for t in tiles(d) {
        let mut a = full(t, f32::NEG_INFINITY);
        let mut s = full(t, 0.0);
        for j in tiles(m) {
            let v = x.at(j, t).load();
            let best = v.amax(j);
            let larger = best.gt(a);
            s = larger.select(v.argmax(j).cast::<f32>(), s);
            a = a.max(best);
        }
        y.at(t).store(s);
    }\n}",
        &[
            ("best.gt(a)", "best.ge(a)"),
            ("best.gt(a)", "best.lt(a)"),
            ("best.gt(a)", "a.lt(best)"),
            ("best.gt(a)", "best.gt(a + 1.0)"),
            ("best.gt(a)", "best.gt(0.0)"),
            ("best.gt(a)", "(best * 2.0).gt(a * 2.0)"),
            ("v.argmax(j)", "v.argmin(j)"),
            ("v.argmax(j).cast::<f32>()", "(v.argmax(j) - j.start() as i32).cast::<f32>()"),
            ("v.argmax(j).cast::<f32>()", "v.argmax(j).cast::<f32>() + j.start() as f32"),
            ("v.argmax(j).cast::<f32>()", "v.amin(j)"),
            ("v.argmax(j).cast::<f32>()", "v.amax(j)"),
            ("v.argmax(j).cast::<f32>()", "v.sum(j)"),
            ("v.argmax(j).cast::<f32>()", "x.at(0, t).load()"),
            ("v.argmax(j).cast::<f32>()", "j.start() as f32 + full(t, 0.0)"),
            ("let best = v.amax(j);", "let best = v.amin(j);"),
            ("let best = v.amax(j);", "let best = v.sum(j);"),
            ("a = a.max(best);", "a = larger.select(best, a);"),
            ("a = a.max(best);", "a = best;"),
            ("a = a.max(best);", "a = a.min(best);"),
            ("a = a.max(best);", "a = a.max(best).max(p);"),
            ("a = a.max(best);", ""),
            ("f32::NEG_INFINITY", "0.0"),
            ("f32::NEG_INFINITY", "p"),
            ("full(t, 0.0)", "full(t, -1.0)"),
            ("y.at(t).store(s)", "y.at(t).store(s + a)"),
        ],
    ),
    // Count and mean.
    (
        "#[kernel]\npub fn k(#[shape(m, d)] x: &GlobalTensor<f32>, p: f32, flag: bool, #[shape(d)] y: &mut GlobalTensor<f32>) {
    require(m >= 1);
    for t in tiles(d) {
        let mut a = full(t, 0.0);
        let mut s = full(t, 0.0);
        for j in tiles(m) {
            let v = x.at(j, t).load();
            let b = j.len() as f32;
            s = (s * a + v.sum(j)) / (a + b);
            a = a + b;
        }
        y.at(t).store(s);
    }\n}",
        &[
            ("(s * a + v.sum(j)) / (a + b)", "s + (v.mean(j) - s) * (b / (a + b))"),
            ("(s * a + v.sum(j)) / (a + b)", "(s + v.mean(j)) * 0.5"),
            ("(s * a + v.sum(j)) / (a + b)", "s + (v.mean(j) - s) / (a + 1.0)"),
            ("(s * a + v.sum(j)) / (a + b)", "s + (v - s).sum(j) / (a + b)"),
            ("(s * a + v.sum(j)) / (a + b)", "s + (v.amax(j) - s) * (b / (a + b))"),
            ("(s * a + v.sum(j)) / (a + b)", "(s * a + v.sum(j)) / a"),
            ("(s * a + v.sum(j)) / (a + b)", "(s * b + v.sum(j)) / (a + b)"),
            ("(s * a + v.sum(j)) / (a + b)", "s + v.sum(j) / b"),
            ("a = a + b;", "a = a + 1.0;"),
            ("a = a + b;", "a = a.max(b);"),
            ("a = a + b;", ""),
            ("let b = j.len() as f32;", "let b = j.end() as f32;"),
            ("let b = j.len() as f32;", "let b = m as f32;"),
            ("let b = j.len() as f32;", "let b = (j.len() + 1) as f32;"),
            ("let mut a = full(t, 0.0);", "let mut a = full(t, 1.0);"),
            ("let mut s = full(t, 0.0);", "let mut s = full(t, p);"),
            ("y.at(t).store(s)", "y.at(t).store(s * a)"),
            ("y.at(t).store(s)", "y.at(t).store(a)"),
        ],
    ),
    // Count, mean and squares about it, by Chan's formula.
    (
        "#[kernel]\npub fn k(#[shape(m, d)] x: &GlobalTensor<f32>, p: f32, flag: bool, #[shape(d)] y: &mut GlobalTensor<f32>) {
    require(m >= 1);
    for t in tiles(d) {
        let mut a = full(t, 0.0);
        let mut s = full(t, 0.0);
        let mut q = full(t, 0.0);
        for j in tiles(m) {
            let v = x.at(j, t).load();
            let b = j.len() as f32;
            let mean = v.sum(j) / b;
            let delta = mean - s;
            q = q + ((v - mean) * (v - mean)).sum(j) + delta * delta * (a * b / (a + b));
            s = s + delta * (b / (a + b));
            a = a + b;
        }
        y.at(t).store(q / a);
    }\n}",
        &[
            ("delta * delta * (a * b / (a + b))", "delta * delta * (b / (a + b))"),
            ("delta * delta * (a * b / (a + b))", "delta * (a * b / (a + b))"),
            ("+ delta * delta * (a * b / (a + b))", ""),
            ("((v - mean) * (v - mean)).sum(j)", "((v - s) * (v - s)).sum(j)"),
            ("((v - mean) * (v - mean)).sum(j)", "((v - s) * (v - mean)).sum(j)"),
            ("((v - mean) * (v - mean)).sum(j)", "((v - mean) * (v - mean)).mean(j)"),
            ("(v.sum(j) / b)", "v.amax(j)"),
            ("let mean = v.sum(j) / b;", "let mean = v.mean(j);"),
            ("let mean = v.sum(j) / b;", "let mean = v.sum(j);"),
            ("s = s + delta * (b / (a + b));", "s = s + delta * 0.5;"),
            ("s = s + delta * (b / (a + b));", "s = (s * a + mean * b) / (a + b);"),
            ("s = s + delta * (b / (a + b));", ""),
            ("a = a + b;", "a = a + 1.0;"),
            ("let b = j.len() as f32;", "let b = 4.0;"),
            ("q / a", "q"),
            ("q / a", "s"),
            ("q / a", "q / (a - 1.0)"),
        ],
    ),
    // Attention: a sum of rows that are rescaled.
    (
        "#[kernel]\npub fn k(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(m)] z: &GlobalTensor<f32>, p: f32, flag: bool, #[shape(d)] y: &mut GlobalTensor<f32>) {
    require(m >= 1);
    for t in tiles(d) {
        let mut a = full((), f32::NEG_INFINITY);
        let mut l = full((), 0.0);
        let mut o = full(t, 0.0);
        for j in tiles(m) {
            let s = z.at(j).load();
            let top = a.max(s.amax(j));
            let e = (s - top).exp();
            let f = (a - top).exp();
            l = l * f + e.sum(j);
            o = o * f + (e * x.at(j, t).load()).sum(j);
            a = top;
        }
        y.at(t).store(o / l);
    }\n}",
        &[
            ("o * f +", "o +"),
            ("l * f +", "l +"),
            ("l * f + e.sum(j)", "l * f + e.amax(j)"),
            ("let f = (a - top).exp();", "let f = (a - s.amax(j)).exp();"),
            ("(a - top).exp()", "(a - top).exp().max(0.25)"),
            ("(a - top).exp()", "(a - top).max(-2.0).exp()"),
            ("let e = (s - top).exp();", "let e = (s - a).exp();"),
            ("let e = (s - top).exp();", "let e = (s - top).exp().floor();"),
            ("let e = (s - top).exp();", "let e = ((s - top) * p).exp();"),
            ("let e = (s - top).exp();", "let e = s.gt(0.0).select((s - top).exp(), 0.0);"),
            ("let s = z.at(j).load();", "let s = z.at(j).load() * p;"),
            ("let s = z.at(j).load();", "let s = z.at(j).load() + j.start() as f32;"),
            ("a = top;", "a = a.max(top);"),
            ("a = top;", "a = s.amax(j);"),
            ("o / l", "o * l"),
            ("o / l", "o"),
            ("o / l", "l + a + o * 0.0"),
            ("f32::NEG_INFINITY", "0.0"),
            ("x.at(j, t).load()", "x.at(j.start(), t).load()"),
            ("(e * x.at(j, t).load()).sum(j)", "(e * x.at(j, t).load()).sum(j) * p"),
            ("(e * x.at(j, t).load()).sum(j)", "(e.sum(j) * x.at(0, t).load())"),
        ],
    ),
    // A norm that is scaled by the largest magnitude.
    (
        "#[kernel]\npub fn k(#[shape(m, d)] x: &GlobalTensor<f32>, p: f32, flag: bool, #[shape(d)] y: &mut GlobalTensor<f32>) {
    require(m >= 1);
    for t in tiles(d) {
        let mut a = full(t, 1.0);
        let mut s = full(t, 0.0);
        for j in tiles(m) {
            let v = x.at(j, t).load();
            let top = a.max(v.abs().amax(j));
            let r = v / top;
            s = s * (a / top) * (a / top) + (r * r).sum(j);
            a = top;
        }
        y.at(t).store(s * a * a);
    }\n}",
        &[
            ("s * (a / top) * (a / top)", "s * (a / top)"),
            ("s * (a / top) * (a / top)", "s"),
            ("v.abs().amax(j)", "v.amax(j)"),
            ("v.abs().amax(j)", "v.abs().sum(j)"),
            ("(r * r).sum(j)", "(r * r).mean(j)"),
            ("(r * r).sum(j)", "r.sum(j)"),
            ("let r = v / top;", "let r = v / a;"),
            ("s * a * a", "s * a"),
            ("s * a * a", "s"),
            ("a = top;", "a = v.abs().amax(j);"),
            ("full(t, 1.0)", "full(t, 0.5)"),
        ],
    ),
    // A second pass over the merged values of a first one.
    (
        "#[kernel]\npub fn k(#[shape(m, d)] x: &GlobalTensor<f32>, p: f32, flag: bool, #[shape(d)] y: &mut GlobalTensor<f32>) {
    require(m >= 1);
    for t in tiles(d) {
        let mut a = full(t, 0.0);
        for j in tiles(m) { a = a + x.at(j, t).load().sum(j); }
        let mean = a / m as f32;
        let mut s = full(t, 0.0);
        for j in tiles(m) {
            let v = x.at(j, t).load() - mean;
            s = s + (v * v).sum(j);
        }
        y.at(t).store(s);
    }\n}",
        &[
            ("x.at(j, t).load() - mean;", "x.at(j, t).load() - s;"),
            ("x.at(j, t).load() - mean;", "x.at(j, t).load() - a;"),
            ("x.at(j, t).load() - mean;", "x.at(j, t).load() - mean / j.len() as f32;"),
            ("(v * v).sum(j)", "(v * v).sum(j) * mean"),
            ("(v * v).sum(j)", "v.sum(j) * v.sum(j)"),
            ("a / m as f32", "a.floor()"),
            ("s = s + (v * v).sum(j);", "s = s + (v * v).sum(j); a = a + s;"),
            ("s = s + (v * v).sum(j);", "s = s.max((v * v).amax(j));"),
            ("y.at(t).store(s)", "y.at(t).store(s + a)"),
            ("let mut s = full(t, 0.0);", "let mut s = a;"),
            ("for j in tiles(m) { a =", "for j in tiles(m).size(4) { a ="),
        ],
    ),
];

fn pair(random: &mut Random) -> Made {
    let (right, changes) = PAIRS[random.below(PAIRS.len())];
    let mut text = right.to_string();
    for _ in 0..[0, 1, 1, 1, 1, 2, 2, 3][random.below(8)] {
        let (from, to) = changes[random.below(changes.len())];
        text = text.replacen(from, to, 1);
    }
    Made { form: "pair", text }
}
