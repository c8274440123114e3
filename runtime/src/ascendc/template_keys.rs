//! Template tiling keys: a key becomes the template arguments of a kernel function.
//!
//! A kernel's file declares its template parameters (ASCENDC_TPL_ARGS_DECL) and the combinations of
//! their values that a build makes (ASCENDC_TPL_SEL). As the toolkit's build does, this reads them
//! from the preprocessed kernel, before any instance is compiled. The first parameter is in the
//! lowest bits of a key: an unsigned one by the place of its value, every other one by its value.

use super::scan::KernelFunction;
use crate::RunError;
use jumar_dsl::diag::Code;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The template parameters of a kernel and the combinations of their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateKeys {
    parameters: Vec<Parameter>,
    choices: Vec<Choice>,
}

/// A kernel function with template arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    pub key: u64,
    /// The function as C++ names it: `add<TypeFromId<1>::type, 8>`.
    pub kernel: String,
    /// The arguments by name: `D_T_X = C_DT_FLOAT16, TILE_NUM = 8`.
    pub arguments: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Parameter {
    name: String,
    kind: Kind,
    bits: u32,
    values: Vec<Value>,
}

/// A value, as a number and as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Value {
    number: u64,
    text: String,
}

/// One combination (ASCENDC_TPL_ARGS_SEL): the values of each parameter, in the order of their
/// declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Choice {
    values: Vec<Vec<Value>>,
    /// The kernel type (ASCENDC_TPL_KERNEL_TYPE_SEL).
    cores: Option<u64>,
    deterministic: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Dtype,
    Datatype,
    Format,
    Uint,
    Bool,
    SharedKernelType,
    KernelType,
    Deterministic,
    TilingStruct,
}

/// The macro that `include/ascendc/host_api/tiling/template_argument.h` makes of every declaration.
const MARK: &str = "ascendc_cpu_tpl(";
/// From here on, a value is the number of an input or output (ASCENDC_TPL_INPUT), whose type the
/// parameter follows.
const PLACES: u64 = 100_000_000;
/// Values of ASCENDC_TPL_KERNEL_TYPE_SEL that need a cube core.
const CUBE: [u64; 4] = [1, 5, 6, 7];
/// Combinations that a message lists.
const LISTED: usize = 8;

impl Kind {
    const ALL: [(Kind, &'static str); 9] = [
        (Kind::Dtype, "DTYPE"),
        (Kind::Datatype, "DATATYPE"),
        (Kind::Format, "FORMAT"),
        (Kind::Uint, "UINT"),
        (Kind::Bool, "BOOL"),
        (Kind::SharedKernelType, "SHARED_KERNEL_TYPE"),
        (Kind::KernelType, "KERNEL_TYPE"),
        (Kind::Deterministic, "DETERMINISTIC"),
        (Kind::TilingStruct, "TILING_STRUCT"),
    ];

    fn name(self) -> &'static str {
        Kind::ALL
            .iter()
            .find(|(kind, _)| *kind == self)
            .map_or("", |(_, name)| name)
    }
}

impl TemplateKeys {
    /// Reads the first declaration of a preprocessed kernel; `None` where there is none.
    ///
    /// # Errors
    /// J0605 for declarations that the toolkit's build does not take.
    pub fn read(text: &str) -> Result<Option<TemplateKeys>, RunError> {
        let calls = calls(text)?;
        let numbers = numbers(text);
        let first = |what: &str| calls.iter().find(|call| call.what == what);
        let Some(declared) = first("ARGS_DECL") else {
            return Ok(None);
        };
        let parameters = declared
            .parts()?
            .into_iter()
            .map(|call| parameter(call, &numbers))
            .collect::<Result<Vec<_>, _>>()?;
        for (i, one) in parameters.iter().enumerate() {
            if parameters[..i].iter().any(|other| other.name == one.name) {
                return Err(wrong(format!("declares `{}` twice", one.name)));
            }
        }
        let bits: u32 = parameters.iter().map(|one| one.bits).sum();
        if bits > u64::BITS {
            return Err(wrong(format!("takes {bits} bits; a key has {}", u64::BITS)));
        }
        let selected = first("SEL").ok_or_else(|| {
            wrong(
                "comes without ASCENDC_TPL_SEL, which lists the combinations that are built".into(),
            )
        })?;
        let choices = selected
            .parts()?
            .into_iter()
            .map(|call| choice(call, &parameters, &numbers))
            .collect::<Result<Vec<_>, _>>()?;
        let keys = TemplateKeys {
            parameters,
            choices,
        };
        keys.check_twice()?;
        Ok(Some(keys))
    }

