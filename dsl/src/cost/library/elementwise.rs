//! Functions of single elements: mathematics and activations (asc-devkit,
//! `impl/adv_api/detail/math/FUNCTION` and `activation/FUNCTION`).
//!
//! A function works on pieces that its temporary space allows. The space is cut into slots, one
//! for each letter from `a` on.

use super::recipe::{self, Letters};
use super::steps::{Steps, Tensor, BLOCK};
use super::{Call, Unknown};

/// The slots of a function in temporary space.
#[derive(Clone, Copy, Debug)]
struct Space {
    /// Number of slots; without one the call is a single piece.
    slots: u32,
    /// Bytes of an element.
    size: u32,
    /// Elements of a piece are a multiple of this.
    step: u32,
    /// The slots of a last, shorter piece lie closer: their elements are a multiple of this. They
    /// stay where they are if it is 0.
    closer: u32,
}

/// A function for one element type. A word behind its name is a choice of the caller.
struct Recipe {
    name: &'static str,
    element: &'static str,
    space: Space,
    steps: &'static str,
}

macro_rules! recipes {
    ($($name:literal $element:ident [$slots:literal $size:literal $step:literal $closer:literal] $steps:literal;)*) => {
        &[$(Recipe {
            name: $name,
            element: stringify!($element),
            space: Space { slots: $slots, size: $size, step: $step, closer: $closer },
            steps: $steps,
        }),*]
    };
}

