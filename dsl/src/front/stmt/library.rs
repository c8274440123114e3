//! Calls of the functions of [`crate::library`], which are inlined like helpers.
//!
//! Their text is read where a kernel first calls them. Every finding in that text is a finding
//! about the call.

use crate::diag::{Code, Spot};
use crate::front::cx::kinds::Callee;
use crate::front::cx::value::{Arg, Num, Val};
use crate::front::cx::Cx;
use crate::front::head::types::last_segment;
use crate::front::text::span::Node;
use crate::front::text::words::method_ends;
use crate::ir::{InlinedCall, Scalar, ScalarTy, ValueId};
use crate::library::{power, Function};
use crate::scalar::Value;
use syn::{Expr, ExprMethodCall, FnArg};

impl Cx<'_> {
    /// Reads a call of a library function.
    pub fn library_call(
        &mut self,
        f: &Function,
        v: ValueId,
        args: &[Arg<'_>],
        m: &ExprMethodCall,
        e: &Expr,
    ) -> Val {
        let by = match args {
            [(Val::Num(n), _)] if f.name == "pow" => match n.value.value() {
                Some(Value::Int(e)) => Some(e as f32),
                Some(Value::I32(e)) => Some(e as f32),
                Some(Value::F32(e)) => Some(e),
                Some(Value::Bool(_)) | None => None,
            },
            _ => None,
        };
        let number = by.map(|by| {
            Val::Num(Num {
                value: Scalar::Float(by),
                ty: Some(ScalarTy::F32),
                axis: None,
            })
        });
        let shorter = by.and_then(power);
        let power_of = number.clone().filter(|_| shorter.is_some());
        let (name, args) = match (shorter, number, args) {
            (Some((name, true)), Some(number), [(_, written)]) => (name, vec![(number, *written)]),
            (Some((name, _)), ..) => (name, Vec::new()),
            (None, ..) => (f.name, args.to_vec()),
        };
        let ((at, text), set) = (self.module.library.get(name), f.set);
        // All of them are functions over elements `T`, with the bound in the table.
        let element = "T".to_string();
        let wanted = text.sig.inputs.len() - 1;
        if args.len() != wanted {
            let message = format!(
                "`{}` takes {wanted} argument{}, found {}",
                f.name,
                if wanted == 1 { "" } else { "s" },
                args.len()
            );
            let d = self
                .error(Code::J0106, e, message)
                .number("found", args.len() as i64)
                .number("allowed", wanted as i64);
            return self.report.bad(d.help(format!("as in `{}`", f.example)));
        }
        let dtype = self.out.dtype(v);
        if !self.draft.in_set(dtype, set) {
            let found = self.draft.sig.ty_name(dtype);
            let d = self
                .error(
                    Code::J0203,
                    &method_ends(m),
                    format!("`{}` of a tile of `{found}`; it takes {set}", f.name),
                )
                .help("convert it, `.cast::<f32>()`, and the result back");
            let whole = self
                .report
                .at(&(m.receiver.ends().0, m.paren_token.span.close()));
            let d = d
                .edit(
                    whole,
                    Spot::Through {
                        way: "f32".into(),
                        tiles: vec![true],
                        back: Some(format!("cast::<{found}>")),
                    },
                    "",
                )
                .maybe();
            return self.report.bad(d);
        }
        let mut given = vec![(Val::Tile(v), &*m.receiver)];
        for (input, arg) in text.sig.inputs.iter().skip(1).zip(&args) {
            let val = match &arg.0 {
                // A number in the place of a tile.
                Val::Num(n) if is_tile(input) => match self.filled(n, arg.1, dtype, v, arg.1) {
                    Some(v) => Val::Tile(v),
                    None => return Val::Unknown,
                },
                Val::Unknown => return Val::Unknown,
                Val::Tile(_) | Val::Num(_) => arg.0.clone(),
                _ => return self.wrong_kind(arg, "a tile or a scalar"),
            };
            given.push((val, arg.1));
        }
        let call = self.report.at(e);
        // A power with a text of its own is called without its number, or with it in another type.
        let said = power_of.iter().chain(
            given[1..]
                .iter()
                .map(|(val, _)| val)
                .filter(|_| power_of.is_none()),
        );
        let said = said.filter_map(super::call::call_arg).collect();
        let val = self.inline(
            Callee::Library(at),
            text,
            vec![(element, dtype)],
            &given,
            call,
        );
        if let (None, Val::Tile(result)) = (self.report.within, &val) {
            self.out.calls.push(InlinedCall {
                span: call,
                method: f.name.to_string(),
                receiver: v,
                args: said,
                results: vec![*result],
            });
        }
        val
    }
}

/// True for a parameter `Tile<T>`.
fn is_tile(input: &FnArg) -> bool {
    matches!(input, FnArg::Typed(p) if last_segment(&p.ty).is_some_and(|s| s.ident == "Tile"))
}