    /// Returns the kernel with the template arguments of a key.
    ///
    /// # Errors
    /// J0605 for a key that no combination allows, or that needs a cube core or deterministic
    /// computation.
    pub fn instance(&self, kernel: &KernelFunction, key: u64) -> Result<Instance, RunError> {
        self.check_kernel(kernel)?;
        let fields = self.fields(key);
        let values: Option<Vec<&Value>> = fields.iter().map(|(_, value)| *value).collect();
        let allowed = values.as_ref().and_then(|values| {
            self.choices
                .iter()
                .find(|choice| choice.allows(values) && self.rest(key) == 0)
        });
        let (Some(values), Some(choice)) = (values, allowed) else {
            return Err(refused(format!(
                "tiling key {key} of kernel `{}` is no combination of ASCENDC_TPL_SEL: {}; {}",
                kernel.name,
                self.read_as(key),
                self.allowed()
            )));
        };
        self.check_runs(choice, kernel, &values)?;
        Ok(self.instance_of(kernel, &values))
    }

    /// Returns the kernel with each combination that runs here, and the number of all combinations.
    ///
    /// # Errors
    /// J0605 where the kernel has other template parameters, or no combination runs here.
    pub fn instances(&self, kernel: &KernelFunction) -> Result<(Vec<Instance>, usize), RunError> {
        self.check_kernel(kernel)?;
        let (mut all, mut count, mut none) = (Vec::new(), 0, Ok(()));
        for choice in &self.choices {
            let mut rows: Vec<Vec<&Value>> = vec![Vec::new()];
            for values in &choice.values {
                let mut longer = Vec::new();
                for row in &rows {
                    for value in values {
                        longer.push(row.iter().copied().chain([value]).collect());
                    }
                }
                rows = longer;
            }
            count += rows.len();
            for row in rows {
                match self.check_runs(choice, kernel, &row) {
                    Ok(()) => all.push(self.instance_of(kernel, &row)),
                    Err(why) => none = none.and(Err(why)),
                }
            }
        }
        if all.is_empty() {
            none?;
        }
        Ok((all, count))
    }

    /// Refuses a combination that no launch of this build has.
    fn check_runs(
        &self,
        choice: &Choice,
        kernel: &KernelFunction,
        values: &[&Value],
    ) -> Result<(), RunError> {
        let shared =
            self.parameters.iter().zip(values).find_map(|(one, value)| {
                (one.kind == Kind::SharedKernelType).then_some(value.number)
            });
        let cores = choice.cores.or(shared).filter(|cores| CUBE.contains(cores));
        let of = || {
            format!(
                "tiling key {} of kernel `{}`",
                self.encode(values),
                kernel.name
            )
        };
        if let Some(cores) = cores {
            return Err(refused(format!(
                "{} runs on cube cores (its kernel type is {cores}), and this build has vector cores only; \
                 choose a combination of ASCENDC_TPL_AIV_ONLY, which is 0",
                of()
            )));
        }
        if choice.deterministic {
            return Err(refused(format!(
                "{} is of deterministic computation (ASCENDC_TPL_DETERMINISTIC_SEL), which a launch here does not ask for: \
                 GetDeterministic() is 0; choose a combination without it",
                of()
            )));
        }
        Ok(())
    }

    fn instance_of(&self, kernel: &KernelFunction, values: &[&Value]) -> Instance {
        let each = || self.parameters.iter().zip(values);
        let arguments: Vec<String> = each()
            .map(|(one, value)| match one.is_type() {
                true => format!("TypeFromId<{}>::type", value.number),
                false => value.number.to_string(),
            })
            .collect();
        let said: Vec<String> = each()
            .map(|(one, value)| format!("{} = {}", one.name, value.text))
            .collect();
        Instance {
            key: self.encode(values),
            kernel: format!("{}<{}>", kernel.name, arguments.join(", ")),
            arguments: said.join(", "),
        }
    }

