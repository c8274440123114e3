//! Scalars as text.
//!
//! A signature has expressions in full. In a body these get a name first: an expression with more
//! than one pair of parentheses, a conditional, and every step in floats.

use super::names::Pool;
use super::{Canon, Names, Unprintable};
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::{BinOp, Scalar, ScalarTy, Ty, UnOp};

/// Names of element type parameters.
pub const TYPES: [&str; 4] = ["T", "U", "V", "W"];

/// The limit of operands of a sum or product without a name.
const MOST_TERMS: usize = 8;

/// The precedence of an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binds {
    Or,
    And,
    Compare,
    Sum,
    Product,
    Cast,
    Unary,
    Atom,
}

/// An expression as text.
struct Said {
    text: String,
    binds: Binds,
    /// Number of operands in a row.
    terms: usize,
    /// True if it contains parentheses.
    nested: bool,
}

impl Said {
    fn atom(text: impl Into<String>) -> Said {
        Said {
            text: text.into(),
            binds: Binds::Atom,
            terms: 1,
            nested: false,
        }
    }
}

/// Writes an `f32` literal.
pub fn float(v: f32) -> Result<String, Unprintable> {
    match v {
        v if v == f32::INFINITY => Ok("f32::INFINITY".into()),
        v if v == f32::NEG_INFINITY => Ok("f32::NEG_INFINITY".into()),
        v if v.is_nan() => Err(Unprintable::new("a number that is none")),
        v => Ok(format!("{v:?}")),
    }
}

