//! The head of a kernel over nests: axes, tensors on subsets of them, views, axes of the outermost
//! loop.

use super::super::cover::Cover;
use super::super::plan::Picks;
use jumar::dsl::dtype::DType;
use jumar::dsl::soc::Arch;
use jumar::dsl::soc::Chip;

/// An axis of the kernel.
#[derive(Clone, Debug)]
pub struct Axis {
    pub name: String,
    pub size: usize,
    /// Text inside of `new_axis(..)`, for an axis that the kernel makes.
    pub made: Option<String>,
}

/// A tensor, or a view of one.
#[derive(Clone, Debug)]
pub struct Tensor {
    pub name: String,
    pub dtype: DType,
    pub axes: Vec<usize>,
    pub used: Use,
    /// Name of the viewed tensor.
    pub of: Option<String>,
    /// The axis along which stores go backwards.
    pub back: Option<usize>,
    /// The axis along which stores are moved by so many indices, and elements outside are dropped.
    pub moved: Option<(usize, i64)>,
}

/// The use of a tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Use {
    Loaded,
    /// Holds indices of an axis.
    Indexes(usize),
    Stored,
    /// Values are added to it in GM.
    Added,
    /// Receives the cross-core accumulator.
    Merged,
}

impl Tensor {
    pub fn is_loaded(&self) -> bool {
        self.used == Use::Loaded
    }

    pub fn is_stored(&self) -> bool {
        self.used == Use::Stored
    }

    pub fn is_written(&self) -> bool {
        matches!(self.used, Use::Stored | Use::Added | Use::Merged)
    }
}

/// One of the axes of a loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spec {
    pub axis: usize,
    /// True where an iteration is one index.
    pub each: bool,
}

#[derive(Clone, Debug)]
pub struct Head {
    pub chip: &'static Chip,
    pub exact: bool,
    pub axes: Vec<Axis>,
    pub tensors: Vec<Tensor>,
    pub outer: Vec<Spec>,
}

/// Most elements of all axes together, so readers are fast.
const MOST_ELEMENTS: usize = 3000;

impl Head {
    pub fn new(p: &mut Picks<'_>, cover: &mut Cover) -> Head {
        let chip = *p.one(&["ascend910b1", "ascend910b4", "ascend910_93"]);
        let exact = p.of(4) != 1;
        let chip = Chip::by_name(chip).expect("a chip");
        let mut head = Head {
            chip,
            exact,
            axes: Vec::new(),
            tensors: Vec::new(),
            outer: Vec::new(),
        };
        let count = *p.one(&[2, 3, 3, 1, 4, 3, 4, 2]);
        cover.note(format!("nest of {count}"));
        head.sizes(count, p);
        head.loops(p, cover);
        head.tensors(p, cover);
        head.made(p, cover);
        head.backwards(p, cover);
        head.inside(p, cover);
        head
    }

    /// Draws outputs whose stores lie outside in part; a loop before fills them.
    fn inside(&mut self, p: &mut Picks<'_>, cover: &mut Cover) {
        for nth in 0..self.tensors.len() {
            let t = &self.tensors[nth];
            let viewed = self.tensors.iter().any(|v| v.of.as_ref() == Some(&t.name));
            if t.is_stored() && t.of.is_none() && !viewed && t.dtype.is_number() && p.once_in(5) {
                let (axis, by) = (t.axes[p.of(t.axes.len())], *p.one(&[1, -1, 3, -2, 9, -70]));
                self.tensors[nth].moved = Some((axis, by));
                cover.note("store inside");
            }
        }
    }

    /// Writes the loops that fill such outputs.
    pub fn fills(&self) -> String {
        let fill = |t: &Tensor| {
            t.moved?;
            let specs: Vec<Spec> = t
                .axes
                .iter()
                .map(|axis| Spec {
                    axis: *axis,
                    each: false,
                })
                .collect();
            let names = pattern(
                &(0..specs.len())
                    .map(|i| format!("c{i}"))
                    .collect::<Vec<_>>(),
            );
            let at = names.trim_start_matches('(').trim_end_matches(')');
            let value = if t.dtype.is_float() { "-2.5" } else { "-3" };
            let full = format!("full::<{}>({names}, {value})", t.dtype.name());
            Some(format!(
                "    for {names} in {} {{ {}.at({at}).store({full}); }}\n",
                self.over(&specs, None),
                t.name
            ))
        };
        self.tensors.iter().filter_map(fill).collect()
    }