    fn encode(&self, values: &[&Value]) -> u64 {
        let mut shift = 0;
        let mut key = 0;
        for (one, value) in self.parameters.iter().zip(values) {
            key |= one.field(value) << shift;
            shift += one.bits;
        }
        key
    }

    /// Returns the bits of each parameter, and its value where they stand for one.
    fn fields(&self, key: u64) -> Vec<(u64, Option<&Value>)> {
        let mut rest = key;
        let field = |one: &'_ Parameter| {
            let field = rest & low(one.bits);
            rest = rest.checked_shr(one.bits).unwrap_or(0);
            field
        };
        let fields: Vec<u64> = self.parameters.iter().map(field).collect();
        self.parameters
            .iter()
            .zip(fields)
            .map(|(one, field)| {
                let value = one.values.iter().find(|value| one.field(value) == field);
                (field, value)
            })
            .collect()
    }

    /// Returns the bits above all parameters.
    fn rest(&self, key: u64) -> u64 {
        let bits: u32 = self.parameters.iter().map(|one| one.bits).sum();
        key.checked_shr(bits).unwrap_or(0)
    }

    fn read_as(&self, key: u64) -> String {
        let mut words = Vec::new();
        for (one, (field, value)) in self.parameters.iter().zip(self.fields(key)) {
            words.push(match value {
                Some(value) => format!("{} = {}", one.name, value.text),
                None if one.kind == Kind::Uint => format!(
                    "{} has no value at place {field}, only {} values",
                    one.name,
                    one.values.len()
                ),
                None => format!("{} has no value {field}", one.name),
            });
        }
        if self.rest(key) != 0 {
            words.push(format!("{} above all parameters", self.rest(key)));
        }
        format!("it says ({})", words.join(", "))
    }

    fn allowed(&self) -> String {
        let mut text = String::from("there is ");
        for (i, choice) in self.choices.iter().take(LISTED).enumerate() {
            let values = self.parameters.iter().zip(&choice.values);
            let words: Vec<String> = values
                .map(|(one, values)| format!("{}: {}", one.name, spelled(values)))
                .collect();
            let _ = write!(
                text,
                "{}({})",
                if i == 0 { "" } else { " or " },
                words.join("; ")
            );
        }
        if self.choices.len() > LISTED {
            let _ = write!(text, ", and {} more", self.choices.len() - LISTED);
        }
        text
    }

    fn check_kernel(&self, kernel: &KernelFunction) -> Result<(), RunError> {
        let (has, declared) = (kernel.template.len(), self.parameters.len());
        if has == declared {
            return Ok(());
        }
        let names: Vec<&str> = self
            .parameters
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        Err(refused(format!(
            "kernel `{}` has {has} template parameters ({}), ASCENDC_TPL_ARGS_DECL declares {declared} ({}); both list the same ones in one order",
            kernel.name,
            kernel.template.join(", "),
            names.join(", ")
        )))
    }

    /// Refuses combinations that two choices hold.
    fn check_twice(&self) -> Result<(), RunError> {
        for (i, one) in self.choices.iter().enumerate() {
            for other in &self.choices[..i] {
                let shared: Option<Vec<&Value>> = one
                    .values
                    .iter()
                    .zip(&other.values)
                    .map(|(a, b)| a.iter().find(|a| b.iter().any(|b| a.number == b.number)))
                    .collect();
                if let Some(shared) = shared {
                    let words: Vec<String> = self
                        .parameters
                        .iter()
                        .zip(shared)
                        .map(|(one, value)| format!("{} = {}", one.name, value.text))
                        .collect();
                    return Err(refused(format!(
                        "ASCENDC_TPL_SEL lists ({}) twice; the toolkit's build takes each combination once",
                        words.join(", ")
                    )));
                }
            }
        }
        Ok(())
    }
}

impl Parameter {
    /// True if the kernel has a type in its place.
    fn is_type(&self) -> bool {
        self.kind == Kind::Datatype
    }

