//! Models by name: files, and the evaluators that need none.

use std::fs;
use std::path::Path;

use jantaku_engine::named_enum;

use super::manifest::either;
#[cfg(feature = "torch")]
use super::torch::{self, TorchSettings};
use super::{CpuModel, Device, Evaluator, Manifest, ModelError, Precision, Uniform};
use crate::ParameterFile;
use crate::encode::Encoder;
use crate::error::BuildError;

/// How a model is to be evaluated.
#[derive(Clone, Copy, Debug)]
pub struct ModelSettings {
    /// Where it is evaluated.
    pub device: Device,
    /// The numbers that it computes with. None for bf16 on CUDA devices, and f32 on the processor.
    pub precision: Option<Numbers>,
}

named_enum! {
    /// The numbers that a model computes with.
    Numbers {
        /// 32-bit floats.
        F32 = "f32",
        /// Bytes with integer sums.
        Int8 = "int8",
        /// 16-bit floats with the range of 32 bits.
        Bf16 = "bf16",
    }
}

/// A model that is ready to play.
pub struct OpenedModel {
    /// The evaluator.
    pub evaluator: Box<dyn Evaluator>,
    /// What it was trained for. None for an evaluator without a model.
    pub manifest: Option<Manifest>,
    /// The files that it comes from.
    pub files: Vec<ParameterFile>,
}

/// Opens the model that an option names: a file, `uniform`, or `uniform-` and the name of an
/// encoder, such as `uniform-planes-v1`.
///
/// # Errors
///
/// If there is no such model, its file or manifest is wrong, or it cannot be evaluated with these settings.
pub fn open_model(model: &str, settings: ModelSettings) -> Result<OpenedModel, BuildError> {
    let path = Path::new(model);
    if let Some(rest) = model.strip_prefix("uniform") {
        let encoder = rest.strip_prefix('-').and_then(Encoder::named);
        if rest.is_empty() || encoder.is_some() {
            return open_uniform(path, encoder, settings);
        }
    }
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("safetensors") => open_safetensors(path, settings),
        Some("pt") => open_torch_script(path, settings),
        _ => {
            let uniform = Encoder::ALL.iter().map(|encoder| format!("`uniform-{encoder}`"));
            let names = ["a .safetensors file", "a .pt file", "`uniform`"].map(str::to_owned);
            let expected = either(names.into_iter().chain(uniform));
            let advice = "export the model as agents/docs/networks.md describes";
            Err(ModelError::new(path, "model", "a name without a known ending", expected, advice).into())
        }
    }
}

/// The uniform evaluator, for inputs of the encoder, or without inputs.
fn open_uniform(
    name: &Path,
    encoder: Option<Encoder>,
    settings: ModelSettings,
) -> Result<OpenedModel, BuildError> {
    let option = |option: &str, found: &str, expected: &str| {
        ModelError::new(name, format!("option {option}"), found, expected, "leave the option out")
    };
    if settings.device != Device::Cpu {
        let expected = "cpu for an evaluator without a network";
        return Err(option("device", &settings.device.to_string(), expected).into());
    }
    if let Some(precision) = settings.precision {
        return Err(option("precision", precision.name(), "none for an evaluator without a network").into());
    }
    Ok(OpenedModel { evaluator: Box::new(Uniform::new(encoder)), manifest: None, files: Vec::new() })
}

fn open_safetensors(path: &Path, settings: ModelSettings) -> Result<OpenedModel, BuildError> {
    let option = |name: &str, found: &str, expected: &str, advice: &str| {
        ModelError::new(path, format!("option {name}"), found, expected, advice)
    };
    if settings.device != Device::Cpu {
        let advice = "export the model as TorchScript, to a .pt file, for other devices";
        return Err(option("device", &settings.device.to_string(), "cpu for .safetensors", advice).into());
    }
    let precision = match settings.precision {
        None | Some(Numbers::F32) => Precision::F32,
        Some(Numbers::Int8) => Precision::Int8,
        Some(Numbers::Bf16) => {
            let advice = "choose one of them, or leave the option out";
            return Err(option("precision", "bf16", "f32 or int8 for .safetensors", advice).into());
        }
    };
    let contents = read_model(path)?;
    let (model, manifest) = CpuModel::parse(path, &contents, precision)?;
    Ok(OpenedModel {
        evaluator: Box::new(model),
        manifest: Some(manifest),
        files: vec![ParameterFile::new(&format!("model={}", path.display()), &contents)],
    })
}

#[cfg(feature = "torch")]
fn open_torch_script(path: &Path, settings: ModelSettings) -> Result<OpenedModel, BuildError> {
    let mut torch = TorchSettings::of(settings.device);
    match settings.precision {
        None => {}
        Some(Numbers::F32) => torch.bf16 = false,
        Some(Numbers::Bf16) => torch.bf16 = true,
        Some(Numbers::Int8) => {
            let advice = "choose one of them, or leave the option out";
            let expected = "f32 or bf16 for .pt";
            return Err(ModelError::new(path, "option precision", "int8", expected, advice).into());
        }
    }
    let contents = read_model(path)?;
    let manifest = Manifest::beside(path)?;
    let side_file = Manifest::side_file(path);
    let recorded =
        |file: &Path, contents: &[u8]| ParameterFile::new(&format!("model={}", file.display()), contents);
    Ok(OpenedModel {
        evaluator: torch::open(path, &manifest, torch)?,
        manifest: Some(manifest),
        files: vec![recorded(path, &contents), recorded(&side_file, &read_model(&side_file)?)],
    })
}

#[cfg(not(feature = "torch"))]
fn open_torch_script(path: &Path, _: ModelSettings) -> Result<OpenedModel, BuildError> {
    read_model(path)?;
    let found = "a TorchScript file in a program or wheel without libtorch";
    let expected = "a program with the feature `torch`";
    let advice = "in Python, play it with `jantaku.train.player.player`, which needs the manifest beside it, or load it \
        with `torch.jit.load` and play it as a `jantaku.FunctionAgent`; for the program, run `make torch` and \
        `cargo build --release --features torch`";
    Err(ModelError::new(path, "model", found, expected, advice).into())
}

/// The contents of a model's file, which the option `model` names.
pub(crate) fn read_model(path: &Path) -> Result<Vec<u8>, ModelError> {
    let error = |found: String| {
        let advice = "give the option `model` the file's path, or put the file at this path";
        ModelError::new(path, "model", found, "a readable file", advice)
    };
    if path.is_dir() {
        return Err(error("a folder".to_owned()));
    }
    fs::read(path).map_err(|found| error(found.to_string()))
}
