//! Hostile texts: small mutations of right kernels, each with its message and place.

use super::*;
use crate::check::check;
use crate::front::parse_file;
use crate::ir::text::{from_text, to_text, MAX_DEPTH, VERSION};
use crate::ir::Level;
use crate::ir::{walk_stmts_mut, Scalar, StmtKind, UnOp};
use crate::soc::Chip;
use std::sync::{Arc, LazyLock};

const TILE: &str = "#[kernel]
#[instances(f16, f32)]
fn t<T: Float>(
    #[shape(n.., d)] x: &GlobalTensor<T>,
    #[shape(d)] g: &GlobalTensor<f32>,
    #[inplace] #[shape(n.., d)] z: &mut GlobalTensor<T>,
    #[shape(n..)] y: &mut GlobalTensor<f32>,
    s: f32,
    k: usize,
) {
    require(k > 0);
    let w = k + 1;
    for r in tiles(n).size(w) {
        let gamma = g.at(..).load();
        let mut m = full(r, 0.0);
        for c in tiles(d).size(128) {
            let a = x.at(r, c).load().cast::<f32>();
            m = m.max(a.amax(c));
            let p = a.gt(z.at(r, c).load().cast::<f32>()).select(a * s, 0.0);
            z.at(r, c).store((p - a).cast::<T>());
        }
        let scaled = (x.at(r, ..).load().cast::<f32>() * gamma).sum(d);
        y.at(r).store(scaled + m);
    }
}";

const QUEUE: &str = "#[kernel]
fn q(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, k: i32, flag: bool) {
    let share = split(x.len()).unit(64);
    let length = fit_tile(64);
    let mut pipe = TPipe::new();
    let (mut a, mut b, mut c) = (TQue::<VecIn, 1>::new(), TQue::<VecOut, 1>::new(), TBuf::<VecCalc>::new());
    pipe.init_buffer(&mut a, 2, length * 4);
    pipe.init_buffer(&mut b, 2, length * 4);
    pipe.init_buffer(&mut c, 1, 256);
    let bits = c.get::<u8>();
    let left = workspace::<f32>(x.len());
    let mut total = 0.0;
    for i in 0..share.len().div_ceil(length) {
        let at = share.start() + i * length;
        let m = length.min(share.len() - i * length);
        let x_local = a.alloc_tensor::<f32>();
        data_copy_pad(&x_local, x.slice(at, m));
        a.enque(x_local);
        let x_local = a.deque::<f32>();
        let y_local = b.alloc_tensor::<f32>();
        if flag {
            vec::muls(&y_local, &x_local, 2.0, m);
        } else {
            vec::gts(&bits, &x_local, 0.0, 64);
        }
        total = total + x_local.get_value(0);
        vec::adds(&y_local, &x_local, total, m);
        a.free_tensor(x_local);
        b.enque(y_local);
        let y_local = b.deque::<f32>();
        data_copy_pad(y.slice(at, m), &y_local);
        b.free_tensor(y_local);
    }
}";

fn kernel(text: &str) -> Kernel {
    let parsed = parse_file(text)
        .unwrap_or_else(|(d, _)| panic!("{}", d.message))
        .remove(0);
    parsed
        .kernel
        .unwrap_or_else(|| panic!("{:?}", parsed.diagnostics))
}

fn lowered(text: &str, at: usize) -> Lowered {
    let checked =
        check(&kernel(text), Chip::default_chip()).unwrap_or_else(|found| panic!("{found:?}"));
    checked.instances()[at].clone()
}

/// The text that a row changes.
#[derive(Clone, Copy)]
enum Of {
    Tile,
    Queue,
    /// The lowered form of the tile kernel.
    Rows,
    /// The lowered form of the queue kernel.
    Share,
}
use Of::{Queue, Rows, Share, Tile};

impl Of {
    fn text(self) -> &'static str {
        static TEXTS: LazyLock<[String; 4]> = LazyLock::new(|| {
            [
                to_text(&kernel(TILE)),
                to_text(&kernel(QUEUE)),
                to_text(&lowered(TILE, 0)),
                to_text(&lowered(QUEUE, 0)),
            ]
        });
        &TEXTS[self as usize]
    }
    fn parse(self, text: &str) -> Result<(), TextError> {
        match self {
            Tile | Queue => Kernel::parse(text).map(|_| ()),
            Rows | Share => Lowered::parse(text).map(|_| ()),
        }
    }
}