    /// Returns the bits of a key that stand for a value.
    fn field(&self, value: &Value) -> u64 {
        let mut values = self.values.iter();
        match values.position(|v| v.number == value.number) {
            Some(at) if self.kind == Kind::Uint => at as u64,
            Some(_) | None => value.number,
        }
    }
}

impl Choice {
    fn allows(&self, values: &[&Value]) -> bool {
        let has = |(allowed, value): (&Vec<Value>, &&Value)| {
            allowed.iter().any(|v| v.number == value.number)
        };
        self.values.iter().zip(values).all(has)
    }
}

fn low(bits: u32) -> u64 {
    1u64.checked_shl(bits).map_or(u64::MAX, |bit| bit - 1)
}

fn spelled(values: &[Value]) -> String {
    let words: Vec<&str> = values.iter().map(|v| v.text.as_str()).collect();
    words.join(", ")
}

fn refused(message: String) -> RunError {
    RunError::refused(Code::J0605, message)
}

fn wrong(what: String) -> RunError {
    refused(format!("ASCENDC_TPL_ARGS_DECL {what}"))
}

/// One use of a macro: `ascendc_cpu_tpl("UINT", "MODE", 2, 1, 0, 1)`.
struct Call {
    what: String,
    name: String,
    arguments: Vec<String>,
}

impl Call {
    /// Returns the arguments, which are macros themselves.
    fn parts(&self) -> Result<Vec<Call>, RunError> {
        self.arguments
            .iter()
            .map(|text| {
                let inner = text.strip_prefix(MARK).and_then(|t| t.strip_suffix(')'));
                inner.map(call).unwrap_or_else(|| {
                    Err(refused(format!(
                        "`{text}` in ASCENDC_TPL_{} is no ASCENDC_TPL_ macro",
                        self.what
                    )))
                })
            })
            .collect()
    }
}

/// Finds the outermost uses of the macro.
fn calls(text: &str) -> Result<Vec<Call>, RunError> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(MARK) {
        let inside = &rest[at + MARK.len()..];
        let end = split(inside).0;
        found.push(call(&inside[..end])?);
        rest = &inside[end..];
    }
    Ok(found)
}

fn call(inside: &str) -> Result<Call, RunError> {
    let mut arguments = split(inside).1;
    let word = |text: &String| text.trim_matches('"').to_string();
    if arguments.len() < 2 {
        return Err(refused(format!(
            "`{inside}` is no declaration of a template parameter"
        )));
    }
    let rest = arguments.split_off(2);
    Ok(Call {
        what: word(&arguments[0]),
        name: word(&arguments[1]),
        // A comma may be behind the last one.
        arguments: rest.into_iter().filter(|text| !text.is_empty()).collect(),
    })
}

/// Splits at the commas outside of parentheses and strings, up to the parenthesis that closes the
/// list; returns its place, too.
fn split(text: &str) -> (usize, Vec<String>) {
    let (mut depth, mut quoted, mut from) = (0, false, 0);
    let mut pieces = Vec::new();
    let mut end = text.len();
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted && depth == 0 => {
                end = at;
                break;
            }
            ')' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                pieces.push(text[from..at].trim().to_string());
                from = at + 1;
            }
            _other => (),
        }
    }
    pieces.push(text[from..end].trim().to_string());
    (end, pieces)
}

