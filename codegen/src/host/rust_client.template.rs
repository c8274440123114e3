/// A tensor of the operator.
struct Parameter {
    name: &'static str,
    is_read: bool,
    /// Element type and its bytes, of each combination.
    types: &'static [(aclDataType, usize)],
}

/// A failure before a call.
#[derive(Debug)]
enum Trouble {
    /// Words that the program does not know, or lacks.
    Words,
    File(String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::Words => f.write_str(USAGE),
            Trouble::File(said) => f.write_str(said),
        }
    }
}

impl Error for Trouble {}

/// The words of the command line, by their names.
struct Words(BTreeMap<String, String>);

impl Words {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, Trouble> {
        let mut all = BTreeMap::new();
        while let Some(word) = words.next() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name.to_string(), value.to_string()),
                None => (word, words.next().ok_or(Trouble::Words)?),
            };
            if !WORDS.split(' ').any(|known| known == name) {
                return Err(Trouble::Words);
            }
            all.insert(name, value);
        }
        Ok(Words(all))
    }

    /// Which combination of element types is meant.
    fn instance(&self) -> Result<usize, Trouble> {
        let named = self.0.get("--dtype").map_or("", String::as_str);
        let at = DTYPES.split(' ').position(|dtypes| dtypes == named);
        at.ok_or(Trouble::Words)
    }

    /// A value, or its default.
    fn value<T: FromStr>(&self, name: &str, default: Option<T>) -> Result<T, Trouble> {
        match self.0.get(name) {
            Some(text) => text.parse().map_err(|_| Trouble::Words),
            None => default.ok_or(Trouble::Words),
        }
    }

    /// The sizes of a tensor, `32x1024`; none where it is left out.
    fn shape(&self, parameter: &Parameter) -> Result<Option<Vec<i64>>, Trouble> {
        let Some(text) = self.0.get(parameter.name) else {
            return Ok(None);
        };
        let sizes = text.split('x').filter(|_| !text.is_empty());
        let shape: Option<Vec<i64>> = sizes.map(|n| n.parse().ok().filter(|n| *n >= 0)).collect();
        shape.map(Some).ok_or(Trouble::Words)
    }
}

/// The library of the installed operator: several packages may have one of this name.
fn library() -> PathBuf {
    let is_ours = |folder: &PathBuf| folder.join("op_api/include").join(HEADER).is_file();
    let custom = std::env::var_os("ASCEND_CUSTOM_OPP_PATH").unwrap_or_default();
    let vendor = std::env::var_os("ASCEND_OPP_PATH").unwrap_or_default();
    let vendor = PathBuf::from(vendor).join("vendors/customize");
    let mut folders = std::env::split_paths(&custom).chain([vendor]);
    match folders.find(is_ours) {
        Some(folder) => folder.join("op_api/lib/libcust_opapi.so"),
        // The system's loader looks for it.
        None => "libcust_opapi.so".into(),
    }
}

/// A tensor on the device.
struct Held {
    parameter: &'static Parameter,
    shape: Vec<i64>,
    dtype: aclDataType,
    buffer: DeviceBuffer<u8>,
}

impl Held {
    fn new(
        context: &Context,
        parameter: &'static Parameter,
        instance: usize,
        shape: Vec<i64>,
    ) -> Result<Self, Box<dyn Error>> {
        let (dtype, bytes) = parameter.types[instance];
        let product = |all: usize, size: &i64| all.checked_mul(usize::try_from(*size).ok()?);
        let bytes = shape
            .iter()
            .try_fold(bytes, product)
            .ok_or(Trouble::Words)?;
        let buffer = match parameter.is_read {
            true => DeviceBuffer::from_slice(context, &read(parameter.name, bytes)?)?,
            false => DeviceBuffer::uninit(context, bytes)?,
        };
        Ok(Held {
            parameter,
            shape,
            dtype,
            buffer,
        })
    }

    fn tensor(&self) -> Result<Tensor<'_>, jumar_acl::Error> {
        Tensor::of_bytes(&self.buffer, &self.shape, self.dtype)
    }

    fn write(&self) -> Result<(), Box<dyn Error>> {
        let path = format!("output_{}.bin", self.parameter.name);
        let bytes = self.buffer.to_vec()?;
        std::fs::write(&path, bytes).map_err(|e| Trouble::File(format!("{path}: {e}")).into())
    }
}

fn read(name: &str, bytes: usize) -> Result<Vec<u8>, Trouble> {
    let path = format!("input_{name}.bin");
    let elements = std::fs::read(&path).map_err(|e| Trouble::File(format!("{path}: {e}")))?;
    match elements.len() == bytes {
        true => Ok(elements),
        false => Err(Trouble::File(format!(
            "{path} must hold exactly {bytes} bytes"
        ))),
    }
}

fn main() -> ExitCode {
    let words = Words::parse(std::env::args().skip(1));
    let Err(error) = words.map_err(Into::into).and_then(|words| run(&words)) else {
        return ExitCode::SUCCESS;
    };
    eprintln!("{error}");
    match error.downcast_ref() {
        Some(Trouble::Words) => ExitCode::from(2),
        Some(Trouble::File(_)) | None => ExitCode::from(1),
    }
}