/// A text, the part that is replaced, its replacement, and the message. The message is for the line
/// of the change, unless a number stands before it.
type Row = (Of, &'static str, &'static str, &'static str);

const TABLE: &[Row] = &[
    // ---- the text itself ----
    (Tile, "jumar-ir-10", "jumar-ir-1", "expected `jumar-ir-10`, found `jumar-ir-1`"),
    (Tile, "(kernel (signature", "(kernel", "expected `(`, found `\"t\"`"),
    (Tile, "(var \"w\" usize false)", "(var \"w\" usize)", "expected `true` or `false`, found `)`"),
    (Tile, "(var \"w\" usize false)", "(var \"w\" size false)", "`size` is no ScalarTy; there are `usize` `i32` `f32` `bool`"),
    (Tile, "(var \"w\" usize false)", "(var w usize false)", "expected a string, found `w`"),
    (Tile, "(var \"w\" usize false)", "(var \"w\\q{\" usize maybe)", "expected `true` or `false`, found `maybe`"),
    (Tile, "(stmt @7", "(stmt @", "expected a SpanId (`@0`), found `@`"),
    (Tile, "(stmt @7", "(stmt @+7", "expected a SpanId (`@0`), found `@+7`"),
    (Tile, "(stmt @7", "(stmt @99999999999999999999", "expected a SpanId (`@0`), found `@99999999999999999999`"),
    (Tile, "(let $0", "(lett $0", "`lett` is no StmtKind; there are `let` `set_scalar` `for` `if` `promise` `tile_loop` `def` `set` `store` `append` `read` `dump`"),
    (Tile, "(+ &5 1)", "(+ &5 1 2)", "expected `)`, found `2`"),
    (Tile, "(+ &5 1)", "(+ &5 )", "expected a number (i64), found `)`"),
    (Tile, "(+ &5 1)", "(plus &5 1)", "`plus` is no BinOp; there are `+` `-` `*` `/` `%` `ceil_div` `min` `max` `align_up` `<` `<=` `>` `>=` `==` `!=` `and` `or`"),
    (Tile, "(+ &5 1)", "9223372036854775808", "expected a number (i64), found `9223372036854775808`"),
    (Tile, "(+ &5 1)", "1.5", "expected a number (i64), found `1.5`"),
    (Tile, "(+ &5 1)", "(+ &5x 1)", "expected an attribute, found `&5x`"),
    (Tile, "4:22-4:23", "4:22-4", "expected a span (`1:1-1:2`), found `4:22-4`"),
    (Tile, "])\n", "]) more\n", "expected the end, found `more`"),
    (Queue, "(do muls", "(do mulss", "`mulss` is no op"),
    // ---- ids ----
    (Tile, "(stmt @7", "(stmt @700", "statement 1: there is no source location `@700`, there are 36"),
    (Tile, "\"k\" (attr usize _ [] _ _) launch @5", "\"k\" (attr usize _ [] _ _) launch @50", "parameter 6: there is no source location `@50`, there are 36"),
    (Tile, "(let $0", "(let $7", "statement 1: there is no variable `$7`, there are 5"),
    (Tile, "(let $0", "(let $0f", "statement 1: `w` (`$0`) taken for f32, it is declared usize"),
    (Tile, "(+ &5 1)", "(+ &6 1)", "statement 1: there is no parameter `&6`, there are 6"),
    (Tile, "(+ &5 1)", "(+ &0 1)", "statement 1: parameter `x` is a tensor, an attribute is due"),
    (Tile, "(+ &5 1)", "(+ &5i 1)", "statement 1: attribute `k` taken for i32, it is declared usize"),
    (Tile, "(+ &5 1)", "(+ #2 1)", "statement 1: there is no axis `#2`, there are 2"),
    (Tile, "(axis #1)] _ false) launch @1)", "(axis #7)] _ false) launch @1)", "parameter 2: there is no axis `#7`, there are 2"),
    (Tile, "\"a\" f32 [~1 ~3]", "\"a\" f32 [~1 ~4]", "value 4: there is no axis `~4`, there are 4"),
    (Tile, "\"a\" f32 [~1 ~3]", "\"a\" f32 [~3 ~1]", "a set of axes that do not rise; each stands in it once"),
    (Tile, "(load (at &1 ", "(load (at &4 ", "statement 3: parameter `s` is an attribute, a tensor is due"),
    (Tile, "(v %3) (v %7)", "(v %3) (v %77)", "statement 13: there is no value `%77`, there are 18"),
    (Tile, "(value \"x_tile\" T0", "(value \"x_tile\" T1", "value 3: there is no element type parameter `T1`, there are 1"),
    (Queue, "(queue alloc *1 q0)", "(queue alloc *9 q0)", "statement 8: there is no local tensor `*9`, there are 5"),
    (Queue, "(queue alloc *1 q0)", "(queue alloc *1 q2)", "statement 8: there is no queue `q2`, there are 2"),
    (Queue, "(get *0 b0)", "(get *0 b1)", "statement 3: there is no buffer `b1`, there are 1"),
    (Queue, "(at &0 $5)", "(at &7 $5)", "statement 9: there is no parameter `&7`, there are 4"),
    // ---- names ----
    (Tile, "(var \"w\"", "(var \"\"", "variable 1: `\"\"` is no name; names are letters, digits and `_`, at most 1000"),
    (Tile, "(var \"w\"", "(var \"r_len\"", "14 variable 3: a second `r_len`; names are unique"),
    (Tile, "(var \"w\"", "(var \"w; int\"", "variable 1: `\"w; int\"` is no name; names are letters, digits and `_`, at most 1000"),
    (Tile, "signature \"t\"", "signature \"9t\"", "signature: `\"9t\"` is no name; names are letters, digits and `_`, at most 1000"),
    (Queue, "(local \"x_local\" f32)", "(local \"bits\" f32)", "local tensor 2: a second `bits`; names are unique"),
    (Tile, "\"g\" (tensor", "\"x\" (tensor", "parameter 2: a second `x`; names are unique"),
    // ---- signature ----
    (Tile, "\"Float\"", "\"Floats\"", "element type 1: there is no set of element types `Floats`"),
    (Tile, "[[f16] [f32]]", "[]", "signature: no instance; there is at least one"),
    (Tile, "[[f16] [f32]]", "[[f16 f32] [f32]]", "signature: an instance of 2 element types, the parameters are 1"),
    (Tile, "[[f16] [f32]]", "[[i32] [f32]]", "signature: i32 is not in `Float`, the bound of `T`"),
    (Tile, "[[f16] [f32]]", "[[f16] [f16]]", "signature: two equal instances"),
    (Tile, "(axis \"d\" false)", "(axis \"d\" true)", "3 parameter 1: 2 axes that stand for several, and no input tells them apart"),
    (Tile, "(tensor in f32 [(axis #1)] _ false)", "(tensor in f32 [(at #1 &6)] _ false)", "parameter 2: there is no parameter `&6`, there are 6"),
    (Tile, "(tensor in f32 [(axis #1)] _ false)", "(tensor in f32 [(at #7 &5)] _ false)", "parameter 2: there is no axis `#7`, there are 2"),
    (Tile, "(tensor in f32 [(axis #1)] _ false)", "(tensor in f32 [(at #1 &4)] _ false)", "parameter 2: `s` says where an axis stands and is no attribute of integers"),
    (Tile, "(tensor in f32 [(axis #1)] _ false)", "(tensor in f32 [(at #1 &0)] _ false)", "parameter 2: `x` says where an axis stands and is no attribute of integers"),
    (Tile, "(tensor in f32 [(axis #1)] _ false)", "(tensor in f32 [(at #0 &5)] _ false)", "parameter 2: an attribute says where one axis stands, not several"),
    (Tile, "(tensor in f32 [(axis #1)] _ false)", "(tensor in f32 [(at #1 &5) (at #1 &5)] _ false)", "parameter 2: 2 axes that stand where an attribute says, at most 1 can be told apart"),
    (Tile, "(tensor in f32 [(axis #1)] _ false)", "(tensor in f32 [(at #1 &5) (axis #0) (axis #0)] _ false)", "parameter 2: 2 axes that stand for several on one side of another, at most 1 can be told apart"),
    (Tile, "(tensor in f32 [(axis #1)] _ false)", "(tensor in f32 [(axis #0) (at #1 &5) (axis #0)] _ false)", "parameter 2: an axis that stands for several twice in one shape"),
    (Tile, "(tensor in f32 [(axis #1)] _ false)", "(tensor in f32 [(axis #1)] _ true)", "11 body: `g`, which may be left out, where nothing says that it was given"),
    (Tile, "(tensor out f32 [(axis #0)] _ false)", "(tensor out f32 [(axis #0)] _ true)", "11 body: `y`, which may be left out, where nothing says that it was given"),
    (Tile, "(tensor inout T0 [(axis #0) (axis #1)] _ false)", "(tensor inout T0 [(axis #0) (axis #1)] _ true)", "11 body: `z`, which may be left out, where nothing says that it was given"),
    (Tile, "(at &1 [#1] [(index [(by ~2 1)] 0 _)] _)", "(at &1 [#1] [(index [(by ~2 1)] 0 _)] 1.0f)", "statement 3: a number in place of what is never left out"),
    (Tile, "(tensor in f32 [(axis #1)] _ false)", "(tensor in mask [(axis #1)] _ false)", "parameter 2: a parameter of mask bits; parameters have elements"),
    (Tile, "(tensor in f32 [(axis #1)] _ false)", "(tensor in f32 [(size vector_cores)] _ false)", "parameter 2: a fact of the chip where only axes and attributes may stand"),
    (Tile, "(attr usize _ [] _ _)", "(attr usize -1 [] _ _)", "parameter 6: a default that is no literal of type usize"),
    (Tile, "(attr usize _ [] _ _)", "(attr usize 2 [\"a\" \"b\"] _ _)", "parameter 6: a default that is no literal of type usize"),
    (Tile, "(attr usize _ [] _ _)", "(attr usize 1 [\"a\" \"a\"] _ _)", "parameter 6: two choices of one name"),
    (Tile, "(attr usize _ [] _ _)", "(attr usize 1 [\"a\" \"b\"] _ _)", "parameter 6: no fact says that `k` is one of its choices"),
    (Tile, "(attr usize _ [] _ _)", "(attr i32 _ [\"a\" \"b\"] _ _)", "parameter 6: choices of an attribute of type i32"),
    (Tile, "(attr usize _ [] _ _) launch", "(attr usize 2 [] _ _) item", "parameter 6: `k` cannot be given for each item of a list"),
    (Tile, "(attr usize _ [] _ _) launch", "(attr usize _ [] _ _) place", "parameter 6: `k` cannot be given for each item of a list"),
    (Tile, "(attr f32 _ [] _ _) launch", "(attr f32 _ [] _ _) place", "parameter 5: `s` cannot be given for each item of a list"),
    (Tile, "(tensor in f32 [(axis #1)] _ false) launch", "(tensor in f32 [(axis #1)] _ true) item", "parameter 2: `g` cannot be given for each item of a list"),
    (Tile, "(axis \"d\" false)] _", "(axis \"d\" false)] #1", "signature: an axis that is as long as no list"),
    (Tile, "(attr usize _ [] _ _)", "(attr usize _ [] (part \"l\" 0 2) _)", "parameter 6: `k` is no part of a list of 2"),
    (Tile, "(attr usize _ [] _ _)", "(attr usize _ [] (part \"l\" 1 1) _)", "parameter 6: `k` is no part of a list of 1"),
    (Tile, "(require (> &5 0)", "(require (+ &5 0)", "requirement 1: a scalar of type usize where bool is due"),
    (Tile, "(require (> &5 0)", "(require (> $0 0)", "requirement 1: a variable among axes and attributes"),
    (Tile, "tile [] _ (body", "tile [\"ascend1\"] _ (body", "2 kernel: there is no chip `ascend1`"),
    // ---- scalars ----
    (Queue, "(ceil_div $1 $2) [", "(ceil_div $1 $3f) [", "statement 5: the scalar operator `ceil_div` does not take `usize` and `f32`"),
    (Queue, "(if &3b", "(if &2i", "statement 13: a scalar of type i32 where bool is due"),
    (Queue, "(* $4 $2))))", "(and $4 $2))))", "statement 6: the scalar operator `and` does not take `usize` and `usize`"),
    (Queue, "(+ $3f $7f)", "(> $3f $7f)", "statement 17: a scalar of type bool where f32 is due"),
    (Queue, "(at &0 $5)", "(at &0 1.0f)", "statement 9: a scalar of type f32 where usize is due"),
    (Queue, "(count $6) [(at *3 0) (at *2 0) (s 2.0f)]", "(count $3f) [(at *3 0) (at *2 0) (s 2.0f)]", "statement 14: a scalar of type f32 where usize is due"),
    (Queue, "(at *2 0) (s 2.0f)", "(at *2 0) (s true)", "statement 14: a scalar of type bool for elements of `f32`"),
    (Tile, "(fill 0.0f)", "(fill (not 0.0f))", "statement 4: the scalar operator `not` does not take `f32`"),
    (Tile, "(fill 0.0f)", "(fill (select 1 2 3))", "statement 4: the scalar operator `select` does not take `usize` and `usize` and `usize`"),
    (Tile, "(fill 0.0f)", "(fill (as_bool 1))", "statement 4: the scalar operator `as_bool` does not take `usize`"),
    // ---- set before read ----
    (Queue, "(let $5 (+ $0 (* $4 $2)))", "(let $5 (+ $0 (* $4 $6)))", "statement 6: `m` (`$6`) is read here, but no statement before sets it"),
    (Queue, "(let $5 (+ $0 (* $4 $2)))", "(let $4 (+ $0 (* $4 $2)))", "statement 6: a second definition of `i` (`$4`); each variable has one"),
    (Queue, "(let $6 (min", "(let $5 (min", "statement 7: a second definition of `at` (`$5`); each variable has one"),
    (Queue, "(set_scalar $3f", "(set_scalar $7f", "statement 17: `value` is set again, but it is not mutable"),
    (Queue, "(for $4 0", "(for $0 0", "statement 5: a loop that counts with `share_start` (`$0`), which holds something else here"),
    (Queue, "(for $4 0", "(for $3f 0", "statement 5: a loop that counts with f32; usize and i32 count"),
    (Queue, "(queue enque *1 q0)", "(queue enque *2 q0)", "statement 10: `x_local_1` (`*2`) is used here, but no statement before in this block or around it makes it"),
    (Queue, "(queue deque *2 q0)", "(queue deque *1 q0)", "statement 11: a second definition of `x_local` (`*1`); each local tensor has one"),
    (Tile, "(cast %2 _)", "(cast %3 _)", "statement 7: `a` (`%3`) is used here, but no statement before in this block or around it defines it"),
    (Tile, "(def %3 (cast", "(def %2 (cast", "statement 7: a second definition of `x_tile` (`%2`); each value has one"),
    (Tile, "(set %1 %5)", "(set %4 %5)", "statement 10: `amax` is set again, but it is not mutable"),
    (Tile, "[(v %16) (v %1)]", "[(v %16) (v %4)]", "statement 23: `amax` (`%4`) is used here, but no statement before in this block or around it defines it"),
    (Queue, "(for $4 0", "(for $4 1.0f", "statement 5: a scalar of type f32 where usize is due"),
    // ---- workspaces ----
    (Queue, "(work \"left\" f32 #0", "(work \"left\" f32 block_idx", "workspace 1: a size of a workspace that only a core knows; the host must"),
    (Queue, "(work \"left\" f32 #0 0", "(work \"left\" f32 #0 8", "workspace 1: a place of a workspace; only the lowering decides it"),
    (Queue, "(work \"left\" f32", "(work \"left\" mask", "workspace 1: a workspace of the bits of a compare"),
    (Queue, "(at &0 $", "(at w1 $", "statement 9: there is no workspace `w1`, there are 1"),
    (Queue, "(at &0 $", "(at x1 $", "expected a TensorId (`*0`), found `x1`"),
    (Share, "(work \"left\" f32", "(work \"left\" f32 block_idx 0 @0) (work \"right\" f32", "workspace 1: the block where only axes, attributes, facts of the chip and variables may stand"),
    (Share, "(work \"left\" f32", "(work \"left\" f32 8 block_idx @0) (work \"right\" f32", "workspace 1: the block, where only variables of the tiling data may stand"),
    // ---- levels ----
    (Tile, "(let $0 (+ &5 1))", "(queue alloc *0 q0)", "`queue` is no StmtKind; there are `let` `set_scalar` `for` `if` `promise` `tile_loop` `def` `set` `store` `append` `read` `dump`"),
    (Queue, "(get *0 b0)", "(set %0 %0)", "`set` is no StmtKind; there are `let` `set_scalar` `for` `if` `promise` `host` `queue` `get` `view` `place` `sync` `do` `reset` `call`"),
    (Queue, "(get *0 b0)", "(place *0 A1 0 8)", "statement 3: a tensor placed at A1, which is not in UB"),
    (Queue, "(get *0 b0)", "(place *0 VECIN true 8)", "statement 3: a scalar of type bool where usize is due"),
    (Queue, "(get *0 b0)", "(place *99 VECIN 0 8)", "statement 3: there is no local tensor `*99`, there are 5"),
    (Queue, "(get *0 b0)", "(sync (set MTE2_V true))", "statement 3: a scalar of type bool where usize is due"),
    (Queue, "(get *0 b0)", "(sync (wait MTE1_V 0))", "`MTE1_V` is no Event; there are `MTE2_V` `V_MTE2` `V_MTE3` `MTE3_V` `MTE2_MTE3` `MTE3_MTE2` `V_S` `S_V` `MTE2_S` `S_MTE2` `MTE3_S` `S_MTE3`"),
    (Queue, "(get *0 b0)", "(sync (cross_set PIPE_S 3))", "statement 3: a flag across the cores of the scalar unit"),
    (Queue, "(get *0 b0)", "(sync (barrier PIPE_S))", "`PIPE_S` is no Barrier; there are `PIPE_V` `PIPE_MTE2` `PIPE_MTE3` `PIPE_ALL`"),
    (Tile, "(let $0 (+ &5 1))", "(sync (barrier PIPE_V))", "`sync` is no StmtKind; there are `let` `set_scalar` `for` `if` `promise` `tile_loop` `def` `set` `store` `append` `read` `dump`"),
    (Rows, "(do block_reduce_max (counter (* $0 8)) [(at *0 0) (at *1 0)])", "(sync (barrier PIPE_V))", "statement 16: an order of pipes or blocks in a function, which makes vector calls alone"),
    (Queue, "(get *0 b0)", "(promise (index_of 1 2 &0))", "statement 3: a promise where it stands at its tensor; only the lowering moves it"),
    (Queue, "(get *0 b0)", "(sync (order PIPE_V PIPE_S))", "statement 3: a wait without a flag; only the lowering puts it in"),
    (Tile, ") tile [] _ (", ") queue [] _ (", "43 `tile_loop` is no StmtKind; there are `let` `set_scalar` `for` `if` `promise` `host` `queue` `get` `view` `place` `sync` `do` `reset` `call`"),
    (Queue, "(get *0 b0)", "(host (fit_tile $2 64))", "statement 3: a second `fit_tile`; one size is solved for"),
    (Queue, "(let $5 (+ $0 (* $4 $2)))", "(host (fit_tile $5 64))", "statement 6: a step of the host's plan inside a loop or a branch"),
    (Share, "(get *0 b0)", "(host (fit_tile $2 64))", "statement 3: a step of the host's plan; such stand in queue kernels, before lowering"),
    (Share, "(let $5 (+ $0 (* $4 $2)))", "(let $5 #0)", "statement 6: an axis where only variables, `block_idx` and `block_dim` may stand"),
    (Share, "(let $5 (+ $0 (* $4 $2)))", "(let $5 &3b)", "statement 6: an attribute where only variables, `block_idx` and `block_dim` may stand"),
    (Share, "(let $5 (+ $0 (* $4 $2)))", "(let $5 (size_of f32))", "statement 6: the size of an element type where only variables, `block_idx` and `block_dim` may stand"),
    // ---- tiles ----
    (Tile, "(ax \"r\" (run !0))", "(ax \"r\" (run !1))", "axis of tiles 2: another loop than `!1` runs over its axis `~1`"),
    (Tile, "(ax \"c\" (run !1))", "(ax \"c\" (run !1))\n(ax \"e\" (run !1))", "22 axis of tiles 5: no loop runs over the axis `~4`"),
    (Tile, "(ax \"d\" (whole #1))", "(ax \"d\" (whole $0))", "axis of tiles 3: a variable among axes and attributes"),
    (Tile, "(over ~3 ~2 $3 $4 (given 128) _)", "(over ~3 ~1 $3 $4 (given 128) _)", "21 axis of tiles 4: a loop over `~1`, which is a run of another loop"),
    (Tile, "(over ~3 ~2 $3 $4 (given 128) _)", "(over ~3 ~9 $3 $4 (given 128) _)", "21 axis of tiles 4: there is no axis `~9`, there are 4"),
    (Tile, "(over ~3 ~2 $3 $4 (given 128) _)", "(over ~1 ~2 $3 $4 (given 128) _)", "11 body: two loops run over the axis `~1`"),
    (Tile, "(over ~3 ~2 $3 $4 (given 128) _)", "(over ~3 ~2 $3 $4 (given $1) _)", "statement 5: a size of a loop that only a core knows; the host must"),
    (Tile, "(over ~3 ~2 $3 $4 (given 128) _)", "(over ~3 ~2 $3 $4 (each) _)", "47 statement 6: the axis `~3`, of which an iteration has one index, in a tile"),
    (Tile, "(over ~1 ~0 $1 $2 (given $0) _)", "(over ~1 ~0 $1 $2 (given $0) $2)", "statement 2: `r_len` (`$2`) is read here, but no statement before sets it"),
    (Tile, "(over ~3 ~2 $3 $4 (given 128) _)", "(over ~3 ~2 $3 $4 (given 128) $4)", "statement 5: `c_len` (`$4`) is read here, but no statement before sets it"),
    (Tile, "(over ~3 ~2 $3 $4 (given 128) _)", "(over ~3 ~2 $3 $4 (given 128) 1.0)", "expected a number (i64), found `1.0`"),
    (Tile, "[(over ~1 ~0 $1 $2 (given $0) _)]", "[]", "19 axis of tiles 2: no loop runs over the axis `~1`"),
    (Tile, "(loop !1 [", "(loop !0 [", "11 body: two loops `!0`; ids of loops are unique"),
    (Tile, "$3 $4 (given 128) _)] _ _", "$3 $4 (given 128) _)] 9 _", "statement 5: 9 buffers, possible are 1 to 8"),
    (Tile, "$3 $4 (given 128) _)] _ _", "$3 $4 (given 128) _)] _ 4", "statement 5: the blocks of a loop that is not divided among them"),
    (Tile, "$3 $4 (given 128) _)] _ _", "$3 $3 (given 128) _)] _ _", "statement 5: a second definition of `c_start` (`$3`); each variable has one"),
    (Tile, "(at &1 [#1] [(index [(by ~2 1)] 0 _)] _)", "(at &1 [#1] [(index [(by ~0 1)] 0 _)] _)", "statement 3: `gamma` has other axes than what it is made of"),
    (Tile, "(at &1 [#1] [(index [(by ~2 1)] 0 _)] _)", "(at &1 [#1] [(index [(by ~2 0)] 0 _)] _)", "statement 3: an index of `g` that does not move with `~2`"),
    (Tile, "(at &1 [#1] [(index [(by ~2 1)] 0 _)] _)", "(at &1 [#1] [(index [] 0 _)] _)", "statement 3: `gamma` has other axes than what it is made of"),
    (Tile, "(at &1 [#1] [(index [(by ~2 1)] 0 _)] _)", "(at &1 [#1] [] _)", "statement 3: 0 indices of `g` under a view of 1 axes"),
    (Tile, "(at &1 [#1] [(index [(by ~2 1)] 0 _)] _)", "(at &1 [#0] [(index [(by ~2 1)] 0 _)] _)", "statement 3: a view of `g` that has more or fewer elements than it"),
    (Tile, "(at &1 [#1] [(index [(by ~2 1)] 0 _)] _)", "(at &1 [#1] [(index [(by ~2 1)] 0 (ids %9 &1))] _)", "statement 3: `mul` (`%9`) is used here, but no statement before in this block or around it defines it"),
    (Tile, "(index [(by ~1 1)] $1 _) (index [(by ~2 1)] 0 _)] _))", "(index [(by ~1 1)] $1 _) (index [(by ~2 1)] 0 (ids %0 &1))] _))", "statement 19: `gamma`, which holds no i32 or i64, as indices"),
    (Tile, "(index [(by ~1 1)] $1 _) (index [(by ~2 1)] 0 _)] _))", "(index [(by ~1 1)] $1 _) (index [(by ~2 1)] 0 (ids %0 _))] _))", "statement 19: `gamma`, which holds no i32 or i64, as indices"),
    (Tile, "(load (at &1 ", "(load (at &3 ", "statement 3: a read of `y`, which is written only (`out`)"),
    (Tile, "(load (at &0 [#0 #1] [(index [(by ~1 1)] $1 _) (index [(by ~2 1)] 0 _)] _))", "(load (at &0 [#0 #1] [(index [(by ~1 1)] $1 _) (index [(by ~3 1)] $3 _)] _))", "statement 19: the axis `~3` of loop `!1` is used outside of it"),
    (Tile, "(load (at &0 [#0 #1] [(index [(by ~1 1)] $1 _) (index [(by ~3 1)] $3 _)] _))", "(load (at &0 [#0 #1] [(index [(by ~1 1)] $1 _) (index [(by ~2 1)] 0 _)] _))", "statement 6: `x_tile` has other axes than what it is made of"),
    (Tile, "(store (at &2 ", "(store (at &0 ", "statement 18: a write to `x`, which is read only (`in`)"),
    (Tile, "(index [(by ~3 1)] $3 _)] _) %12 plain)", "(index [(by ~3 1)] $3 _)] _) %11 plain)", "statement 18: `sub` of `f32` is stored to a tensor of `T`"),
    (Tile, "[(index [(by ~1 1)] $1 _)] _) %17 plain)", "[(index [(by ~1 1)] $1 _)] _) %15 plain)", "statement 24: `mul_1` is stored where other axes are due"),
    (Tile, "[(index [(by ~1 1)] $1 _)] _) %17 plain)", "[(index [(by ~1 1)] $1 _)] _) %15 add)", "statement 24: `mul_1` is stored where other axes are due"),
    (Tile, "[(index [(by ~1 1)] $1 _)] _) %17 plain)", "[(index [(by ~1 1)] $1 _)] _) %17 sum)", "`sum` is no StoreHow; there are `plain` `add` `any` `disjoint` `inside`"),
    (Tile, "[(index [(by ~1 1)] $1 _)] _) %17 plain)", "[(index [(by ~1 1)] 0 (ids %17 &3))] _) %17 any)", "statement 24: `add`, which holds no i32 or i64, as indices"),
    (Tile, "(at &3 [#0] [(index [(by ~1 1)] $1 _)] _) %17 plain)", "(at &3 [#0] [(index [] 0 _)] _) %17 add)", "statement 24: `add` is stored where other axes are due"),
    (Tile, "(at &3 [#0] [(index [(by ~1 1)] $1 _)] _) %17 plain)", "(at &3 [#0] [(index [(by ~0 1)] 0 _)] _) %17 plain)", "statement 24: `add` is stored where other axes are due"),
    (Tile, "(reduce max %3 [~3] _)", "(reduce max %1 [~3] _)", "statement 8: `m` is reduced over axes that it has not"),
    (Tile, "(reduce max %3 [~3] _)", "(reduce max %3 [] _)", "statement 8: `a` is reduced over axes that it has not"),
    (Tile, "(reduce max %3 [~3] _)", "(reduce max %3 [~8] _)", "statement 8: `a` is reduced over axes that it has not"),
    (Tile, "(reduce max %3 [~3] _)", "(reduce max %3 [~1] _)", "statement 8: `amax` has other axes than what it is made of"),
    (Tile, "(reduce max %3 [~3] _)", "(reduce max %2 [~3] _)", "statement 8: `amax` of `f32` is the reduction of `T`"),
    (Tile, "(reduce max %3 [~3] _)", "(op max [])", "statement 8: `max` does not take these 0 operands"),
    (Tile, "(reduce max %3 [~3] _)", "(op muls [(v %3)])", "statement 8: `muls` does not take these 1 operands"),
    (Tile, "(reduce max %3 [~3] _)", "(reduce max %3 [~3] %3)", "statement 8: `amax` has other axes than what it is made of"),
    (Tile, "(reduce max %3 [~3] _)", "(reduce max %3 [~3] %2)", "statement 8: `amax` of `f32` is the reduction onto `T`"),
    (Tile, "(reduce sum %15 [~2] _)", "(pick %15 ~2 (i (index [] 1.0f _)))", "statement 22: a scalar of type f32 where usize is due"),
    (Tile, "(reduce sum %15 [~2] _)", "(pick %15 ~1 (i (index [] 0 _)))", "statement 22: a choice along an axis that `mul_1` has not from end to end"),
    (Tile, "(reduce sum %15 [~2] _)", "(pick %15 ~9 (i (index [] 0 _)))", "statement 22: there is no axis `~9`, there are 4"),
    (Tile, "(reduce sum %15 [~2] _)", "(pick %15 ~2 (i (index [(by ~1 1)] 0 _)))", "statement 22: an index along an axis that `mul_1` has"),
    (Tile, "(reduce sum %15 [~2] _)", "(pick %15 ~2 (i (index [(by ~2 0)] 0 _)))", "statement 22: an index of `mul_1` that does not move with `~2`"),
    (Tile, "(reduce sum %15 [~2] _)", "(pick %15 ~2 (i (index [(by ~2 2)] 0 _)))", "statement 22: `scaled` has other axes than what it is made of"),
    (Tile, "(reduce sum %15 [~2] _)", "(pick %15 ~2 (i (index [(by ~1 1) (by ~2 1)] 0 _)))", "statement 22: an index of `mul_1` that does not go along one axis"),
    (Tile, "(reduce sum %15 [~2] _)", "(pick %15 ~2 (i (index [] 0 (ids %15 &3))))", "statement 22: an index of `mul_1` that is of a tensor"),
    (Tile, "(reduce sum %15 [~2] _)", "(pick %15 ~2 (v %15))", "statement 22: `mul_1` of `f32` is indices of `i32`"),
    (Tile, "(reduce sum %15 [~2] _)", "(pick %0 ~2 (i (index [] 0 _)))", "statement 22: `scaled` has other axes than what it is made of"),
    (Tile, "(reduce sum %15 [~2] _)", "(pick %13 ~2 (i (index [] 0 _)))", "statement 22: `x_tile_1` of `T` is a choice among `f32`"),
    (Tile, "(reduce max %3 [~3] _)", "(pick %3 ~2 (i (index [] 0 _)))", "statement 8: a choice along an axis that `a` has not from end to end"),
    (Tile, "(op gt [(v %3) (v %7)])", "(op gt [(v %3) (v %6)])", "statement 13: `z_tile` of `T` is an operand among those of `f32`"),
    (Tile, "(op gt [(v %3) (v %7)])", "(op max [(v %3) (v %7)])", "statement 13: `gt` of `bool` is the result of an op on `f32`"),
    (Tile, "(op mul [(v %3) (s &4f)])", "(op mul [(s &4f) (s &4f)])", "statement 14: `mul` does not take these 2 operands"),
    (Tile, "[(v %8) (v %9) (s 0.0f)]", "[(v %7) (v %9) (s 0.0f)]", "statement 15: `select` does not take these 3 operands"),
    (Tile, "(op sub [(v %10) (v %3)])", "(op sub [(v %8) (v %1)])", "statement 16: `gt` holds the bits of a compare, elements are due"),
    // ---- queues and instructions ----
    (Queue, "(queue \"a\" VECIN 1 2", "(queue \"a\" VECIN 0 2", "queue 1: a queue of depth 0, possible are 1 to 65535"),
    (Queue, "(queue \"a\" VECIN 1 2", "(queue \"a\" A1 1 2", "queue 1: position A1; VECIN, VECOUT and VECCALC are those of the vector core"),
    (Queue, "(queue \"a\" VECIN 1 2 (* $2 4)", "(queue \"a\" VECIN 1 2 (* $4 4)", "queue 1: a size of a queue or buffer that only a core knows; the host must"),
    (Queue, "(queue \"a\" VECIN 1 2 (* $2 4)", "(queue \"a\" VECIN 1 2 1.0f", "queue 1: a scalar of type f32 where usize is due"),
    (Queue, "(host (split $0 $1 #0 64 _))", "(host (split $0 $1 block_idx 64 _))", "statement 1: a total that only a core knows; the host must"),
    (Queue, "(host (split $0 $1 #0 64 _))", "(host (split $0 $0 #0 64 _))", "statement 1: a second definition of `share_start` (`$0`); each variable has one"),
    (Queue, "[(at *3 0) (at *2 0) (s 2.0f)]", "[(at *3 0) (at *2 0)]", "statement 14: `muls` of 2 operands, it takes 3"),
    (Queue, "[(at *3 0) (at *2 0) (s 2.0f)]", "[(at *3 0) (s 2.0f) (at *2 0)]", "statement 14: operand `src` of `muls` is of another kind, it takes part of a tensor (`at`)"),
    (Queue, "[(at *3 0) (at *2 0) (s 2.0f)]", "[(at *3 0) (at &0 0) (s 2.0f)]", "statement 14: `src` of `muls` lies in GM, it takes UB"),
    (Queue, "[(at *3 0) (at *2 0) (s 2.0f)]", "[(at *3 0) (at *0 0) (s 2.0f)]", "statement 14: `src` of `muls` is of `bool`, it takes `f32`, as those before it"),
    (Queue, "[(at *3 0) (at *2 0) (s 2.0f)]", "[(at *3 0) (at *2 0 (rows 8)) (s 2.0f)]", "statement 14: the layout of `src` does not go with the extent of `muls`"),
    (Queue, "[(at *3 0) (at *2 0) (s 2.0f)]", "[(at *3 0) (at *2 0 (blocks 1 8)) (s 2.0f)]", "statement 14: the layout of `src` does not go with the extent of `muls`"),
    (Queue, "(do muls (count $6) [(at *3 0) (at *2 0) (s 2.0f)]", "(do whole_reduce_sum (repeat (first 64) 1) [(at *3 0 (blocks 1 8)) (at *2 0)]", "statement 14: the layout of `dst` does not go with the extent of `whole_reduce_sum`"),
    (Queue, "(do muls (count $6) [(at *3 0) (at *2 0) (s 2.0f)]", "(do whole_reduce_sum (repeat (first 64) 1) [(at *3 0) (at *2 0 (results 1))]", "statement 14: the layout of `src` does not go with the extent of `whole_reduce_sum`"),
    (Queue, "(do muls (count $6) [(at *3 0) (at *2 0) (s 2.0f)]", "(do repeat_reduce_sum (repeat (bits 1 0) 1) [(at *3 0) (at *2 0)]", "statement 14: `repeat_reduce_sum` with an extent of another kind, it takes `repeat` of the first lanes or `counter`"),
    (Queue, "(do muls (count $6) [(at *3 0) (at *2 0) (s 2.0f)]", "(do brcb (eights 1) [(at *3 0) (at *2 0 (blocks 1 8))]", "statement 14: the layout of `src` does not go with the extent of `brcb`"),
    (Queue, "(do muls (count $6) [(at *3 0) (at *2 0) (s 2.0f)]", "(do copy (counter 64) [(at *3 0) (at *2 0)]", "statement 14: `copy` with an extent of another kind, it takes `repeat`"),
    (Queue, "(do muls (count $6) [(at *3 0) (at *2 0) (s 2.0f)]", "(do muls (repeat (groups 0 3 12 2) 1) [(at *3 0) (at *2 0) (s 2.0f)]", "statement 14: groups of 12 lanes, possible are powers of two up to 128"),
    (Queue, "(do gts (count 64)", "(do gts (counter 64)", "statement 15: `gts` with an extent of another kind, it takes `count`"),
    (Queue, "(do muls (count $6)", "(do muls (eights $6)", "statement 14: `muls` with an extent of another kind, it takes `count`, `repeat` or `counter`"),
    (Queue, "(do muls (count $6)", "(do amax (count $6)", "statement 14: `amax` is an op on tiles, no instruction"),
    (Queue, "(at &1 $5) (at *4 0)", "(at &0 $5) (at *4 0)", "statement 22: a write to `x`, which is read only (`in`)"),
    (Queue, "(at *1 0) (at &0 $5)", "(at *1 0) (at &1 $5)", "statement 9: a read of `y`, which is written only (`out`)"),
    (Queue, "(to $7f)", "(to $6)", "statement 16: `m` is usize, f32 is due"),
    (Queue, "(to $7f)", "(to $3f)", "statement 16: `total` is mutable; only `let` and `set_scalar` set such a variable"),
    // ---- functions ----
    (Rows, "(at *2 0 (blocks 0 0))", "(at *2 0 (results 0))", "statement 71: the layout of `src1` does not go with the extent of `mul`"),
    (Rows, "(groups $8 $9 64 1) $12", "(groups $8 $9 48 1) $12", "statement 12: groups of 48 lanes, possible are powers of two up to 128"),
    (Rows, "(do block_reduce_max (counter (* $0 8))", "(do block_reduce_max (count (* $0 8))", "statement 16: `block_reduce_max` with an extent of another kind, it takes `repeat` or `counter`"),
    (Rows, "(do block_reduce_max (counter (* $0 8)) [(at *0 0) (at *1 0)])", "(queue alloc *0 q0)", "statement 16: a queue or buffer in a function; it is given its tensors"),
    (Rows, "(do block_reduce_max (counter (* $0 8)) [(at *0 0) (at *1 0)])", "(sync (order PIPE_V PIPE_S))", "statement 16: an order of pipes or blocks in a function, which makes vector calls alone"),
    (Rows, "(call fn1 [*0 0 *1 0] [$0 $1])", "(call fn99 [*0 0 *1 0] [$0 $1])", "statement 39: there is no function `fn99`, there are 4"),
    (Rows, "(call fn1 [*0 0 *1 0] [$0 $1])", "(call fn4 [*0 0 *1 0] [$0 $1])", "statement 39: there is no function `fn4`, there are 4"),
    (Rows, "(call fn1 [*0 0 *1 0] [$0 $1])", "(call fn1 [*0 0] [$0 $1])", "statement 39: `max_of_blocks` of 1 tensors and 2 scalars, it takes 2 and 2"),
    (Rows, "(call fn1 [*0 0 *1 0] [$0 $1])", "(call fn1 [*0 0 *1 0] [$0 $1 $2])", "statement 39: `max_of_blocks` of 2 tensors and 3 scalars, it takes 2 and 2"),
    (Rows, "(call fn1 [*0 0 *1 0] [$0 $1])", "(call fn1 [*0 0 *1 0 (rows 8)] [$0 $1])", "statement 39: `src` of `max_of_blocks` is not dense in UB"),
    (Rows, "(func \"max_of_blocks\"", "(func \"pad_rows\"", "function 2: a second `pad_rows`; names are unique"),
    (Rows, "(takes write $0 _) (takes read (* $0 8) _)] 2 [", "(takes write $0 _) (takes read (* $0 8) _)] 9 [", "function 2: 9 scalars are given to a body of 5"),
    (Rows, "(takes write $0 _) (takes read (* $0 8) _)] 2 [", "(takes write $4 _) (takes read (* $0 8) _)] 2 [", "parameter of a function 2: a promise about what the caller does not give"),
    (Rows, "(takes write $0 _) (takes read (* $0 8) _)] 2 [", "(takes write $0 _)] 2 [", "function 2: 1 tensors are given to a body of 2; a function has no others"),
    (Rows, "(takes write (* (* $0 $2) 8) 1)", "(takes write (* (* $0 $2) 8) 7)", "parameter of a function 20: one tensor may lie over another where it is written and that one read"),
    (Rows, "[(<= 0 $0) (<= 0 $1) (<= $1 8) (<= $0 2040)]", "[(<= 0 $4)]", "function 2: a promise about what the caller does not give"),
    // ---- host ----
    (Share, "0 \"ascend910b1\"", "1 \"ascend910b1\"", "2 lowered: there is no instance `1`, there are 1"),
    (Share, "0 \"ascend910b1\"", "0 \"ascend910b\"", "2 lowered: there is no chip `ascend910b`"),
    (Share, "(let $9 (ceil_div $8 64))", "(let $9 (ceil_div $10 64))", "host step 2: `block_dim` (`$10`) is read here, but no host step before sets it"),
    (Share, "(let $9 (ceil_div $8 64))", "(let $8 (ceil_div $8 64))", "host step 2: a second step that sets `total_length` (`$8`)"),
    (Share, "(let $9 (ceil_div $8 64))", "(let $9 block_idx)", "host step 2: the block where only axes, attributes, facts of the chip and variables may stand"),
    (Share, "(solve $2 64 (ceil_div", "(solve $2 64 (>", "host step 6: a scalar of type bool where usize is due"),
    (Share, "(solve $2 64", "(solve $2 0", "host step 6: a granularity of 0, at least 1 is needed"),
    (Share, "(require (> $2 0)", "(require $2", "host step 7: a scalar of type usize where bool is due"),
    (Share, "[$2 $8 $11 $12 $13b]", "[$2 $8 $11 $12]", "81 statement 13: `flag` (`$13`) is read here, but no statement before sets it"),
    (Share, "[$2 $8 $11 $12 $13b]", "[$2 $8 $11 $12 $13b $0]", "variant 1: field `share_start` is no variable that a host step sets"),
    (Share, "[$2 $8 $11 $12 $13b]", "[$2 $8 $11 $12 $13b $2]", "variant 1: a second field `length`"),
    (Share, "(share $0 $1 $8 64)", "(share $0 $1 $8 0)", "known share 1: a granularity of 0, at least 1 is needed"),
    (Share, "(share $0 $1 $8 64)", "(share $0 $1 $1 64)", "known share 1: `share_len` (`$1`) is read here, but no host step before sets it"),
    (Share, "] [] (body [", "] [(once &1 $13b)] (body [", "input read once 1: no input; only what is never written is read once"),
    (Share, "] [] (body [", "] [(once &0 $2)] (body [", "input read once 1: a scalar of type usize where bool is due"),
    (Share, "(queue q0)", "(queue q1)", "37 variant 1: a second place in UB for `q1`"),
    (Share, "(queue q0)", "", "37 variant 1: no place in UB for `q0`"),
    (Share, "(queue q0)", "(queue q0) (buf b7)", "37 variant 1: a place in UB for `b7`, which there is not"),
    (Share, "(buf b0)", "(skew b0)", "37 variant 1: `b0` is used; it only moves others"),
    (Share, "(variant \"queue\" 0 true", "(variant \"queue\" 0 (> $2 0)", "variant 1: the last variant has a condition; it takes what is left"),
    (Share, "true [] $10 $14 [", "true [] $0 $14 [", "variant 1: `share_start` (`$0`) is read here, but no host step before sets it"),
    (Rows, "(given \"size\" $10 1)", "(given \"size\" $10 0)", "host step 19: a granularity of 0, at least 1 is needed"),
    (Rows, "(let $3 (* $17 $11))", "(let $5 (* $17 $11))", "statement 189: a second definition of `cols` (`$5`); each variable has one"),
];

/// Returns the text of a row, and the line of its change.
fn changed((of, from, to, _): Row) -> (String, usize) {
    let text = of.text();
    let at = text
        .find(from)
        .unwrap_or_else(|| panic!("`{from}` is not in\n{text}"));
    let line = 1 + text[..at].matches('\n').count();
    (text.replacen(from, to, 1), line)
}

#[test]
fn every_hostile_text_is_refused_with_its_place() {
    let mut wrong = String::new();
    for row in TABLE {
        let (text, line) = changed(*row);
        let said = match row.0.parse(&text) {
            Ok(()) => "taken".to_string(),
            Err(e) if e.line == line => e.message,
            Err(e) => format!("{} {}", e.line, e.message),
        };
        if said != row.3 {
            wrong += &format!(
                "{:?}\n  to {:?}\n  wanted {:?}\n  said   {said:?}\n",
                row.1, row.2, row.3
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn right_kernels_are_taken_and_say_the_same_again() {
    for (text, level) in [(TILE, Level::Tile), (QUEUE, Level::Queue)] {
        let (kernel, lowered) = (kernel(text), lowered(text, 0));
        assert_eq!(kernel.level(), level);
        assert_eq!(Kernel::parse(&to_text(&kernel)), Ok(kernel));
        assert_eq!(Lowered::parse(&to_text(&lowered)), Ok(lowered));
    }
}

/// Returns a text whose one scalar is `depth` deep, on line 3.
fn deep_scalar(depth: usize, inside: &str) -> String {
    let deep = format!("{}{inside}{}", "(neg ".repeat(depth), ")".repeat(depth));
    Of::Tile
        .text()
        .replacen("(let $0 (+ &5 1))", &format!("(let $0\n{deep}\n)"), 1)
}

#[test]
fn deep_texts_are_refused_with_their_line_and_no_stack_overflows() {
    let limit = format!("more than {MAX_DEPTH} brackets inside one another");
    let line = |text: &str, what: &str| {
        1 + text[..text.find(what).expect("a part")]
            .matches('\n')
            .count()
    };
    for inside in ["1", ""] {
        let text = deep_scalar(100_000, inside);
        let at = line(&text, "(neg");
        assert_eq!(
            Kernel::parse(&text),
            Err(TextError {
                message: limit.clone(),
                line: at
            })
        );
    }
    // Scalars inside of lists, and statements inside of statements.
    let list =
        Of::Tile
            .text()
            .replacen("(s &4f)", &format!("(s {}&4f", "(sqrt ".repeat(100_000)), 1);
    assert_eq!(Kernel::parse(&list).unwrap_err().message, limit);
    let blocks = Of::Tile
        .text()
        .replacen("(stmt @7", &"(stmt @7 (if true [".repeat(100_000), 1);
    assert_eq!(Kernel::parse(&blocks).unwrap_err().message, limit);
    for bracket in ["(", "[", "(kernel ", "[(", "(stmt @0 (for $0 0 1 ["] {
        let text = format!("{VERSION}\n{}", bracket.repeat(100_000));
        assert!(
            Kernel::parse(&text).is_err()
                && from_text::<Scalar>(&text).is_err()
                && Lowered::parse(&text).is_err()
        );
    }
}

#[test]
fn what_is_as_deep_as_it_may_be_is_read_and_dropped_in_the_stack_of_a_small_thread() {
    // The remaining brackets inside of a statement of the body.
    let text = deep_scalar(MAX_DEPTH - 6, "1");
    let kernel = Kernel::parse(&text).expect("a kernel");
    let printed = to_text(&kernel);
    assert_eq!(Kernel::parse(&printed), Ok(kernel));
    let over = deep_scalar(MAX_DEPTH, "1");
    assert!(Kernel::parse(&over).is_err());
}

#[test]
fn a_scalar_that_a_pass_makes_is_no_deeper_than_one_that_is_read() {
    let with = |depth: usize| {
        let mut kernel = kernel(TILE);
        let negated = |value, _| Scalar::Un(UnOp::Neg, Arc::new(value));
        let deep = (0..depth).fold(Scalar::Int(1), negated);
        let mut lets = 0;
        walk_stmts_mut(
            &mut kernel.tiles_mut().expect("a tile kernel").stmts,
            &mut |s| {
                if let StmtKind::LetScalar { value, .. } = &mut s.kind {
                    (*value, lets) = (deep.clone(), lets + 1);
                }
            },
        );
        assert_eq!(lets, 1, "a text with one scalar");
        verify_kernel(&kernel)
    };
    assert_eq!(with(scalars::MAX_DEPTH), Ok(()));
    let fault = with(scalars::MAX_DEPTH + 1).unwrap_err();
    assert!(
        fault
            .to_string()
            .contains("more than 400 operators inside one another"),
        "{fault}"
    );
}

#[test]
fn a_text_that_ends_early_is_refused_wherever_it_ends() {
    for of in [Tile, Queue, Rows, Share] {
        let text = of.text();
        for (end, _) in text.trim_end().char_indices().step_by(41) {
            let Err(error) = of.parse(&text[..end]) else {
                panic!("{}", &text[..end])
            };
            assert!(error.line <= text.lines().count());
        }
    }
}

#[test]
fn the_deepest_text_that_the_front_end_takes_is_read_again() {
    let blocks = 23;
    let deep = |n: usize| format!("k{}", " + k".repeat(n));
    let text = format!(
        "#[kernel]\nfn d(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, k: usize) {{\n\
         for r in tiles(n) {{\n{} let mut q = {};\nq = q + {}; {}\ny.at(r, ..).store(x.at(r, ..).load());\n}}\n}}",
        "if k > 1 { ".repeat(blocks - 2),
        deep(80),
        deep(80),
        "}".repeat(blocks - 2),
    );
    let kernel = kernel(&text);
    assert_eq!(Kernel::parse(&to_text(&kernel)), Ok(kernel));
    let lowered = lowered(&text, 0);
    assert_eq!(Lowered::parse(&to_text(&lowered)), Ok(lowered));
}

#[test]
fn a_tree_that_is_too_deep_to_be_walked_is_refused() {
    let mut kernel = kernel(TILE);
    let deep = (0..1500).fold(Scalar::BlockIdx, |s, _| Scalar::un(crate::ir::UnOp::Neg, s));
    if let crate::ir::StmtKind::LetScalar { value, .. } =
        &mut kernel.tiles_mut().expect("a tile kernel").stmts[0].kind
    {
        *value = deep;
    }
    let fault = verify_kernel(&kernel).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "statement 1: more than 400 operators inside one another"
    );
}

#[test]
fn names_of_the_author_are_kept_whatever_the_lowering_calls_its_own() {
    // Words of Rust, and names that the lowering gives to variables of two variants.
    let lets: String = (20..80)
        .map(|i| format!("let _{i} = r.start();\n"))
        .collect();
    let text = format!(
        "#[kernel]\nfn d<r#break: Float>(#[shape(n, r#const)] x: &GlobalTensor<r#break>, y: &mut GlobalTensor<r#break>) {{\n\
         for r in tiles(n) {{\n{lets}let v = x.at(r, ..).load().cast::<f32>();\ny.at(r, ..).store((v - v.amax(r#const)).cast::<r#break>());\n}}\n}}"
    );
    let lowered = lowered(&text, 0);
    assert_eq!(lowered.variants.len(), 2);
    assert_eq!(Lowered::parse(&to_text(&lowered)), Ok(lowered));
}

#[test]
fn what_is_appended_is_held_to_bits_and_axes() {
    let kernel = kernel(
        "#[kernel]\nfn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, #[shape()] c: &mut GlobalTensor<i32>) {
            for t in tiles(n) { let v = x.at(t).load(); y.append(v, v.gt(0.0)); }
            c.at().store(y.appended());
        }",
    );
    let text = to_text(&kernel);
    assert_eq!(Kernel::parse(&text), Ok(kernel));
    for (from, to, wanted) in [
        (
            "%0 %1 _))",
            "%0 %0 _))",
            "`v` does not have the bits of `v`, which is packed",
        ),
        (
            "%0 %1 _))",
            "%1 %1 _))",
            "`gt` of `bool` is packed in a tensor of `f32`",
        ),
        (
            "%0 %1 _))",
            "%0 %2 _))",
            "`y_appended` (`%2`) is used here, but no statement before",
        ),
        (
            "%0 %1 _))",
            "%0 %1 %0))",
            "`v` of `f32` is the number of what is packed, `i32`",
        ),
        (
            "append (at &1",
            "append (at &0",
            "a write to `x`, which is read only (`in`)",
        ),
        (
            "append (at &1 [#0] [(index [] 0 _)]",
            "append (at &1 [#0] [(index [] 3 _)]",
            "an append that begins elsewhere than at the first element",
        ),
        (
            "append (at &1 [#0] [(index [] 0 _)]",
            "append (at &1 [#0] [(index [(by ~1 1)] $0 _)]",
            "an append that begins elsewhere than at the first element",
        ),
        (
            "appended &1",
            "appended &0",
            "a write to `x`, which is read only (`in`)",
        ),
        (
            "\"y_appended\" i32",
            "\"y_appended\" f32",
            "`y_appended` of `f32` is the number of elements in `i32`",
        ),
    ] {
        assert!(text.contains(from), "{from}");
        let said = Kernel::parse(&text.replacen(from, to, 1))
            .map(|_| ())
            .expect_err(to)
            .message;
        assert!(said.contains(wanted), "{to}: {said}");
    }
}

#[test]
fn what_is_read_of_a_tile_is_held_to_its_type_and_to_one_number() {
    let kernel = kernel(
        "#[kernel]\nfn k(#[shape(n)] a: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for (i, t) in tiles((each(n), d)) {
                let (u, v) = (a.at(i).load(), x.at(i, t).load());
                let s = u.scalar();
                assume(s > 2);
                y.at(i, t).store(v * s as f32);
            }
        }",
    );
    let text = to_text(&kernel);
    assert_eq!(Kernel::parse(&text), Ok(kernel));
    for (from, to, wanted) in [
        (
            "(read $4i %0)",
            "(read $4i %1)",
            "`v` becomes a scalar and has axes",
        ),
        (
            "(read $4i %0)",
            "(read $4i %2)",
            "is used here, but no statement before",
        ),
        (
            "(read $4i %0)",
            "(read $0 %0)",
            "a second definition of `i`",
        ),
        ("\"s\" i32", "\"s\" f32", "declared f32"),
        (
            "(fact (> $4i 2i)",
            "(fact (+ $4i 2i)",
            "a scalar of type i32 where bool is due",
        ),
        (
            "(promise (fact (> $4i 2i) \"s > 2\"))",
            "(promise (index_of 1 #0 &0))",
            "only the lowering moves it",
        ),
    ] {
        assert!(text.contains(from), "{from}\n{text}");
        let said = Kernel::parse(&text.replacen(from, to, 1))
            .map(|_| ())
            .expect_err(to)
            .message;
        assert!(said.contains(wanted), "{to}: {said}");
    }
}

#[test]
fn what_is_shown_of_a_tile_has_elements_and_a_name_that_can_be_printed() {
    let kernel = kernel(
        "#[kernel]\nfn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
            for r in tiles(n) {
                let v = x.at(r, ..).load();
                let m = v.gt(0.0);
                v.dump(\"a \\\"v\\\"\");
                y.at(r, ..).store(m.select(v, 0.0));
            }
        }",
    );
    let text = to_text(&kernel);
    assert_eq!(Kernel::parse(&text).as_ref(), Ok(&kernel));
    let checked = check(&kernel, Chip::default_chip()).unwrap_or_else(|found| panic!("{found:?}"));
    let lowered = to_text(&checked.instances()[0]);
    assert_eq!(
        Lowered::parse(&lowered).as_ref(),
        Ok(&checked.instances()[0])
    );
    for (from, to, wanted) in [
        ("(dump %0 ", "(dump %1 ", "`m` is shown and holds bits"),
        (
            "(dump %0 ",
            "(dump %2 ",
            "is used here, but no statement before",
        ),
        (
            "(dump %0 \"a ",
            "(dump %0 \"\\n",
            "a value is shown under a name that cannot be printed",
        ),
        (
            "(title \"a ",
            "(title \"\\n",
            "a title that cannot be printed",
        ),
        (
            "(title \"a ",
            "(title \"\u{e4}",
            "a title that cannot be printed",
        ),
    ] {
        let of = if from.starts_with("(title") {
            &lowered
        } else {
            &text
        };
        assert!(of.contains(from), "{from}\n{of}");
        let changed = of.replacen(from, to, 1);
        let said = match from.starts_with("(title") {
            true => Lowered::parse(&changed).map(drop).expect_err(to).message,
            false => Kernel::parse(&changed).map(drop).expect_err(to).message,
        };
        assert!(said.contains(wanted), "{to}: {said}");
    }
}