/// Returns the numbers of `C_DT_FLOAT` and others, which the preprocessed text defines.
fn numbers(text: &str) -> BTreeMap<&str, u64> {
    let mut found = BTreeMap::new();
    for prefix in ["C_DT_", "C_FORMAT_"] {
        for (at, _) in text.match_indices(prefix) {
            let rest = &text[at..];
            let name = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
            let number = rest[name.len()..]
                .trim_start()
                .strip_prefix('=')
                .map(|rest| rest.trim_start())
                .and_then(|rest| {
                    let digits = rest.find(|c: char| !c.is_ascii_digit());
                    rest[..digits.unwrap_or(rest.len())].parse().ok()
                });
            if let Some(number) = number {
                found.entry(name).or_insert(number);
            }
        }
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn kind(call: &Call) -> Result<Kind, RunError> {
    let found = Kind::ALL.iter().find(|(_, name)| *name == call.what);
    found.map(|(kind, _)| *kind).ok_or_else(|| {
        refused(format!(
            "ASCENDC_TPL_{} stands where a template parameter is declared",
            call.what
        ))
    })
}

fn parameter(call: Call, numbers: &BTreeMap<&str, u64>) -> Result<Parameter, RunError> {
    let kind = kind(&call)?;
    let (bits, from) = match kind {
        Kind::Dtype | Kind::Datatype | Kind::Format | Kind::SharedKernelType => (8, 0),
        Kind::Bool => (1, 0),
        Kind::Uint => {
            let bits = call.arguments.first().map_or("", String::as_str);
            let number = bits.parse().ok().filter(|n| (1..=u64::BITS).contains(n));
            let bits = number.ok_or_else(|| {
                wrong(format!(
                    "gives `{}` `{bits}` bits; allowed are 1 to 64",
                    call.name
                ))
            })?;
            (bits, 1)
        }
        Kind::KernelType | Kind::Deterministic | Kind::TilingStruct => {
            return Err(wrong(format!(
                "holds a {}, which belongs into ASCENDC_TPL_ARGS_SEL",
                kind.name()
            )))
        }
    };
    let values = values(kind, &call.name, &call.arguments[from..], numbers)?;
    let fits = match kind {
        Kind::Uint => values.len() as u64 - 1 <= low(bits),
        _ => values.iter().all(|value| value.number <= low(bits)),
    };
    if !fits {
        return Err(wrong(format!(
            "gives `{}` {bits} bits, too few for its values {}",
            call.name,
            spelled(&values)
        )));
    }
    Ok(Parameter {
        name: call.name,
        kind,
        bits,
        values,
    })
}

fn choice(
    call: Call,
    parameters: &[Parameter],
    numbers: &BTreeMap<&str, u64>,
) -> Result<Choice, RunError> {
    let mut chosen: Vec<Option<Vec<Value>>> = vec![None; parameters.len()];
    let (mut cores, mut deterministic) = (None, false);
    for call in call.parts()? {
        let kind = kind(&call)?;
        match kind {
            Kind::TilingStruct => continue,
            Kind::KernelType => {
                let one = values(kind, &call.name, &call.arguments, numbers)?;
                cores = one.first().map(|value| value.number);
                continue;
            }
            Kind::Deterministic => {
                let one = values(kind, &call.name, &call.arguments, numbers)?;
                deterministic = one.iter().any(|value| value.number != 0);
                continue;
            }
            Kind::Dtype
            | Kind::Datatype
            | Kind::Format
            | Kind::Uint
            | Kind::Bool
            | Kind::SharedKernelType => (),
        }
        let at = parameters.iter().position(|one| one.name == call.name);
        let at = at.ok_or_else(|| {
            let names: Vec<&str> = parameters.iter().map(|one| one.name.as_str()).collect();
            refused(format!(
                "ASCENDC_TPL_SEL chooses `{}`, ASCENDC_TPL_ARGS_DECL declares {}",
                call.name,
                names.join(", ")
            ))
        })?;
        let declared = &parameters[at];
        if declared.kind != kind {
            return Err(refused(format!(
                "`{}` is {} in ASCENDC_TPL_SEL and {} in ASCENDC_TPL_ARGS_DECL; write one kind in both",
                call.name,
                kind.name(),
                declared.kind.name()
            )));
        }
        let values = values(kind, &call.name, &call.arguments, numbers)?;
        let known = |value: &Value| declared.values.iter().any(|v| v.number == value.number);
        if let Some(unknown) = values.iter().find(|value| !known(value)) {
            return Err(refused(format!(
                "ASCENDC_TPL_SEL chooses {} for `{}`, ASCENDC_TPL_ARGS_DECL declares {}",
                unknown.text,
                call.name,
                spelled(&declared.values)
            )));
        }
        chosen[at] = Some(values);
    }
    let each = parameters.iter().zip(chosen).map(|(one, values)| {
        values.ok_or_else(|| {
            refused(format!(
                "an ASCENDC_TPL_ARGS_SEL chooses no value for `{}`; each one chooses values for all parameters",
                one.name
            ))
        })
    });
    Ok(Choice {
        values: each.collect::<Result<_, _>>()?,
        cores,
        deterministic,
    })
}

/// Reads the values of a parameter, those of ranges one by one.
fn values(
    kind: Kind,
    name: &str,
    words: &[String],
    numbers: &BTreeMap<&str, u64>,
) -> Result<Vec<Value>, RunError> {
    let mut read = Vec::new();
    for word in words {
        let number = number(kind, word, numbers).ok_or_else(|| {
            refused(format!(
                "`{word}` of template parameter `{name}` is no number: the toolkit's build reads it before the compiler does; \
                 write a number, a macro of one, or the C_DT_ or C_FORMAT_ name of a type"
            ))
        })?;
        read.push(Value {
            number,
            text: word.clone(),
        });
    }
    let values = if kind == Kind::Uint {
        listed(&read).ok_or_else(|| {
            refused(format!(
                "the values of template parameter `{name}` are ({}); allowed are ASCENDC_TPL_UI_LIST and numbers, or \
                 ASCENDC_TPL_UI_RANGE (_MIX: and a list), the number of ranges and two bounds for each",
                words.join(", ")
            ))
        })?
    } else {
        read.retain(|value| value.number < PLACES);
        read
    };
    if values.is_empty() {
        return Err(refused(format!(
            "template parameter `{name}` has no values; list them behind its name"
        )));
    }
    let twice = |(i, value): (usize, &Value)| values[..i].iter().any(|v| v.number == value.number);
    if let Some((_, value)) = values.iter().enumerate().find(|one| twice(*one)) {
        return Err(refused(format!(
            "template parameter `{name}` lists {} twice",
            value.text
        )));
    }
    Ok(values)
}

/// Returns the values of an unsigned parameter behind the word that says how they are written.
fn listed(read: &[Value]) -> Option<Vec<Value>> {
    let (how, rest) = read.split_first()?;
    if how.number == 1 {
        return Some(rest.to_vec());
    }
    let (ranges, rest) = rest.split_first()?;
    let bounds = usize::try_from(ranges.number).ok()?.checked_mul(2)?;
    let list = rest.get(bounds..)?;
    let mut values = Vec::new();
    for pair in rest[..bounds].chunks(2) {
        let one = |number: u64| Value {
            number,
            text: number.to_string(),
        };
        // A key has no more values than that many.
        if pair[1].number.saturating_sub(pair[0].number) > 0xffff {
            return None;
        }
        values.extend((pair[0].number..=pair[1].number).map(one));
    }
    match how.number {
        0 if list.is_empty() => Some(values),
        2 => {
            values.extend_from_slice(list);
            Some(values)
        }
        _unknown => None,
    }
}

/// Reads a number. Element types and formats may have names and be sums, as ASCENDC_TPL_INPUT is.
fn number(kind: Kind, word: &str, numbers: &BTreeMap<&str, u64>) -> Option<u64> {
    let bare = word.trim();
    let inner = bare.strip_prefix('(').and_then(|w| w.strip_suffix(')'));
    if let Some(inner) = inner.filter(|inner| split(inner).0 == inner.len()) {
        return number(kind, inner, numbers);
    }
    if let Ok(number) = bare.trim_end_matches(['u', 'U', 'l', 'L']).parse() {
        return Some(number);
    }
    match kind {
        Kind::Bool | Kind::Deterministic => match bare {
            "true" => Some(1),
            "false" => Some(0),
            _other => None,
        },
        Kind::Datatype | Kind::Format => {
            if let Some(number) = numbers.get(bare.rsplit("::").next()?) {
                return Some(*number);
            }
            let (one, other) = bare.split_once('+')?;
            number(kind, one, numbers)?.checked_add(number(kind, other, numbers)?)
        }
        Kind::Dtype
        | Kind::Uint
        | Kind::SharedKernelType
        | Kind::KernelType
        | Kind::TilingStruct => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanned(head: &str) -> KernelFunction {
        let text = format!("{head} __global__ __aicore__ void op(GM_ADDR x) {{}}");
        super::super::scan(&text).remove(0)
    }

    fn read(declared: &str, selected: &str) -> Result<TemplateKeys, String> {
        let text = format!(
            "enum C_DataType {{ C_DT_FLOAT = 0, C_DT_BF16 = 27, }};\n\
             ascendc_cpu_tpl(\"ARGS_DECL\", \"Op\", {declared});\nascendc_cpu_tpl(\"SEL\", \"\", {selected});\n"
        );
        match TemplateKeys::read(&text) {
            Ok(keys) => Ok(keys.expect("it declares keys")),
            Err(e) => Err(e.message().to_string()),
        }
    }

    const DECLARED: &str =
        "ascendc_cpu_tpl(\"DATATYPE\", \"T\", C_DT_FLOAT, ge::C_DT_BF16, (100000000+(0))), \
         ascendc_cpu_tpl(\"UINT\", \"N\", 3, 0, 2, 1, 3, 8, 9),ascendc_cpu_tpl(\"BOOL\", \"B\", true, 0),";
    const SELECTED: &str = "ascendc_cpu_tpl(\"ARGS_SEL\", \"\", ascendc_cpu_tpl(\"BOOL\", \"B\", 1), \
         ascendc_cpu_tpl(\"UINT\", \"N\", 1, 9, 2), ascendc_cpu_tpl(\"DATATYPE\", \"T\", C_DT_BF16))";

    #[test]
    fn keys_become_template_arguments_and_back() {
        assert_eq!(TemplateKeys::read("int x;").expect("no declaration"), None);
        let keys = read(DECLARED, SELECTED).expect("keys");
        let kernel = scanned("template <typename T, int N, bool B>");
        let one = keys
            .instance(&kernel, 27 | 4 << 8 | 1 << 11)
            .expect("a key");
        assert_eq!(one.kernel, "op<TypeFromId<27>::type, 9, 1>");
        assert_eq!(one.arguments, "T = ge::C_DT_BF16, N = 9, B = true");
        let (all, count) = keys.instances(&kernel).expect("instances");
        assert_eq!(count, 2);
        for one in &all {
            let again = keys.instance(&kernel, one.key).expect("its key");
            assert_eq!(again.kernel, one.kernel);
        }
        for (key, part) in [
            (0, "(T = C_DT_FLOAT, N = 1, B = 0)"),
            (27 | 5 << 8, "N has no value at place 5, only 5 values"),
            (u64::MAX, "4503599627370495 above all parameters"),
        ] {
            let error = keys.instance(&kernel, key).expect_err("no combination");
            assert!(error.message().contains(part), "{key}: {}", error.message());
        }
    }

    #[test]
    fn declarations_that_no_build_takes_are_refused() {
        let uint = |words: &str| format!("ascendc_cpu_tpl(\"UINT\", \"N\", {words})");
        let chosen = |words: &str| format!("ascendc_cpu_tpl(\"ARGS_SEL\", \"\", {words})");
        let wide: Vec<String> = (0..9)
            .map(|i| format!("ascendc_cpu_tpl(\"DTYPE\", \"D{i}\", 1)"))
            .collect();
        for (declared, selected, part) in [
            (
                uint("0, 1, 2"),
                String::new(),
                "gives `N` `0` bits; allowed are 1 to 64",
            ),
            (
                uint("1, 1, 2, 3, 4"),
                String::new(),
                "gives `N` 1 bits, too few for its values 2, 3, 4",
            ),
            (
                uint("4, 1, A"),
                String::new(),
                "`A` of template parameter `N` is no number",
            ),
            (
                uint("4, 1, 2 + 3"),
                String::new(),
                "`2 + 3` of template parameter `N` is no number",
            ),
            (uint("4, 1, 2, 2"), String::new(), "`N` lists 2 twice"),
            (uint("4, 1"), String::new(), "`N` has no values"),
            (
                uint("4, 0, 2, 1, 3"),
                String::new(),
                "the values of template parameter `N` are (0, 2, 1, 3)",
            ),
            (
                uint("4, 3, 2"),
                String::new(),
                "allowed are ASCENDC_TPL_UI_LIST and numbers",
            ),
            (
                format!("{0}, {0}", uint("4, 1, 2")),
                String::new(),
                "declares `N` twice",
            ),
            (
                wide.join(", "),
                String::new(),
                "takes 72 bits; a key has 64",
            ),
            (
                "other".into(),
                String::new(),
                "`other` in ASCENDC_TPL_ARGS_DECL is no ASCENDC_TPL_ macro",
            ),
            (
                "ascendc_cpu_tpl(\"KERNEL_TYPE\", \"kernel_type\", 0)".into(),
                String::new(),
                "holds a KERNEL_TYPE, which belongs into ASCENDC_TPL_ARGS_SEL",
            ),
            (uint("4, 1, 2"), chosen(""), "chooses no value for `N`"),
            (
                uint("4, 1, 2"),
                chosen(&uint("1, 3")),
                "ASCENDC_TPL_SEL chooses 3 for `N`, ASCENDC_TPL_ARGS_DECL declares 2",
            ),
            (
                uint("4, 1, 2"),
                chosen("ascendc_cpu_tpl(\"BOOL\", \"N\", 1)"),
                "`N` is BOOL in ASCENDC_TPL_SEL and UINT in ASCENDC_TPL_ARGS_DECL",
            ),
            (
                uint("4, 1, 2"),
                chosen("ascendc_cpu_tpl(\"BOOL\", \"M\", 1)"),
                "ASCENDC_TPL_SEL chooses `M`, ASCENDC_TPL_ARGS_DECL declares N",
            ),
            (
                uint("4, 1, 2, 4"),
                format!("{}, {}", chosen(&uint("1, 2, 4")), chosen(&uint("1, 4"))),
                "ASCENDC_TPL_SEL lists (N = 4) twice",
            ),
        ] {
            let error = read(&declared, &selected).expect_err(part);
            assert!(error.contains(part), "{declared} {selected}: {error}");
        }
        let alone = TemplateKeys::read(&format!(
            "ascendc_cpu_tpl(\"ARGS_DECL\", \"Op\", {})",
            uint("4, 1, 2")
        ));
        let error = alone.expect_err("no selection");
        let said = error.message();
        assert!(said.contains("comes without ASCENDC_TPL_SEL"), "{said}");
    }

    #[test]
    fn combinations_of_cube_cores_and_deterministic_computation_do_not_run() {
        let declared = "ascendc_cpu_tpl(\"SHARED_KERNEL_TYPE\", \"K\", 0, 7), ascendc_cpu_tpl(\"BOOL\", \"B\", 0, 1)";
        let selected = "ascendc_cpu_tpl(\"ARGS_SEL\", \"\", ascendc_cpu_tpl(\"SHARED_KERNEL_TYPE\", \"K\", 0, 7), \
             ascendc_cpu_tpl(\"BOOL\", \"B\", 0)), \
             ascendc_cpu_tpl(\"ARGS_SEL\", \"\", ascendc_cpu_tpl(\"DETERMINISTIC\", \"deterministic\", true), \
             ascendc_cpu_tpl(\"SHARED_KERNEL_TYPE\", \"K\", 0), ascendc_cpu_tpl(\"BOOL\", \"B\", 1))";
        let keys = read(declared, selected).expect("keys");
        let kernel = scanned("template <int K, int B>");
        assert_eq!(
            keys.instance(&kernel, 0).expect("it runs").kernel,
            "op<0, 0>"
        );
        for (key, part) in [
            (7, "runs on cube cores (its kernel type is 7)"),
            (256, "is of deterministic computation"),
        ] {
            let error = keys.instance(&kernel, key).expect_err(part);
            assert!(error.message().contains(part), "{}", error.message());
        }
        let (all, count) = keys.instances(&kernel).expect("one runs");
        assert_eq!((all.len(), count), (1, 3));
        let other = keys.instance(&scanned("template <int K>"), 0);
        let error = other.expect_err("one parameter");
        assert!(
            error.message().contains(
                "has 1 template parameters (int K), ASCENDC_TPL_ARGS_DECL declares 2 (K, B)"
            ),
            "{error}"
        );
    }
}