    /// Draws outputs whose rows are stored backwards. All stores do so, since else two iterations
    /// would store to one place.
    fn backwards(&mut self, p: &mut Picks<'_>, cover: &mut Cover) {
        for nth in 0..self.tensors.len() {
            let t = &self.tensors[nth];
            let viewed = self.tensors.iter().any(|v| v.of.as_ref() == Some(&t.name));
            if t.is_stored() && t.of.is_none() && !viewed && t.axes.len() > 1 && p.once_in(4) {
                let axis = t.axes[p.of(t.axes.len() - 1)];
                self.tensors[nth].back = Some(axis);
                cover.note("store backwards");
            }
        }
    }

    fn sizes(&mut self, count: usize, p: &mut Picks<'_>) {
        const SIZES: [usize; 14] = [2, 7, 8, 1, 9, 33, 64, 65, 255, 257, 3, 5, 100, 16];
        let mut sizes: Vec<usize> = (0..count).map(|_| *p.one(&SIZES)).collect();
        // The longest axis becomes one of few indices.
        while sizes.iter().product::<usize>() > MOST_ELEMENTS {
            let longest = (0..count).max_by_key(|i| sizes[*i]).expect("an axis");
            sizes[longest] = 1 + sizes[longest] % 7;
        }
        if p.once_in(25) {
            sizes[p.of(count)] = 0;
        }
        let named = |(i, size)| Axis {
            name: format!("n{i}"),
            size,
            made: None,
        };
        self.axes = sizes.into_iter().enumerate().map(named).collect();
    }

    fn loops(&mut self, p: &mut Picks<'_>, cover: &mut Cover) {
        let all: Vec<usize> = (0..self.axes.len()).collect();
        let axes = some(&all, p);
        self.outer = specs(&axes, p);
        // Elements of a tensor that is read by single indices of its last axis are not adjacent.
        for spec in self
            .outer
            .iter_mut()
            .filter(|spec| spec.axis + 1 == all.len())
        {
            spec.each &= p.once_in(3);
        }
        cover.note(format!("outer {}", kind(&self.outer)));
    }

