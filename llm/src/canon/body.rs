//! Statements and tiles as text.

use super::names::Pool;
use super::scalars::word;
use super::signature::one_of_list;
use super::{Canon, Names, Unprintable, Work};
use jumar::dsl::dtype::DType;
use jumar::dsl::ir::tile::Stmt;
use jumar::dsl::ir::{
    walk_stmts, AxFrom, Axes, BinOp, CallArg, Chosen, InlinedCall, Operand, ParamId, Per, Promised,
    RunSize, Scalar, ScalarTy, Signature, StmtKind, StoreHow, TensorRef, TileExpr, TileLoop,
    TileStmt, Ty, UnOp, ValueId, VarId,
};
use jumar::dsl::ops::{AxisReduceOp, BinaryOp, BitOp, LayoutOp, MaskOp, Op, ShiftOp, UnaryOp};

impl<'a> Canon<'a> {
    /// Writes the body and closes all blocks.
    pub(super) fn body(&mut self) -> Result<(), Unprintable> {
        let (kernel, body) = (self.kernel, self.body);
        self.name_works();
        let lists: Vec<(usize, &str)> = kernel
            .sig
            .lists()
            .map(|(id, p)| (id.index(), p.name.as_str()))
            .collect();
        if !lists.is_empty() {
            let place = kernel
                .sig
                .params
                .iter()
                .position(|p| p.per == Per::Place)
                .map(|at| self.params[at].clone());
            self.zip(&lists, place.as_deref());
        }
        // The statements decide which axes a view has to declare, so they are written first.
        let (start, before) = (self.out.len(), self.counters.clone());
        self.statements(&body.stmts)?;
        let statements = self.out.split_off(start);
        self.counters.back(before);
        for (name, extent) in self.new_axes.clone() {
            let size = self.signed(&extent)?;
            self.line(&format!("let {name} = new_axis({size});"));
        }
        for (Work { name, axes, .. }, decl) in
            std::mem::take(&mut self.works).iter().zip(&body.works)
        {
            let ty = self.ty(decl.dtype)?;
            let axes = if axes.len() == 1 {
                axes[0].clone()
            } else {
                format!("({})", axes.join(", "))
            };
            self.line(&format!("let {name} = workspace::<{ty}>({axes});"));
        }
        self.out.push_str(&statements);
        while self.indent > 0 {
            self.indent -= 1;
            self.line("}");
        }
        Ok(())
    }

    /// Writes the loop over the items of lists.
    pub(super) fn zip(&mut self, lists: &[(usize, &str)], place: Option<&str>) {
        let sig = &self.kernel.sig;
        let mut names = Vec::new();
        for (id, _) in lists {
            let pool = match sig.dtype(ParamId(*id as u32)) {
                Some(_) if sig.is_input(ParamId(*id as u32)) => Pool::In,
                Some(_) => Pool::Out,
                // Each item has one number of the list.
                None => one_of_list(&sig.params[*id]),
            };
            let name = self.name(pool);
            self.items.insert(*id, name.clone());
            names.push(name);
        }
        let listed: Vec<&str> = lists
            .iter()
            .map(|(id, _)| self.params[*id].as_str())
            .collect();
        let (item, of) = match names.len() {
            1 => (names[0].clone(), listed[0].to_string()),
            _ => (
                format!("({})", names.join(", ")),
                format!("({})", listed.join(", ")),
            ),
        };
        match place {
            Some(i) => self.line(&format!("for ({i}, {item}) in zip({of}).enumerate() {{")),
            None => self.line(&format!("for {item} in zip({of}) {{")),
        }
        self.indent += 1;
    }

    /// Names workspaces; the axes of a workspace are those of its first access.
    fn name_works(&mut self) {
        let body = self.body;
        for at in 0..body.works.len() {
            let mut dims = None;
            walk_stmts(&body.stmts, &mut |s| {
                let of = s
                    .access()
                    .filter(|access| matches!(access.of, TensorRef::Work(id) if id.index() == at));
                if let (None, Some(access)) = (&dims, of) {
                    dims = Some(access.clone());
                }
            });
            let mut axes = Vec::new();
            let sizes = dims
                .as_ref()
                .map_or(Vec::new(), |access| access.dims.clone());
            for (index, size) in dims
                .iter()
                .flat_map(|access| access.index.iter().zip(&access.dims))
            {
                axes.push(self.view_axis(index, size, &axes));
            }
            let name = self.name(Pool::Out);
            self.works.push(Work { name, axes, sizes });
        }
    }