const RECIPES: &[Recipe] = recipes! {
    // math/sin
    "Sin" half [4 4 32 0]
        "Cast a x; Muls b a; Cast b b; Muls c b; Sub d a c; (Muls c b; Sub d d c;)*3 Mul c d d; \
         Muls a b; Cast a a; Muls a a; Muls b b; Add a a b; Adds a a; Muls b c; (Adds b b; Mul b \
         b c;)*3 Adds b b; Mul b b d; Mul a b a; Cast y a;";
    "Sin" float [3 4 32 0]
        "Muls a x; Cast a a; Muls b a; Sub c x b; (Muls b a; Sub c c b;)*3 Mul b c c; Muls y a; \
         Cast y y; Muls y y; Muls a a; Add y y a; Adds y y; Muls a b; (Adds a a; Mul a a b;)*3 \
         Adds a a; Mul a a c; Mul y a y;";
    "Sin reuses" float [2 4 32 0]
        "Muls a x; Cast a a; (Muls b a; Sub x x b;)*4 Mul b x x; Muls y a; Cast y y; Muls y y; \
         Muls a a; Add y y a; Adds y y; Muls a b; (Adds a a; Mul a a b;)*3 Adds a a; Mul a a x; \
         Mul y a y;";
    // math/cos
    "Cos" half [4 4 32 0]
        "Cast a x; Muls b a; Adds b b; Cast b b; Muls c b; Sub d a c; Muls c b; Sub d d c; Adds d \
         d; (Muls c b; Sub d d c;)*3 Adds d d; Mul c d d; Muls a b; Cast a a; Muls a a; Muls b b; \
         Add a a b; Adds a a; Muls b c; (Adds b b; Mul b b c;)*3 Adds b b; Mul b b d; Mul a b a; \
         Mins a a; Maxs a a; Cast y a;";
    "Cos" float [3 4 32 0]
        "Muls a x; Adds a a; Cast a a; Muls b a; Sub c x b; Muls b a; Sub c c b; Adds c c; (Muls \
         b a; Sub c c b;)*3 Adds c c; Mul b c c; Muls y a; Cast y y; Muls y y; Muls a a; Add y y \
         a; Adds y y; Muls a b; (Adds a a; Mul a a b;)*3 Adds a a; Mul a a c; Mul y a y; Mins y \
         y; Maxs y y;";
    "Cos reuses" float [2 4 32 0]
        "Muls a x; Adds a a; Cast a a; (Muls b a; Sub x x b;)*2 Adds x x; (Muls b a; Sub x x \
         b;)*3 Adds x x; Mul b x x; Muls y a; Cast y y; Muls y y; Muls a a; Add y y a; Adds y y; \
         Muls a b; (Adds a a; Mul a a b;)*3 Adds a a; Mul a a x; Mul y a y; Mins y y; Maxs y y;";
    // math/tan
    "Tan" half [10 2 32 32]
        "Cast c x; Muls e c; Cast e e; (Muls a e; Sub c c a;)*2 Adds g c; Adds i c; Muls a e; Sub \
         c c a; Sub g g a; Sub i i a; Adds g g; Adds i i; (Muls a e; Sub c c a; Sub g g a; Sub i \
         i a;)*2 Mul e c c; Muls a e; Adds a a; Mul a a e; Adds a a; Mul a a c; Adds e e; Mul e e \
         g; Mul e e i; Div a a e; Cast y a;";
    "Tan" float [4 4 32 32]
        "Adds d x; Muls a d; Cast a a; (Muls y a; Sub d d y;)*2 Adds b d; Adds c d; Muls y a; Sub \
         d d y; Sub b b y; Sub c c y; Adds b b; Adds c c; (Muls y a; Sub d d y; Sub b b y; Sub c \
         c y;)*2 Mul a d d; Muls y a; Adds y y; Mul y y a; Adds y y; Mul y y d; Adds a a; Mul a a \
         b; Mul a a c; Div y y a;";
    // math/sinh
    "Sinh" half [4 2 32 0]
        "Cast a x; Adds c a; Exp c c; Muls a a; Adds a a; Exp a a; Sub c c a; Cast y c;";
    "Sinh" float [1 4 32 0]
        "Muls a x; Adds a a; Exp a a; Adds y x; Exp y y; Sub y y a;";
    // math/cosh
    "Cosh" half [6 2 32 0]
        "Cast e x; Adds c e; Exp a c; Duplicate e; Div c e a; Add e a c; Cast y e;";
    "Cosh" float [2 4 32 0]
        "Adds b x; Exp a b; Duplicate y; Div b y a; Add y a b;";
    // math/tanh
    "Tanh" half [2 4 32 0]
        "Cast a x; Mins b a; Maxs b b; Muls b b; Exp b b; Adds a b; Adds b b; Div a a b; Cast y \
         a;";
    "Tanh" float [1 4 32 0]
        "Mins a x; Maxs a a; Muls a a; Exp a a; Adds y a; Adds a a; Div y y a;";
    // math/asin
    "Asin" half [6 2 32 0]
        "Cast c x; Mul c c c; Muls c c; Adds c c; Muls a c; Muls a a; (Adds a a; Mul a a c;)*6 \
         Adds a a; Sqrt c c; Mul a a c; ; Muls a a; Adds a a; Abs fh x; Mul y fh fh, Mul eh fh \
         fh; Muls y y; (Adds y y; Mul y y eh;)*6 Adds y y; Mul y y fh; ; Mins fh fh; Adds fh fh; \
         Cast eb fh; Cast fh eb; Muls fh fh; Mul y y fh; Muls fh fh; Adds fh fh; Cast c fh; Mul a \
         a c; Cast c y; Add a c a; Muls eh x; Abs fh eh; Adds fh fh; Div eh eh fh; ; Cast c eh; \
         Mul a a c; Cast y a;";
    "Asin" float [4 4 32 0]
        "Mul b x x; Muls b b; Adds b b; Sqrt y b; Mul b y y, Mul a y y; Muls b b; (Adds b b; Mul \
         b b a;)*6 Adds b b; Mul b b y; ; Muls b b; Adds b b; Mul a x x; Muls y a; Muls y y; \
         (Adds y y; Mul y y a;)*6 Adds y y; Sqrt a a; Mul y y a; ; Mins a a; Adds a a; Cast a a; \
         Cast a a; ; Muls a a; Mul y y a; Muls a a; Adds a a; Mul b b a; Add y y b; Muls b x; Abs \
         a b; Adds a a; Div b b a; ; Mul y y b;";
    // math/acos
    "Acos" half [6 2 32 0]
        "Cast c x; Mul c c c; Muls c c; Adds c c; Muls a c; Muls a a; (Adds a a; Mul a a c;)*6 \
         Adds a a; Sqrt c c; Mul a a c; ; Muls a a; Adds a a; Abs fh x; Mul y fh fh, Mul eh fh \
         fh; Muls y y; (Adds y y; Mul y y eh;)*6 Adds y y; Mul y y fh; ; Mins fh fh; Adds fh fh; \
         Cast eb fh; Cast fh eb; Muls fh fh; Mul y y fh; Muls fh fh; Adds fh fh; Cast c fh; Mul a \
         a c; Cast c y; Add a c a; Muls eh x; Abs fh eh; Adds fh fh; Div eh eh fh; ; Cast c eh; \
         Mul a a c; Cast y a; ; Adds a a; Muls a a; Cast y a,";
    "Acos" float [4 4 32 0]
        "Mul b x x; Muls b b; Adds b b; Sqrt y b; Mul b y y, Mul a y y; Muls b b; (Adds b b; Mul \
         b b a;)*6 Adds b b; Mul b b y; ; Muls b b; Adds b b; Mul a x x; Muls y a; Muls y y; \
         (Adds y y; Mul y y a;)*6 Adds y y; Sqrt a a; Mul y y a; ; Mins a a; Adds a a; Cast a a; \
         Cast a a; ; Muls a a; Mul y y a; Muls a a; Adds a a; Mul b b a; Add y y b; Muls b x; Abs \
         a b; Adds a a; Div b b a; ; Mul y y b; ; Adds y y; Muls y y,";
    // math/atan
    "Atan" half [6 4 32 0]
        "Cast f x; Mins b f; Maxs b b; Abs c b; Mul e c c, Mul f c c; Muls f f; (Adds f f; Mul f \
         f e;)*3 Adds f f; Mul f f c, Muls a c; Adds a a, Adds d c; Div a d a; Abs a a; Mul e a \
         a, Mul d a a; Muls d d; (Adds d d; Mul d d e;)*3 Adds d d; Mul d d a; Adds d d; Min f f \
         d; Adds d c, Adds a c; Div a a d; Abs a a; Mul e a a, Mul d a a; Muls d d; (Adds d d; \
         Mul d d e;)*3 Adds d d; Mul d d a; Adds d d; Min f f d; Muls d a; Adds d d, Adds e a; \
         Div d e d; Abs d d; Mul e d d, Mul a d d; Muls a a; (Adds a a; Mul a a e;)*5 Adds a a; \
         Mul a a d; Adds a a; Adds a a; Min f f a; Muls a b; Abs d a; Adds d d; Div a a d; Mul f \
         f a; Cast y f;";
    "Atan" float [5 4 32 0]
        "Mins b x; Maxs b b; Abs c b; Mul e c c, Mul y c c; Muls y y; (Adds y y; Mul y y e;)*3 \
         Adds y y; Mul y y c, Muls a c; Adds a a, Adds d c; Div a d a; Abs a a; Mul e a a, Mul d \
         a a; Muls d d; (Adds d d; Mul d d e;)*3 Adds d d; Mul d d a; Adds d d; Min y y d; Adds d \
         c, Adds a c; Div a a d; Abs a a; Mul e a a, Mul d a a; Muls d d; (Adds d d; Mul d d \
         e;)*3 Adds d d; Mul d d a; Adds d d; Min y y d; Muls d a; Adds d d, Adds e a; Div d e d; \
         Abs d d; Mul e d d, Mul a d d; Muls a a; (Adds a a; Mul a a e;)*5 Adds a a; Mul a a d; \
         Adds a a; Adds a a; Min y y a; Muls a b; Abs d a; Adds d d; Div a a d; Mul y y a;";
    // math/asinh
    "Asinh" half [3 4 32 32]
        "Cast a x; Abs a a; Mul c a a; Adds c c; Sqrt c c; Add c c a; Ln c c; Cast a x; Muls a a; \
         Abs b a; Adds b b; Div a a b; ; Mul c c a; Cast y c;";
    "Asinh" float [3 4 32 32]
        "Abs a x; Mul c a a; Adds c c; Sqrt c c; Add c c a; Ln c c; Muls a x; Abs b a; Adds b b; \
         Div a a b; ; Mul y c a;";
    // math/acosh
    "Acosh" half [2 4 32 32]
        "Cast a x; Mul b a a; Adds b b; Sqrt b b; Add b b a; Div a b b; Mul b b a; Ln b b; Cast y \
         b;";
    "Acosh" float [1 4 32 0]
        "Mul a x x; Adds a a; Sqrt a a; Add a x a; Div y a a; Mul a a y; Ln y a;";
    // math/atanh
    "Atanh" half [4 2 32 32]
        "Cast a x; Adds c a; Muls a a; Adds a a; Div a c a; Ln a a; Muls a a; Cast y a,";
    "Atanh" float [1 4 32 0]
        "Adds a x; Muls y x; Adds y y; Div y a y; Ln y y; Muls y y;";
    // math/erf
    "Erf" half [8 2 32 0]
        "Cast g x; Mins a g; Maxs g a; Mul a g g; Muls c a; (Adds e c; Mul c a e;)*4 Adds e c; \
         Mul c g e; Adds e a; (Mul g a e; Adds e g;)*4 Div a c e; Cast y a;";
    "Erf" float [3 4 32 0]
        "Mins a x; Maxs y a; Mul a y y; Muls b a; (Adds c b; Mul b a c;)*4 Adds c b; Mul b y c; \
         Adds c a; (Mul y a c; Adds c y;)*4 Div y b c;";
    // math/erfc
    "Erfc" half [12 2 32 0]
        "Cast k x; Mins a k; Maxs k a; Abs a k; Adds a a; Div k k a; Mins c a; Muls e a; (Adds g \
         e; Mul e a g;)*7 Adds g e; Adds e a; (Mul i a e; Adds e i;)*4 Div e g e; Mul a a a; Muls \
         a a; Exp a a; Mul e a e; Muls c k; Adds c c; Mul e e k; Add a e c; Cast y a;";
    "Erfc" float [5 4 32 0]
        "Mins y x; Maxs y y; Abs a y; Adds a a; Div y y a; Mins b a; Muls c a; (Adds d c; Mul c a \
         d;)*7 Adds d c; Adds c a; (Mul e a c; Adds c e;)*4 Div c d c; Mul a a a; Muls a a; Exp a \
         a; Mul c a c; Muls b y; Adds b b; Mul c c y; Add y c b;";
    // math/frac
    "Frac" half [2 4 32 0]
        "Cast a x; Cast b a; Sub b a b; Cast y b;";
    "Frac" float [0 4 1 0]
        "Cast y x; Sub y x y;";
    // math/trunc
    "Trunc" half [2 2 32 0]
        "Cast a x; Cast a a; Cast y a;";
    "Trunc" float [1 4 32 0]
        "Cast y x;";
    // math/ceil
    "Ceil" half [2 2 32 0]
        "Cast a x; Cast a a; Cast y a;";
    "Ceil" float [1 4 32 0]
        "Cast y x;";
    // math/floor
    "Floor" half [1 4 32 0]
        "Cast a x; Cast a a; Cast y a;";
    "Floor" float [0 4 1 0]
        "Cast y x,";
    // math/round
    "Round" half [1 4 32 0]
        "Cast a x; Cast a a; Cast y a;";
    "Round" float [0 4 1 0]
        "Cast y x,";
    // math/log
    "Log" half [0 4 1 0]
        "Ln y x,";
    "Log10" half [0 4 1 0]
        "Ln y x; Muls y y,";
    "Log2" half [1 4 32 0]
        "Cast a x; Ln a a; Muls a a; Cast y a;";
    "Log" float [0 4 1 0]
        "Ln y x,";
    "Log10" float [0 4 1 0]
        "Ln y x; Muls y y,";
    "Log2" float [0 4 1 0]
        "Ln y x; Muls y y,";
    // math/exp
    "Exp" half [4 4 32 0]
        "Cast a x; Cast d a; Sub a a d; Exp d d; Adds b a; Adds c a; Adds c c; (Mul b a b; Muls b \
         b; Add c c b;)*T Mul c c d; Cast y c;";
    "Exp" float [3 4 8 0]
        "Adds a x; Cast c a; Sub a a c; Exp c c; Adds b a; Adds y a; Adds y y; (Mul b a b; Muls b \
         b; Add y y b;)*T Mul y y c;";
    "Exp reuses" float [2 4 8 0]
        "Adds v x; Cast b v; Sub v v b; Exp b b; Adds a v; Adds y v; Adds y y; (Mul a v a; Muls a \
         a; Add y y a;)*T Mul y y b;";
    // activation/sigmoid
    "Sigmoid" half [1 2 1 0]
        "; Muls y x; Exp y y; Adds y y, Duplicate ah; Div y ah y;";
    "Sigmoid" float [1 4 1 0]
        "; Muls y x; Exp y y; Adds y y, Duplicate a; Div y a y;";
    // activation/silu
    "Silu" half [0 4 1 0]
        "Muls y x; Exp y y; Adds y y; Div y x y;";
    "Silu" float [0 4 1 0]
        "Muls y x; Exp y y; Adds y y; Div y x y;";
    // activation/swish
    "Swish" half [0 4 1 0]
        "Muls y x; Exp y y; Adds y y; Div y x y;";
    "Swish" float [0 4 1 0]
        "Muls y x; Exp y y; Adds y y; Div y x y;";
    // activation/gelu
    "Gelu" half [2 2 32 0]
        "Mul ah x x; Mul bh x ah; Muls ah bh; Add bh x ah; Muls ah bh; Mins bh ah; Exp bh bh; Abs \
         ah ah; Muls ah ah; Exp ah ah; Adds ah ah; Div ah x ah; Mul y ah bh;";
    "Gelu fast" half [2 2 32 0]
        "Mul ah x x; Mul bh x ah; Muls ah bh; Add bh x ah; Muls ah bh; Mins bh ah; Exp bh bh; Abs \
         ah ah; Muls ah ah; Exp ah ah; Adds ah ah; Reciprocal ah ah; Mul ah x ah; Mul y ah bh;";
    "FasterGelu" half [1 2 32 0]
        "Muls ah x; Exp ah ah; Adds ah ah; Div y x ah;";
    "FasterGelu fast" half [1 2 32 0]
        "Muls ah x; Exp ah ah; Adds ah ah; Reciprocal ah ah; Mul y x ah;";
    "FasterGeluV2" half [3 2 32 0]
        "Muls ah x; Abs ah ah; Mins ah ah; Adds ah ah; Mul ah ah ah; Muls ah ah; Adds ah ah; Adds \
         bh x; Abs ch bh; Div bh bh ch; Mul ah ah bh; Adds ah ah; Mul y x ah;";
    "FasterGeluV2 fast" half [3 2 32 0]
        "Muls ah x; Abs ah ah; Mins ah ah; Adds ah ah; Mul ah ah ah; Muls ah ah; Adds ah ah; Adds \
         bh x; Abs ch bh; Reciprocal ch ch; Mul bh bh ch; Mul ah ah bh; Adds ah ah; Mul y x ah;";
    "Gelu" float [2 4 32 0]
        "Mul a x x; Mul b x a; Muls a b; Add b x a; Muls a b; Mins b a; Exp b b; Abs a a; Muls a \
         a; Exp a a; Adds a a; Div a x a; Mul y a b;";
    "Gelu fast" float [2 4 32 0]
        "Mul a x x; Mul b x a; Muls a b; Add b x a; Muls a b; Mins b a; Exp b b; Abs a a; Muls a \
         a; Exp a a; Adds a a; Reciprocal a a; Mul a x a; Mul y a b;";
    "FasterGelu" float [1 4 32 0]
        "Muls a x; Exp a a; Adds a a; Div y x a;";
    "FasterGelu fast" float [1 4 32 0]
        "Muls a x; Exp a a; Adds a a; Reciprocal a a; Mul y x a;";
    "FasterGeluV2" float [3 4 32 0]
        "Muls a x; Abs a a; Mins a a; Adds a a; Mul a a a; Muls a a; Adds a a; Adds b x; Abs c b; \
         Div b b c; Mul a a b; Adds a a; Mul y x a;";
    "FasterGeluV2 fast" float [3 4 32 0]
        "Muls a x; Abs a a; Mins a a; Adds a a; Mul a a a; Muls a a; Adds a a; Adds b x; Abs c b; \
         Reciprocal c c; Mul b b c; Mul a a b; Adds a a; Mul y x a;";
    "Gelu precise" half [3 4 32 0]
        "Cast c x; Mul a c c; Mul b c a; Muls a b; Add b c a; Muls a b; Mins b a; Exp b b; Abs a \
         a; Muls a a; Exp a a; Adds a a; Div a c a; Mul c a b; Cast y c;";
    "FasterGelu precise" half [2 4 32 0]
        "Cast b x; Muls a b; Exp a a; Adds a a; Div b b a; Cast y b;";
    "FasterGeluV2 precise" half [4 4 32 0]
        "Cast d x; Muls a d; Abs a a; Mins a a; Adds a a; Mul a a a; Muls a a; Adds a a; Adds b \
         d; Abs c b; Div b b c; Mul a a b; Adds a a; Mul d d a; Cast y d;";
    "Gelu precise fast" half [3 4 32 0]
        "Cast c x; Mul a c c; Mul b c a; Muls a b; Add b c a; Muls a b; Mins b a; Exp b b; Abs a \
         a; Muls a a; Exp a a; Adds a a; Reciprocal a a; Mul a c a; Mul c a b; Cast y c;";
    "FasterGelu precise fast" half [2 4 32 0]
        "Cast b x; Muls a b; Exp a a; Adds a a; Reciprocal a a; Mul b b a; Cast y b;";
    "FasterGeluV2 precise fast" half [4 4 32 0]
        "Cast d x; Muls a d; Abs a a; Mins a a; Adds a a; Mul a a a; Muls a a; Adds a a; Adds b \
         d; Abs c b; Reciprocal c c; Mul b b c; Mul a a b; Adds a a; Mul d d a; Cast y d;";
    // activation/geglu
    "GeGLU" half [2 4 32 16]
        "Cast a w; Mul b a a; Adds b b; Mul b b a; Muls b b; Exp b b; Adds b b; Div b a b; Cast a \
         x; Mul b a b; Cast y b;";
    "GeGLU" float [0 4 1 0]
        "Mul y w w; Adds y y; Mul y y w; Muls y y; Exp y y; Adds y y; Div y w y; Mul y x y;";
    // activation/reglu
    "ReGlu" half [3 4 32 0]
        "Cast a x, Cast b w; Maxs c b; Mul c a c; Cast y c;";
    "ReGlu" float [0 4 1 0]
        "Maxs y w; Mul y x y;";
    "ReGlu" bfloat16_t [3 4 32 0]
        "Cast a x, Cast b w; Maxs c b; Mul c a c; Cast y c;";
    // activation/swiglu
    "SwiGLU" half [3 4 32 16]
        "Cast a w; Muls b a; Exp b b; Adds b b; Div b a b; Cast c x; Mul b c b; Cast y b;";
    "SwiGLU" float [0 4 8 0]
        "Muls y w; Exp y y; Adds y y; Div y w y; Mul y x y;";
};