    /// Draws inputs on subsets of the axes, and outputs with the axes of the outermost loop at
    /// least.
    fn tensors(&mut self, p: &mut Picks<'_>, cover: &mut Cover) {
        let tame = p.of(6) > 0;
        let every = [DType::F32, DType::F32, DType::F16, DType::I32];
        let all: Vec<usize> = (0..self.axes.len()).collect();
        let mostly = *p.one(&every);
        let stored = self.chip.arch == Arch::V220;
        let dtype = |p: &mut Picks<'_>| match p.of(12) {
            11 if stored => *p.one(&[DType::I8, DType::Bool, DType::I64, DType::U8]),
            0..=7 => mostly,
            _ => *p.one(&every),
        };
        let mut left = all.clone();
        for i in 0..1 + p.of(3) {
            let mut axes = self.subset(some(&all, p), tame, p);
            if tame && axes.len() > 1 && p.once_in(6) {
                let last = axes.len() - 1;
                axes.swap(last - 1, last);
                cover.note("turned load");
            }
            left.retain(|ax| !axes.contains(ax));
            self.push(format!("x{i}"), dtype(p), axes, Use::Loaded);
        }
        if !left.is_empty() {
            let axes = all
                .iter()
                .copied()
                .filter(|ax| left.contains(ax) || p.of(3) > 0)
                .collect();
            let axes = self.subset(axes, tame, p);
            self.push("w".into(), dtype(p), axes, Use::Loaded);
        }
        for i in 0..1 + p.of(3) {
            let more = some(&all, p);
            let has =
                |ax: &usize| more.contains(ax) || self.outer.iter().any(|spec| spec.axis == *ax);
            let axes = all.iter().copied().filter(has).collect();
            let axes = self.subset(axes, tame, p);
            self.push(format!("y{i}"), dtype(p), axes, Use::Stored);
        }
        self.results(p, cover);
    }

    /// Draws outputs that iterations of all cores reach, and a tensor of indices.
    fn results(&mut self, p: &mut Picks<'_>, cover: &mut Cover) {
        let all: Vec<usize> = (0..self.axes.len()).collect();
        // f16 counts exactly up to 2048, and each index adds one.
        let counts = self
            .axes
            .iter()
            .map(|axis| axis.size.max(1))
            .product::<usize>()
            <= 2000;
        let numbers = [
            DType::F32,
            DType::I32,
            DType::F32,
            if counts { DType::F16 } else { DType::F32 },
        ];
        let free: Vec<usize> = all
            .iter()
            .copied()
            .filter(|ax| self.outer.iter().all(|spec| spec.axis != *ax))
            .collect();
        if p.once_in(3) {
            let axes = some_or_none(&free, p);
            cover.note(format!("merged of {}", axes.len()));
            self.push("g0".into(), *p.one(&numbers), axes, Use::Merged);
        }
        // Sums in GM have any order.
        if self.exact && p.once_in(3) {
            let axes = some_or_none(&all, p);
            cover.note(format!("added of {}", axes.len()));
            self.push("a0".into(), *p.one(&numbers), axes, Use::Added);
        }
        let along = p.of(all.len());
        if self.axes[along].size > 0 && p.once_in(3) {
            let axes = some(&all, p);
            self.push(
                "ids0".into(),
                DType::I32,
                axes[..axes.len().min(2)].to_vec(),
                Use::Indexes(along),
            );
        }
    }

    /// Draws the axes of a tensor: mostly one axis, or several with a last one that all tensors
    /// share, as copies need it. Other orders are seldom.
    fn subset(&self, mut axes: Vec<usize>, tame: bool, p: &mut Picks<'_>) -> Vec<usize> {
        let last = self.axes.len() - 1;
        if tame && axes.len() > 1 && !axes.contains(&last) {
            axes.push(last);
        }
        if !tame && p.once_in(4) {
            axes.rotate_left(1);
        }
        axes
    }

    fn push(&mut self, name: String, dtype: DType, axes: Vec<usize>, used: Use) {
        self.tensors.push(Tensor {
            name,
            dtype,
            axes,
            used,
            of: None,
            back: None,
            moved: None,
        });
    }

    /// Draws axes that the kernel makes, alone and for views.
    fn made(&mut self, p: &mut Picks<'_>, cover: &mut Cover) {
        if p.once_in(4) {
            let size = *p.one(&[3, 1, 8, 2]);
            self.axis(size, size.to_string());
        }
        if !p.once_in(3) {
            return;
        }
        let nth = p.of(self.tensors.len());
        let t = self.tensors[nth].clone();
        if !(t.is_loaded() || t.is_stored()) {
            return;
        }
        let at = p.of(t.axes.len());
        let (one, two) = (t.axes[at], t.axes.get(at + 1).copied());
        // Every outer loop moves along an output, so its axes stay.
        let stays = |ax: usize| self.outer.iter().any(|spec| spec.axis == ax);
        let mut axes = t.axes.clone();
        match two {
            Some(two) if !(t.is_written() && (stays(one) || stays(two))) => {
                let (a, b) = (self.axes[one].clone(), self.axes[two].clone());
                let joined = self.axis(a.size * b.size, format!("{} * {}", a.name, b.name));
                axes.splice(at..at + 2, [joined]);
                cover.note("view joined");
            }
            None if self.axes[one].size.is_multiple_of(2) && !(t.is_written() && stays(one)) => {
                let a = self.axes[one].clone();
                let (first, second) = (
                    self.axis(2, "2".into()),
                    self.axis(a.size / 2, format!("{} / 2", a.name)),
                );
                axes.splice(
                    at..,
                    if p.of(2) == 0 {
                        [first, second]
                    } else {
                        [second, first]
                    },
                );
                cover.note("view split");
            }
            _ => return,
        }
        self.tensors.push(Tensor {
            name: format!("u{nth}"),
            of: Some(t.name.clone()),
            axes,
            ..t
        });
    }

    fn axis(&mut self, size: usize, made: String) -> usize {
        self.axes.push(Axis {
            name: format!("q{}", self.axes.len()),
            size,
            made: Some(made),
        });
        self.axes.len() - 1
    }

    /// Writes the text behind `in`, perhaps with one of the axes in a range.
    pub fn over(&self, specs: &[Spec], range: Option<(usize, &str)>) -> String {
        let of = |(at, spec): (usize, &Spec)| {
            let name = range
                .filter(|(nth, _)| *nth == at)
                .map_or(self.axes[spec.axis].name.as_str(), |(_, range)| range);
            if spec.each {
                format!("each({name})")
            } else {
                name.to_string()
            }
        };
        let over: Vec<String> = specs.iter().enumerate().map(of).collect();
        match (&over[..], specs) {
            ([over], [Spec { each: true, .. }]) => over.clone(),
            ([over], _) => format!("tiles({over})"),
            (over, _) => format!("tiles(({}))", over.join(", ")),
        }
    }

    /// Perhaps draws two loops that are one over `specs` together: two ranges of one of its axes.
    pub fn in_two(&self, specs: &[Spec], p: &mut Picks<'_>) -> Option<[String; 2]> {
        let at = p.of(specs.len());
        let axis = &self.axes[specs[at].axis];
        if axis.made.is_some() || !p.once_in(4) {
            return None;
        }
        let name = &axis.name;
        let ranges = match p.of(3) {
            0 => [format!("0..{name} / 2"), format!("{name} / 2..{name}")],
            1 => [format!("0..{name}"), format!("{name}..{name}")],
            _ => [
                format!("{name} - {name} / 3..{name}"),
                format!("0..{name} - {name} / 3"),
            ],
        };
        Some(ranges.map(|range| self.over(specs, Some((at, &range)))))
    }

    /// Writes the attribute, the name of the function and its parameters.
    pub fn signature(&self) -> String {
        let own = self.tensors.iter().filter(|t| t.of.is_none());
        let params: String = own
            .map(|t| {
                let word = if t.is_written() { "&mut " } else { "&" };
                let promise = match t.used {
                    Use::Indexes(axis) => format!("#[index({})] ", self.axes[axis].name),
                    Use::Loaded | Use::Stored | Use::Added | Use::Merged => String::new(),
                };
                format!(
                    "    #[shape({})] {promise}{}: {word}GlobalTensor<{}>,\n",
                    self.names(&t.axes),
                    t.name,
                    t.dtype.name()
                )
            })
            .collect();
        format!("#[kernel]\npub fn sample(\n{params}) {{\n")
    }

    /// Writes axes and views that the kernel makes before its loop.
    pub fn declarations(&self) -> String {
        let axes = self.axes.iter().filter_map(|a| {
            Some(format!(
                "    let {} = new_axis({});\n",
                a.name,
                a.made.as_ref()?
            ))
        });
        let view = |t: &Tensor| {
            Some(format!(
                "    let {} = {}.view(({},));\n",
                t.name,
                t.of.as_ref()?,
                self.names(&t.axes)
            ))
        };
        axes.chain(self.tensors.iter().filter_map(view)).collect()
    }

    fn names(&self, axes: &[usize]) -> String {
        axes.iter()
            .map(|ax| self.axes[*ax].name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Returns the tensors of the launch.
    pub fn given(&self) -> Vec<super::super::agree::Tensor> {
        let own = self.tensors.iter().filter(|t| t.of.is_none());
        let given = own.map(|t| super::super::agree::Tensor {
            name: t.name.clone(),
            dtype: t.dtype,
            shape: t.axes.iter().map(|ax| self.axes[*ax].size).collect(),
            written: t.is_written(),
        });
        given.collect()
    }
}

/// Draws a part of a list that is not empty, in its order.
pub fn some(all: &[usize], p: &mut Picks<'_>) -> Vec<usize> {
    let choice = 1 + p.of((1 << all.len()) - 1);
    all.iter()
        .enumerate()
        .filter(|(i, _)| choice >> i & 1 == 1)
        .map(|(_, ax)| *ax)
        .collect()
}

/// Draws a part of a list, in its order.
fn some_or_none(all: &[usize], p: &mut Picks<'_>) -> Vec<usize> {
    if all.is_empty() || p.of(3) == 0 {
        Vec::new()
    } else {
        some(all, p)
    }
}

/// Draws a loop over axes, some of them index by index.
pub fn specs(axes: &[usize], p: &mut Picks<'_>) -> Vec<Spec> {
    axes.iter()
        .map(|axis| Spec {
            axis: *axis,
            each: p.once_in(3),
        })
        .collect()
}

/// Writes a pattern of one or several names: `t`, `(i, t)`.
pub fn pattern(names: &[String]) -> String {
    match names {
        [name] => name.clone(),
        names => format!("({})", names.join(", ")),
    }
}

/// Returns the kind of a loop, for the table.
pub fn kind(specs: &[Spec]) -> &'static str {
    let each = specs.iter().filter(|spec| spec.each).count();
    match (specs.len(), each) {
        (1, 0) => "run",
        (1, _) => "each",
        (_, 0) => "runs",
        (n, each) if n == each => "eachs",
        _ => "runs and each",
    }
}