    fn statements(&mut self, stmts: &'a [Stmt]) -> Result<(), Unprintable> {
        let mut at = 0;
        while at < stmts.len() {
            self.hoists.clear();
            self.now = self.number(&stmts[at])?;
            if let Some(call) = self.calls.get(&stmts[at].span).copied() {
                at += stmts[at..]
                    .iter()
                    .take_while(|s| s.span == call.span)
                    .count();
                self.now = self.number(&stmts[at - 1])?;
                self.call(call)?;
                continue;
            }
            // A value that is assigned at once and read by nothing else needs no name.
            if let [Stmt {
                kind: StmtKind::Do(TileStmt::Def { value, expr }),
                ..
            }, Stmt {
                kind: StmtKind::Do(TileStmt::Set { value: of, from }),
                ..
            }, ..] = &stmts[at..]
            {
                if from == value
                    && self.uses.get(&value.index()) == Some(&1)
                    && !self.body.values[value.index()].mutable
                {
                    let (expr, of) = (self.tile(*value, expr)?, self.value(*of)?);
                    self.line(&format!("{of} = {expr};"));
                    at += 2;
                    continue;
                }
            }
            self.statement(&stmts[at])?;
            at += 1;
        }
        Ok(())
    }

    fn number(&self, s: &Stmt) -> Result<usize, Unprintable> {
        self.lives
            .number_of(s)
            .ok_or_else(|| Unprintable::new("a statement of another kernel"))
    }

    fn block(&mut self, stmts: &'a [Stmt]) -> Result<(), Unprintable> {
        let before = self.counters.clone();
        self.indent += 1;
        self.statements(stmts)?;
        self.indent -= 1;
        self.counters.back(before);
        self.hoists.clear();
        Ok(())
    }