impl Canon<'_> {
    /// Writes a scalar of a signature, which has no statements before it.
    pub(super) fn signed(&mut self, s: &Scalar) -> Result<String, Unprintable> {
        self.in_signature = true;
        let said = self.scalar(s);
        self.in_signature = false;
        Ok(said?.text)
    }

    /// Writes an operand: an expression for integers, a name or a number for other types.
    pub(super) fn placed(&mut self, s: &Scalar) -> Result<String, Unprintable> {
        let said = self.scalar(s)?;
        match (s.ty(), s) {
            (ScalarTy::F32, _) | (_, Scalar::Cast(..) | Scalar::Select(..)) => self.atomic(s, said),
            (ScalarTy::Index | ScalarTy::I32 | ScalarTy::Bool, _) => Ok(said.text),
        }
    }

    /// Writes a name or a number, as the receiver of a method and the operand of a cast.
    pub(super) fn named(&mut self, s: &Scalar) -> Result<String, Unprintable> {
        let said = self.scalar(s)?;
        self.atomic(s, said)
    }

    /// Writes the right side of a `let`, and names its parts where needed.
    pub(super) fn defined(&mut self, s: &Scalar) -> Result<String, Unprintable> {
        Ok(self.scalar(s)?.text)
    }

    /// Writes the factor of an index, which the front end inlines.
    pub(super) fn factor(&mut self, s: &Scalar) -> Result<String, Unprintable> {
        Ok(self.operand(s, Binds::Product, true)?.text)
    }

    fn atomic(&mut self, s: &Scalar, said: Said) -> Result<String, Unprintable> {
        if said.binds == Binds::Atom && !said.nested {
            return Ok(said.text);
        }
        if self.in_signature {
            return Ok(format!("({})", said.text));
        }
        self.hoisted(s, said.text)
    }

    /// Gives an expression a name, in a `let` before the current statement.
    fn hoisted(&mut self, s: &Scalar, text: String) -> Result<String, Unprintable> {
        if let Some((_, name)) = self.hoists.iter().find(|(own, _)| own == s) {
            return Ok(name.clone());
        }
        let pool = match s.ty() {
            ScalarTy::Index => Pool::Size,
            ScalarTy::I32 => Pool::Int,
            ScalarTy::F32 => Pool::Float,
            ScalarTy::Bool => Pool::Bool,
        };
        let name = self.name(pool);
        self.line(&format!("let {name} = {text};"));
        self.hoists.push((s.clone(), name.clone()));
        Ok(name)
    }

    fn scalar(&mut self, s: &Scalar) -> Result<Said, Unprintable> {
        Ok(match s {
            Scalar::Int(v) if *v < 0 => Said {
                binds: Binds::Unary,
                ..Said::atom(v.to_string())
            },
            Scalar::Int(v) => Said::atom(v.to_string()),
            Scalar::I32(i32::MIN) => Said::atom("i32::MIN"),
            Scalar::I32(i32::MAX) => Said::atom("i32::MAX"),
            Scalar::I32(v) => Said::atom(v.to_string()),
            Scalar::Float(v) => Said::atom(float(*v)?),
            Scalar::Bool(v) => Said::atom(v.to_string()),
            Scalar::Axis(axis) => Said::atom(self.sig_axes[axis.index()].clone()),
            Scalar::Attr(id, _) => Said::atom(self.attribute(*id)?),
            Scalar::Var(var) => match self.vars.get(&var.index()) {
                Some(name) => Said::atom(name.clone()),
                None => return Err(Unprintable::new("a scalar that nothing defines")),
            },
            Scalar::SizeOf(ty) => Said::atom(format!("size_of::<{}>()", self.ty(*ty)?)),
            Scalar::Chip(_) | Scalar::BlockIdx | Scalar::BlockDim => {
                return Err(Unprintable::new("a scalar of the queue level"))
            }
            Scalar::Un(op, a) => self.unary(*op, a)?,
            Scalar::Bin(op, a, b) => self.binary(*op, a, b)?,
            Scalar::Select(c, a, b) => {
                let (c, a, b) = (self.scalar(c)?.text, self.placed(a)?, self.placed(b)?);
                let text = format!("if {c} {{ {a} }} else {{ {b} }}");
                Said {
                    text,
                    binds: Binds::Or,
                    terms: MOST_TERMS,
                    nested: true,
                }
            }
            // A `<` behind a cast begins generic arguments of the type, so a cast stands alone.
            Scalar::Cast(ty, a) => {
                let text = format!("{} as {}", self.named(a)?, word(*ty));
                Said {
                    text,
                    binds: Binds::Or,
                    terms: MOST_TERMS,
                    nested: true,
                }
            }
        })
    }

    fn unary(&mut self, op: UnOp, a: &Scalar) -> Result<Said, Unprintable> {
        let inner = self.named(a)?;
        Ok(match op {
            UnOp::Neg => Said {
                binds: Binds::Unary,
                ..Said::atom(format!("-{inner}"))
            },
            UnOp::Not => Said {
                binds: Binds::Unary,
                ..Said::atom(format!("!{inner}"))
            },
            UnOp::Sqrt => Said {
                binds: Binds::Cast,
                ..Said::atom(format!("{inner}.sqrt()"))
            },
        })
    }

    fn binary(&mut self, op: BinOp, a: &Scalar, b: &Scalar) -> Result<Said, Unprintable> {
        if let Some(said) = self.variant(op, a, b)? {
            return Ok(said);
        }
        let (sign, binds) = match op {
            BinOp::Add => (" + ", Binds::Sum),
            BinOp::Sub => (" - ", Binds::Sum),
            BinOp::Mul => (" * ", Binds::Product),
            BinOp::Div => (" / ", Binds::Product),
            BinOp::Rem => (" % ", Binds::Product),
            BinOp::Lt => (" < ", Binds::Compare),
            BinOp::Le => (" <= ", Binds::Compare),
            BinOp::Gt => (" > ", Binds::Compare),
            BinOp::Ge => (" >= ", Binds::Compare),
            BinOp::Eq => (" == ", Binds::Compare),
            BinOp::Ne => (" != ", Binds::Compare),
            BinOp::And => (" && ", Binds::And),
            BinOp::Or => (" || ", Binds::Or),
            BinOp::CeilDiv => return self.method(a, "div_ceil", b),
            BinOp::Min => return self.method(a, "min", b),
            BinOp::Max => return self.method(a, "max", b),
            BinOp::AlignUp => return self.method(a, "next_multiple_of", b),
        };
        // An addition of a negative number is written as a subtraction.
        let (sign, b) = match (op, b.as_int()) {
            (BinOp::Add, Some(v)) if v < 0 && v != i64::MIN => (" - ", &Scalar::Int(-v)),
            _ => (sign, b),
        };
        let is_float = a.ty() == ScalarTy::F32;
        if is_float && !self.in_signature {
            let (a, b) = (self.named(a)?, self.named(b)?);
            return Ok(Said {
                binds,
                ..Said::atom(format!("{a}{sign}{b}"))
            });
        }
        let left = self.operand(a, binds, false)?;
        // Operators are left-associative, and comparisons do not chain.
        let right = self.operand(b, binds, true)?;
        let (terms, nested) = (left.terms + right.terms, left.nested || right.nested);
        Ok(Said {
            text: format!("{}{sign}{}", left.text, right.text),
            binds,
            terms,
            nested,
        })
    }

    /// Writes an operand of an operator: with parentheses or a name if its precedence is lower.
    fn operand(&mut self, s: &Scalar, around: Binds, is_right: bool) -> Result<Said, Unprintable> {
        let said = self.scalar(s)?;
        let binds_more =
            said.binds > around || (said.binds == around && !is_right && around != Binds::Compare);
        if self.in_signature {
            return Ok(if binds_more {
                said
            } else {
                Said {
                    nested: true,
                    ..Said::atom(format!("({})", said.text))
                }
            });
        }
        if binds_more && said.terms < MOST_TERMS {
            return Ok(said);
        }
        let is_plain = !said.nested && said.terms <= 4 && said.binds >= Binds::Sum && !binds_more;
        if is_plain {
            return Ok(Said {
                nested: true,
                ..Said::atom(format!("({})", said.text))
            });
        }
        Ok(Said::atom(self.hoisted(s, said.text)?))
    }

    fn method(&mut self, a: &Scalar, method: &str, b: &Scalar) -> Result<Said, Unprintable> {
        let receiver = match self.in_signature {
            true => self.operand(a, Binds::Unary, false)?.text,
            false => {
                // A literal receiver has no type, so it gets a name.
                let said = self.scalar(a)?;
                match a.as_int() {
                    Some(_) => self.hoisted(a, said.text)?,
                    None => self.atomic(a, said)?,
                }
            }
        };
        let arg = match self.in_signature || a.ty() != ScalarTy::F32 {
            true => self.scalar(b)?,
            false => Said::atom(self.named(b)?),
        };
        let arg = match arg.nested && !self.in_signature {
            true => self.hoisted(b, arg.text)?,
            false => arg.text,
        };
        Ok(Said {
            binds: Binds::Cast,
            nested: true,
            ..Said::atom(format!("{receiver}.{method}({arg})"))
        })
    }

    /// Writes the comparison of an attribute with the number of a variant.
    fn variant(&mut self, op: BinOp, a: &Scalar, b: &Scalar) -> Result<Option<Said>, Unprintable> {
        let (Scalar::Attr(id, ScalarTy::Index), Some(nth)) = (a, b.as_int()) else {
            return Ok(None);
        };
        let sig = &self.kernel.sig;
        let Some(variant) = usize::try_from(nth)
            .ok()
            .and_then(|nth| sig.choices(*id).get(nth))
        else {
            return Ok(None);
        };
        let sign = match op {
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            _ => return Err(Unprintable::new("an order of variants")),
        };
        let (variant, of) = (pascal(variant), self.enums[&id.index()].clone());
        let name = self.attribute(*id)?;
        Ok(Some(Said {
            binds: Binds::Compare,
            terms: 2,
            ..Said::atom(format!("{name} {sign} {of}::{variant}"))
        }))
    }

    /// Writes an element type.
    pub(super) fn ty(&self, ty: Ty) -> Result<String, Unprintable> {
        Ok(match ty {
            Ty::Is(DType::Bits) => return Err(Unprintable::new("a tile of bits as elements")),
            Ty::Is(of) => of.name().to_string(),
            Ty::Param(at) => self.param_ty(at)?,
            Ty::Wide(at) => format!("{}::Wide", self.param_ty(at)?),
            Ty::Mask => "bool".to_string(),
        })
    }

    /// Writes an element type parameter.
    pub(super) fn param_ty(&self, at: u8) -> Result<String, Unprintable> {
        let own = self
            .kernel
            .sig
            .dtypes
            .get(usize::from(at))
            .map(|d| d.name.clone());
        let pooled = TYPES.get(usize::from(at)).map(|name| name.to_string());
        let name = match self.how {
            Names::Author | Names::Axes => own,
            Names::Pools => pooled,
        };
        name.ok_or_else(|| Unprintable::new("a kernel with so many element types"))
    }
}

/// Returns the name of a scalar type.
pub fn word(ty: ScalarTy) -> &'static str {
    match ty {
        ScalarTy::Index => "usize",
        ScalarTy::I32 => "i32",
        ScalarTy::F32 => "f32",
        ScalarTy::Bool => "bool",
    }
}

/// Converts the name of a choice in a launch to that of its variant.
pub fn pascal(snake: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| first.to_ascii_uppercase().to_string() + letters.as_str())
            .unwrap_or_default()
    };
    snake.split('_').map(word).collect()
}