/// The choices of a caller that change the instructions, with the word that stands in a name.
const CHOICES: [&str; 3] = ["reuses", "precise", "fast"];

impl Recipe {
    /// Finds the recipe of a call. A choice for which there is no recipe changes nothing.
    fn of(call: &Call) -> Option<&'static Recipe> {
        let named = |name: &str| {
            let mut all = RECIPES.iter();
            all.find(|recipe| recipe.name == name && recipe.element == call.element)
        };
        let chosen = CHOICES
            .iter()
            .filter(|choice| call.numbers.get(**choice) == Some(&1));
        let words: Vec<&str> = std::iter::once(call.name.as_str())
            .chain(chosen.copied())
            .collect();
        named(&words.join(" ")).or_else(|| named(&call.name))
    }
}

/// Cuts a number of elements into pieces: for each its first element and its elements.
pub(super) fn pieces(count: u32, piece: u32) -> impl Iterator<Item = (u32, u32)> {
    let piece = piece.max(1);
    (0..count.div_ceil(piece)).map(move |i| (i * piece, piece.min(count - i * piece)))
}

/// Adds the instructions of a function of this file.
pub(super) fn issue(call: &Call, steps: &mut Steps<'_>) -> Result<(), Unknown> {
    let count = call.number("count")?;
    if call.name == "Sign" {
        return sign(call, count, steps);
    }
    let recipe = Recipe::of(call).ok_or(Unknown::Recipe)?;
    let space = recipe.space;
    let room = match space.slots {
        0 => count,
        slots => call.number("tmp_bytes")? / space.size / slots,
    };
    let piece = (room / space.step * space.step).max(space.step);
    let terms = match recipe.name.starts_with("Exp") {
        true => call.number("terms")?,
        false => 0,
    };
    if terms == 0 && recipe.name.starts_with("Exp") {
        steps.counted(
            "Exp",
            count,
            call.tensor("dst")?,
            &[call.tensor("src")?.into()],
        );
        return Ok(());
    }
    let (dst, src) = (call.tensor("dst")?, call.tensor("src")?);
    let other = match recipe.steps.contains(" w") {
        true => Some(call.tensor("src1")?),
        false => None,
    };
    let tmp = Tensor {
        at: call.number("tmp")?,
        size: 4,
    };
    for (first, elements) in pieces(count, piece) {
        let pitch = match space.closer {
            closer if closer > 0 && elements < piece => elements.next_multiple_of(closer),
            _ => piece,
        };
        let tensor = |letter: char| match letter {
            'x' => Some(src.from(first)),
            'v' => Some(src),
            'y' => Some(dst.from(first)),
            'w' => other.map(|other| other.from(first)),
            slot => Some(Tensor {
                at: tmp.at + u32::from(slot).checked_sub(u32::from('a'))? * pitch * space.size,
                ..tmp
            }),
        };
        let letters = Letters {
            tensor: &tensor,
            count: elements,
            times: terms.saturating_sub(1),
        };
        recipe::issue(recipe.steps, &letters, steps)?;
    }
    Ok(())
}