    fn statement(&mut self, s: &'a Stmt) -> Result<(), Unprintable> {
        match &s.kind {
            StmtKind::LetScalar { var, value } => self.let_scalar(*var, value)?,
            StmtKind::SetScalar { var, value } => {
                let value = self.defined(value)?;
                let name = self.placed(&Scalar::Var(*var))?;
                self.line(&format!("{name} = {value};"));
            }
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                let (from, to) = (self.placed(from)?, self.placed(to)?);
                let before = self.counters.clone();
                let name = self.name(if var.ty() == ScalarTy::I32 {
                    Pool::Int
                } else {
                    Pool::Index
                });
                self.vars.insert(var.index(), name.clone());
                self.line(&format!("for {name} in {from}..{to} {{"));
                self.block(body)?;
                self.line("}");
                self.counters.back(before);
            }
            StmtKind::If { cond, then, other } => self.branches(cond, then, other)?,
            StmtKind::Do(TileStmt::Loop { tile }) => self.tile_loop(tile)?,
            StmtKind::Do(TileStmt::Def {
                value,
                expr:
                    TileExpr::Cast {
                        value: of,
                        mode: None,
                    },
            }) if self.is_bytes_of_bits(*value, *of) => {
                let name = self.value(*of)?;
                self.hold(&name, *value);
                self.values.insert(value.index(), name);
            }
            StmtKind::Do(TileStmt::Def { value, expr }) => {
                let text = self.tile(*value, expr)?;
                let name = self.new_value(*value)?;
                let mutable = if self.body.values[value.index()].mutable {
                    "mut "
                } else {
                    ""
                };
                self.line(&format!("let {mutable}{name} = {text};"));
            }
            StmtKind::Do(TileStmt::Set { value, from }) => {
                let (value, from) = (self.value(*value)?, self.value(*from)?);
                self.line(&format!("{value} = {from};"));
            }
            StmtKind::Do(TileStmt::Store { to, value, how }) => {
                let (to, value) = (self.access(to)?, self.value(*value)?);
                let method = match how {
                    StoreHow::Plain => "store",
                    StoreHow::Inside => "store_in",
                    StoreHow::Add => "atomic_add",
                    StoreHow::Any => "store_any",
                    StoreHow::Disjoint => "store_disjoint",
                };
                self.line(&format!("{to}.{method}({value});"));
            }
            StmtKind::Do(TileStmt::Append {
                to,
                value,
                mask,
                counts: None,
            }) => {
                let Some(id) = to.param() else {
                    return Err(Unprintable::new("an append to a workspace"));
                };
                let (value, mask) = (self.value(*value)?, self.value(*mask)?);
                let name = self.params[id.index()].clone();
                self.line(&format!("{name}.append({value}, {mask});"));
            }
            StmtKind::Do(TileStmt::Read { var, value }) => {
                let value = self.value(*value)?;
                let name = self.new_var(*var);
                self.line(&format!("let {name} = {value}.scalar();"));
            }
            // A dump prints a value and computes nothing.
            StmtKind::Do(TileStmt::Dump { .. }) => {}
            StmtKind::Promise {
                what: Promised::Fact { cond, .. },
            } => {
                let cond = self.placed(cond)?;
                self.line(&format!("assume({cond});"));
            }
            StmtKind::Promise { .. } | StmtKind::Do(TileStmt::Append { .. }) => {
                return Err(Unprintable::new("a statement of the queue level"))
            }
        }
        Ok(())
    }

    fn let_scalar(&mut self, var: VarId, value: &Scalar) -> Result<(), Unprintable> {
        let is_count = self.is_count(var);
        if is_count {
            self.counts.insert(var.index(), value.clone());
            return Ok(());
        }
        let text = match self.end_of(value) {
            Some(end) => end,
            None => self.defined(value)?,
        };
        let mutable = if self.body.var(var).mutable {
            "mut "
        } else {
            ""
        };
        let name = self.new_var(var);
        // The type of a literal has to be written.
        let typed = match (value, var.ty()) {
            (Scalar::Int(_), _) | (Scalar::I32(_), _) => format!(": {}", word(var.ty())),
            _ => String::new(),
        };
        self.line(&format!("let {mutable}{name}{typed} = {text};"));
        Ok(())
    }

    /// True for the number of indices of a range, which is written as the ends of the range.
    fn is_count(&self, var: VarId) -> bool {
        let of_loop = self
            .core_ranges
            .values()
            .any(|length| **length == Scalar::Var(var));
        of_loop && self.body.var(var).name.starts_with("count")
    }

    /// Returns `t0.end()` for the sum of the start and the length of `t0`.
    fn end_of(&self, value: &Scalar) -> Option<String> {
        let Scalar::Bin(BinOp::Add, a, b) = value else {
            return None;
        };
        let (Scalar::Var(start), Scalar::Var(len)) = (&**a, &**b) else {
            return None;
        };
        let (start, len) = (self.vars.get(&start.index())?, self.vars.get(&len.index())?);
        let run = start.strip_suffix(".start()")?;
        (len.strip_suffix(".len()")? == run).then(|| format!("{run}.end()"))
    }

    fn branches(
        &mut self,
        cond: &Scalar,
        then: &'a [Stmt],
        other: &'a [Stmt],
    ) -> Result<(), Unprintable> {
        let given = |s: &Scalar| match s {
            Scalar::Attr(id, ScalarTy::Bool)
                if self.kernel.sig.is_optional(*id) && *s == Signature::given(*id) =>
            {
                Some(*id)
            }
            _ => None,
        };
        let (cond, then, other) = match cond {
            Scalar::Un(UnOp::Not, inner) if given(inner).is_some() && !other.is_empty() => {
                (&**inner, other, then)
            }
            cond => (cond, then, other),
        };
        let head = match given(cond) {
            Some(id) => {
                let name = &self.params[id.index()];
                format!("if let Some({name}) = {name} {{")
            }
            None => format!("if {} {{", self.placed(cond)?),
        };
        self.line(&head);
        self.block(then)?;
        if !other.is_empty() {
            self.line("} else {");
            self.block(other)?;
        }
        self.line("}");
        Ok(())
    }

    /// True for the conversion of a mask to `bool`, which a store does implicitly.
    fn is_bytes_of_bits(&self, bytes: ValueId, of: ValueId) -> bool {
        let ty = |v: ValueId| self.body.values[v.index()].dtype;
        ty(of) == Ty::Mask && ty(bytes) == Ty::Is(DType::Bool)
    }

    /// True for the loop of one iteration that the front end puts around a store outside of loops.
    fn is_once(&self, tile: &TileLoop) -> bool {
        let [spec] = &tile.specs[..] else {
            return false;
        };
        let one = matches!(&self.body.axes[spec.of.index()].from, AxFrom::Whole { extent } if *extent == Scalar::Int(1));
        one && spec.size.is_each() && self.body.axes[spec.of.index()].name == "once"
    }

    fn tile_loop(&mut self, tile: &'a TileLoop) -> Result<(), Unprintable> {
        if self.is_once(tile) {
            return self.statements(&tile.body);
        }
        let before = self.counters.clone();
        let (mut names, mut parts, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
        let single = tile.specs.len() == 1;
        for spec in &tile.specs {
            let each = spec.size.is_each();
            let of = match &spec.length {
                Some(length) => {
                    let (from, to) = self.range(length);
                    // A single index is counted from the beginning of its range. Offsets of the
                    // author are added where the index is used.
                    match each && from != Scalar::Int(0) {
                        true => format!("0..{}", self.named(&(to - from))?),
                        false => format!("{}..{}", self.placed(&from)?, self.placed(&to)?),
                    }
                }
                None => self.axes[spec.of.index()].clone(),
            };
            parts.push(if each { format!("each({of})") } else { of });
            sizes.push(match &spec.size {
                RunSize::Given { size } => Some(self.placed(size)?),
                RunSize::Solved {} | RunSize::Each {} => None,
            });
            let along = (spec.length.is_none()).then(|| self.axes[spec.of.index()].clone());
            names.push(
                self.name_along(if each { Pool::Index } else { Pool::Run }, along.as_deref()),
            );
        }
        for (spec, name) in tile.specs.iter().zip(&names) {
            self.axes[spec.ax.index()] = name.clone();
            let is_each = spec.size.is_each();
            // The name of a single index is its start. A run's start is a method call.
            let start = match (is_each, &spec.length) {
                (true, _) => name.clone(),
                (false, _) => format!("{name}.start()"),
            };
            self.vars.insert(spec.start.index(), start);
            self.vars.insert(spec.len.index(), format!("{name}.len()"));
        }
        let each_alone = single && tile.specs[0].size.is_each();
        let mut head = match (single, each_alone) {
            (true, true) => parts[0].clone(),
            (true, false) => format!("tiles({})", parts[0]),
            (false, _) => format!("tiles(({}))", parts.join(", ")),
        };
        if sizes.iter().any(Option::is_some) {
            let entries: Vec<String> = sizes
                .into_iter()
                .map(|size| size.unwrap_or("_".into()))
                .collect();
            head += &if single {
                format!(".size({})", entries[0])
            } else {
                format!(".size(({}))", entries.join(", "))
            };
        }
        if let Some(n) = tile.buffer_num {
            head += &format!(".buffer_num({n})");
        }
        if let Some(n) = &tile.block_dim {
            head += &format!(".block_dim({})", self.placed(n)?);
        }
        if tile.exact {
            head += ".exact()";
        }
        if tile.any_cut {
            head += ".any_cut()";
        }
        if let Some(ax) = tile.split {
            head += &format!(".split({})", self.axes[ax.index()]);
        }
        let turn = if single {
            names[0].clone()
        } else {
            format!("({})", names.join(", "))
        };
        self.line(&format!("for {turn} in {head} {{"));
        self.block(&tile.body)?;
        self.line("}");
        self.counters.back(before);
        Ok(())
    }

    // ---- tiles ----

    /// Returns the name of a value.
    pub(super) fn value(&self, v: ValueId) -> Result<String, Unprintable> {
        self.values
            .get(&v.index())
            .cloned()
            .ok_or_else(|| Unprintable::new("a tile that nothing defines"))
    }

    fn new_value(&mut self, v: ValueId) -> Result<String, Unprintable> {
        let decl = &self.body.values[v.index()];
        let pool = Pool::of(decl.dtype, decl.mutable)
            .ok_or_else(|| Unprintable::new("a tile of bits as elements"))?;
        let along = self.along(&decl.axes);
        let free = match self.how {
            Names::Axes => self
                .counters
                .free(pool, &self.stem(pool, Some(&along)), self.now),
            Names::Pools | Names::Author => None,
        };
        let name = free.unwrap_or_else(|| self.name_along(pool, Some(&along)));
        self.hold(&name, v);
        self.values.insert(v.index(), name.clone());
        Ok(name)
    }

    /// Reserves the name of a tile until its last reader, and at least for its own statement.
    fn hold(&mut self, name: &str, v: ValueId) {
        let last = self.lives.last(v).unwrap_or_default().max(self.now + 1);
        self.counters.hold(name, last);
    }

    /// Joins the axes of a tile for its name, sorted by the names of whole axes; a run is `t_n`.
    fn along(&self, axes: &Axes) -> String {
        let whole = |ax| self.axes[self.whole_of(ax).index()].clone();
        let mut all: Vec<(String, bool)> = axes
            .iter()
            .map(|ax| (whole(ax), self.whole_of(ax) != ax))
            .collect();
        all.sort_unstable();
        let said = |(name, is_run): &(String, bool)| {
            if *is_run {
                format!("{}_{name}", Pool::Run.letters())
            } else {
                name.clone()
            }
        };
        all.iter().map(said).collect::<Vec<_>>().join("_")
    }

    fn new_var(&mut self, var: VarId) -> String {
        let pool = match (var.ty(), self.body.var(var).mutable) {
            (ScalarTy::Index, false) => Pool::Size,
            (ScalarTy::I32, false) => Pool::Int,
            (ScalarTy::F32, false) => Pool::Float,
            (ScalarTy::Bool, false) => Pool::Bool,
            (ScalarTy::Index, true) => Pool::MutSize,
            (ScalarTy::I32, true) => Pool::MutInt,
            (ScalarTy::F32, true) => Pool::MutFloat,
            (ScalarTy::Bool, true) => Pool::MutBool,
        };
        let name = self.name(pool);
        self.vars.insert(var.index(), name.clone());
        name
    }

    fn call(&mut self, call: &InlinedCall) -> Result<(), Unprintable> {
        let mut args = Vec::new();
        for arg in &call.args {
            args.push(match arg {
                CallArg::Value { value } => self.value(*value)?,
                CallArg::Scalar { value } => self.placed(value)?,
                CallArg::Axis { ax } => self.axes[ax.index()].clone(),
            });
        }
        let receiver = self.value(call.receiver)?;
        let names: Vec<String> = call
            .results
            .iter()
            .map(|v| self.new_value(*v))
            .collect::<Result<_, _>>()?;
        let turn = if names.len() == 1 {
            names[0].clone()
        } else {
            format!("({})", names.join(", "))
        };
        self.line(&format!(
            "let {turn} = {receiver}.{}({});",
            call.method,
            args.join(", ")
        ));
        Ok(())
    }

    /// Writes axes as an argument.
    fn some_axes(&self, axes: &Axes) -> String {
        let mut names: Vec<&str> = axes
            .iter()
            .map(|ax| self.axes[ax.index()].as_str())
            .collect();
        names.sort_unstable();
        match names.len() {
            1 => names[0].to_string(),
            _ => format!("({})", names.join(", ")),
        }
    }

    fn beside(&mut self, o: &Operand) -> Result<String, Unprintable> {
        match o {
            Operand::Value { value } => self.value(*value),
            Operand::Scalar { value } => self.placed_beside(value),
        }
    }

    /// Writes a scalar that is the operand of a tile: a name or a number.
    fn placed_beside(&mut self, value: &Scalar) -> Result<String, Unprintable> {
        match value {
            Scalar::Int(_) | Scalar::I32(_) => self.placed(value),
            value => self.named(value),
        }
    }

    /// Writes the definition of a tile.
    fn tile(&mut self, v: ValueId, expr: &TileExpr) -> Result<String, Unprintable> {
        let decl = &self.body.values[v.index()];
        let (dtype, axes) = (decl.dtype, decl.axes.clone());
        Ok(match expr {
            TileExpr::Load { from } => format!("{}.load()", self.access(from)?),
            TileExpr::LoadOr { from, outside } => {
                let from = self.access(from)?;
                format!("{from}.load_or({})", self.placed_beside(outside)?)
            }
            TileExpr::Fill { value } => {
                let value = self.placed_beside(value)?;
                format!(
                    "full::<{}>({}, {value})",
                    self.ty(dtype)?,
                    self.some_axes(&axes)
                )
            }
            TileExpr::Iota { first } => self.iota(&axes, first)?,
            TileExpr::Across { init, .. } => {
                let init = self.placed_beside(init)?;
                format!(
                    "across_cores::<{}>({}, {init})",
                    self.ty(dtype)?,
                    self.some_axes(&axes)
                )
            }
            TileExpr::Appended {
                of: TensorRef::Param(id),
            } => {
                format!("{}.appended()", self.params[id.index()])
            }
            TileExpr::Appended {
                of: TensorRef::Work(_),
            } => return Err(Unprintable::new("what was appended to a workspace")),
            TileExpr::Reduce {
                op,
                value,
                over,
                onto: None,
            } => {
                let method = Op::AxisReduce(*op).name();
                format!("{}.{method}({})", self.value(*value)?, self.some_axes(over))
            }
            TileExpr::Reduce { onto: Some(_), .. } => {
                return Err(Unprintable::new("a reduction onto a tile"))
            }
            TileExpr::Op { op, args } => self.op(*op, args)?,
            TileExpr::Cast { value, mode: None } => {
                format!("{}.cast::<{}>()", self.value(*value)?, self.ty(dtype)?)
            }
            TileExpr::Cast {
                value,
                mode: Some(mode),
            }
            | TileExpr::Round { value, mode } => {
                format!(
                    "{}.cast_with::<{}>(RoundMode::{})",
                    self.value(*value)?,
                    self.ty(dtype)?,
                    mode.name()
                )
            }
            TileExpr::Truncate { value } => {
                format!(
                    "{}.cast_trunc::<{}>()",
                    self.value(*value)?,
                    self.ty(dtype)?
                )
            }
            TileExpr::Copy { value } => {
                let more = axes.without(&self.body.values[value.index()].axes);
                let value = self.value(*value)?;
                if more.is_empty() {
                    value
                } else {
                    format!("{value}.expand({})", self.some_axes(&more))
                }
            }
            TileExpr::Pick { value, along, at } => {
                let axis = self.axes[along.index()].clone();
                let at = match at {
                    Chosen::Index { index } => self.index(index, Some(&axis))?,
                    Chosen::Tile { value } => self.value(*value)?,
                };
                format!("{}.pick({axis}, {at})", self.value(*value)?)
            }
            TileExpr::Top { .. } => return Err(Unprintable::new("an order without its call")),
            TileExpr::Scan { op, value, along } => {
                let method = match op {
                    AxisReduceOp::Sum => "cumsum",
                    AxisReduceOp::Prod => "cumprod",
                    _ => {
                        return Err(Unprintable::new(
                            "running values that are neither sums nor products",
                        ))
                    }
                };
                format!(
                    "{}.{method}({})",
                    self.value(*value)?,
                    self.axes[along.index()]
                )
            }
        })
    }

    fn iota(&mut self, axes: &Axes, first: &Scalar) -> Result<String, Unprintable> {
        let Some(ax) = axes.iter().next() else {
            return Err(Unprintable::new("indices along no axis"));
        };
        let plain = format!("{}.iota()", self.axes[ax.index()]);
        let begins = self
            .runs
            .get(&ax)
            .map_or(Scalar::Int(0), |spec| Scalar::Var(spec.start));
        match Scalar::cast(ScalarTy::I32, begins) == *first {
            true => Ok(plain),
            false => Err(Unprintable::new("indices that begin elsewhere")),
        }
    }

    fn op(&mut self, op: Op, args: &[Operand]) -> Result<String, Unprintable> {
        let said = args
            .iter()
            .map(|arg| self.beside(arg))
            .collect::<Result<Vec<_>, _>>()?;
        let sign = match op {
            Op::Binary(BinaryOp::Add) => Some(" + "),
            Op::Binary(BinaryOp::Sub) => Some(" - "),
            Op::Binary(BinaryOp::Mul) => Some(" * "),
            Op::Binary(BinaryOp::Div) => Some(" / "),
            Op::Mask(MaskOp::And) | Op::Bit(BitOp::And) => Some(" & "),
            Op::Mask(MaskOp::Or) | Op::Bit(BitOp::Or) => Some(" | "),
            Op::Shift(ShiftOp::Left) => Some(" << "),
            Op::Shift(ShiftOp::Right) => Some(" >> "),
            _ => None,
        };
        Ok(match (op, sign, &said[..]) {
            (_, Some(sign), [a, b]) => format!("{a}{sign}{b}"),
            (Op::Unary(UnaryOp::Neg), _, [a]) => format!("-{a}"),
            (Op::Mask(MaskOp::Not) | Op::Bit(BitOp::Not), _, [a]) => format!("!{a}"),
            (
                Op::Unary(_) | Op::Binary(_) | Op::Compare(_) | Op::Layout(LayoutOp::Select),
                None,
                [receiver, rest @ ..],
            ) => {
                format!("{receiver}.{}({})", op.name(), rest.join(", "))
            }
            (op, ..) => {
                return Err(Unprintable::new(format!(
                    "the op `{}` in a tile",
                    op.name()
                )))
            }
        })
    }
}
