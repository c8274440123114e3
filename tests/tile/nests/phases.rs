//! Phases around a kernel over nests that do not change its results: an input passes through a
//! workspace, and scalar loops and branches stand around. If a barrier is missing, an element is
//! read before it is stored.

use super::super::cover::Cover;
use super::super::plan::Picks;
use super::head::{pattern, specs, Head};

/// Statements around the loop of a kernel.
pub struct Phases {
    /// The input that passes through a workspace.
    input: String,
    /// The workspace, and the loop that fills it.
    declared: String,
    fills: String,
    control: Control,
}

enum Control {
    None,
    /// A loop that runs all twice.
    For,
    /// The kernel in both branches.
    If(String),
}

impl Phases {
    /// Draws phases for one kernel in three.
    pub fn of(head: &Head, p: &mut Picks<'_>, cover: &mut Cover) -> Option<Phases> {
        let plain = |t: &&super::head::Tensor| t.is_loaded() && t.of.is_none();
        let inputs: Vec<_> = head.tensors.iter().filter(plain).collect();
        if inputs.is_empty() || !p.once_in(3) {
            return None;
        }
        let t = *p.one(&inputs);
        let specs = specs(&t.axes, p);
        let names: Vec<String> = (0..specs.len()).map(|i| format!("c{i}")).collect();
        let header = format!("for {} in {}", pattern(&names), head.over(&specs, None));
        let names = names.join(", ");
        let axes: Vec<&str> = t
            .axes
            .iter()
            .map(|ax| head.axes[*ax].name.as_str())
            .collect();
        let control = match p.of(3) {
            0 => Control::None,
            1 => Control::For,
            _ => Control::If(format!("{} > {}", axes[0], p.of(70))),
        };
        cover.note(match control {
            Control::None => "phases workspace",
            Control::For => "phases for",
            Control::If(_) => "phases if",
        });
        Some(Phases {
            input: t.name.clone(),
            declared: format!(
                "    let kept = workspace::<{}>(({},));\n",
                t.dtype.name(),
                axes.join(", ")
            ),
            fills: format!(
                "    {header} {{ kept.at({names}).store({}.at({names}).load()); }}\n",
                t.name
            ),
            control,
        })
    }

    /// Writes declarations and the loop of the kernel with all around them.
    pub fn around(&self, declarations: &str, main: &str) -> String {
        let Phases {
            declared,
            fills,
            control,
            ..
        } = self;
        let (declarations, main) = (self.kept(declarations), self.kept(main));
        let body = match control {
            Control::None => format!("{fills}{main}"),
            Control::For => format!("    for turn in 0..2 {{\n{fills}{main}    }}\n"),
            Control::If(cond) => {
                format!("{fills}    if {cond} {{\n{main}    }} else {{\n{main}    }}\n")
            }
        };
        format!("{declared}{declarations}{body}")
    }

    /// Replaces the input by the workspace.
    fn kept(&self, text: &str) -> String {
        let mut text = text.to_string();
        for method in ["at", "view"] {
            for before in [" ", "(", "-", "!"] {
                text = text.replace(
                    &format!("{before}{}.{method}(", self.input),
                    &format!("{before}kept.{method}("),
                );
            }
        }
        text
    }
}