/// The sign compares with 0 into two masks, which select 1 and -1 (`math/sign`).
fn sign(call: &Call, count: u32, steps: &mut Steps<'_>) -> Result<(), Unknown> {
    const STEPS: &str = "Duplicate y; Compare! am x y, Compare! bm x y, Duplicate c; \
        SetCmpMask!/65536 - c, Select d y am; Duplicate c; SetCmpMask!/65536 - c, Select y y bm; Add y d y;";
    let (dst, src) = (call.tensor("dst")?, call.tensor("src")?);
    let piece = call.number("tmp_bytes")? / dst.size / 3 / 32 * 32;
    let (tmp, mask) = (call.number("tmp")?, (piece / 8).next_multiple_of(BLOCK));
    for (first, elements) in pieces(count, piece) {
        let tensor = |letter: char| {
            let at = |at: u32| Some(Tensor { at, ..dst });
            match letter {
                'x' => Some(src.from(first)),
                'y' => Some(dst.from(first)),
                'a' => at(tmp),
                'b' => at(tmp + mask),
                'c' => at(tmp + 2 * mask),
                'd' => at(tmp + 2 * mask + piece * dst.size),
                _ => None,
            }
        };
        let letters = Letters {
            tensor: &tensor,
            count: elements,
            times: 0,
        };
        recipe::issue(STEPS, &letters, steps)?;
    }
    Ok(())
}

/// Lists the functions of this file, with their element types.
#[cfg(test)]
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    RECIPES.iter().map(|recipe| (recipe.name, recipe.element))
}
