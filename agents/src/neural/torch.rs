//! Networks in `TorchScript`, evaluated by libtorch on the processor or on a CUDA device.

use std::num::NonZeroUsize;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use jantaku_engine::{ActionId, Game, Observation};
use tch::{CModule, Cuda, IValue, Kind, TchError, Tensor};

use super::{Device, Evaluator, EvaluatorError, Manifest, ModelError, OutputsMut};
use crate::encode::{ArrayKind, ArraySpec, Channel, Encoder, Inputs, Rows};
use crate::field_name;

/// How a `TorchScript` model is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TorchSettings {
    /// Where it runs.
    pub device: Device,
    /// Whether its weights and inputs are converted to bf16, which CUDA devices multiply fastest.
    /// A frozen model keeps its weights as they are and cannot be converted.
    pub bf16: bool,
    /// The threads of libtorch for one operation on the processor. They are libtorch's own, not
    /// rayon's, and all models of the process share the number that was set last. None leaves it to
    /// libtorch, which takes as many as the processor has cores, or `OMP_NUM_THREADS`.
    pub threads: Option<NonZeroUsize>,
}

impl TorchSettings {
    /// The usual settings for a device: bf16 on CUDA, and the number of threads that libtorch takes.
    pub fn of(device: Device) -> TorchSettings {
        TorchSettings { device, bf16: matches!(device, Device::Cuda(_)), threads: None }
    }
}

/// Opens the `TorchScript` model of a file and evaluates the first turns of a few games for trial.
///
/// Its `forward` takes the arrays of the encoder as tensors, in order:
///
/// - planes as floats, decisions × channels × 34: each byte times the [`scale`](Channel::scale) of
///   its channel
/// - a list of features as `torch.nn.EmbeddingBag` takes it: the active features of all decisions
///   one after the other (int64), and where each decision begins (int64)
/// - scalars as floats, decisions × scalars
///
/// It returns a `Dict[str, Tensor]`: `policy`, decisions × 165 logits, `value` with one number for
/// each decision if the manifest has a value, and the other heads of the manifest.
///
/// # Errors
///
/// If the device is absent, the file has no such model, it returns something else than the manifest
/// says, or a weight or an output is not finite. Only a logit may be minus infinity.
pub fn open(
    file: &Path,
    manifest: &Manifest,
    settings: TorchSettings,
) -> Result<Box<dyn Evaluator>, ModelError> {
    // Some functions of tch panic where torch reports an error.
    let opened = catch_unwind(|| TorchModel::open(file, manifest, settings));
    let opened = opened.unwrap_or_else(|_| {
        let (found, expected) = ("an error of torch, which is shown above", "a model that torch can run");
        Err(ModelError::new(file, "model", found, expected, "export the model again"))
    });
    Ok(Box::new(opened?))
}

/// A `TorchScript` model on its device.
struct TorchModel {
    module: CModule,
    file: PathBuf,
    encoder: Encoder,
    device: tch::Device,
    kind: Kind,
    /// What the bytes of each channel are multiplied with: channels × 1.
    scale: Tensor,
    has_value: bool,
    /// The features of a sparse batch, one decision after the other.
    active: Vec<i16>,
    /// Where the features of each decision begin.
    offsets: Vec<i64>,
}

impl TorchModel {
    fn open(file: &Path, manifest: &Manifest, settings: TorchSettings) -> Result<TorchModel, ModelError> {
        let device = find_device(settings.device).map_err(|Absent { found, advice }| {
            ModelError::new(file, format!("device {}", settings.device), found, "a CUDA device", advice)
        })?;
        if !file.is_file() {
            let found = if file.exists() { "no file but a folder" } else { "no such file" };
            let advice = "name the file that torch.jit.save wrote";
            return Err(ModelError::new(file, "model", found, "a TorchScript file", advice));
        }
        if let Some(threads) = settings.threads {
            tch::set_num_threads(i32::try_from(threads.get()).unwrap_or(i32::MAX));
        }
        // Without profiles, torch plans a model once, not again for each batch size.
        tch::jit::set_profiling_mode(false);
        let module = load(file, device)?;
        check_weights(file, &module)?;
        let kind = if settings.bf16 { Kind::BFloat16 } else { Kind::Float };
        let encoder = manifest.encoder();
        let mut model = TorchModel {
            module,
            file: file.to_owned(),
            encoder,
            device,
            kind,
            scale: scale(encoder, device),
            has_value: manifest.heads.value.is_some(),
            active: Vec::new(),
            offsets: Vec::new(),
        };
        model.module.set_eval();
        model.module.to(device, kind, false);
        model.check_outputs(manifest)?;
        Ok(model)
    }

    /// Evaluates the first turns of games in batches of two sizes, and compares what the model returns
    /// with its manifest.
    fn check_outputs(&mut self, manifest: &Manifest) -> Result<(), ModelError> {
        let rules = manifest.rules.rules().unwrap_or_default();
        let games: Vec<Game> = (0..TRIAL).map(|seed| Game::new(&rules, seed)).collect();
        let first_turns: Vec<Observation<'_>> =
            games.iter().map(|game| game.observe(game.table().dealer())).collect();
        let mut rows = Rows::new(self.encoder);
        for first_turns in [&first_turns[..], &first_turns[..1]] {
            rows.encode(first_turns, |o| o);
            self.check_batch(rows.inputs(), manifest)?;
        }
        Ok(())
    }

    fn check_batch(&mut self, inputs: Inputs<'_>, manifest: &Manifest) -> Result<(), ModelError> {
        let rows = inputs.rows() as i64;
        let outputs = self.forward(inputs);
        let failed = |error: &TchError| {
            let (numbers, advice) = match self.kind {
                Kind::BFloat16 => ("bf16", "export the model without torch.jit.freeze, or play it in f32"),
                _ => ("f32", "export the model with the inputs that agents/docs/networks.md describes"),
            };
            let expected = format!("a model that reads `{}` as {numbers}", self.encoder);
            ModelError::new(&self.file, "forward", reason(error), expected, advice)
        };
        let outputs = outputs.map_err(|error| failed(&error))?;
        let heads = Returned::new(outputs).map_err(|found| self.wrong("forward", found, DICTIONARY))?;
        let policy = ("policy", vec![ActionId::COUNT as i64]);
        let value = manifest.heads.value.as_ref().map(|_| ("value", Vec::new()));
        let others = manifest.heads.others.iter();
        let others =
            others.map(|(name, shape)| (name.as_str(), shape.iter().map(|len| *len as i64).collect()));
        for (name, shape) in [policy].into_iter().chain(value).chain(others) {
            let place = format!("output `{name}` of forward");
            let Some(head) = heads.named(name) else {
                return Err(self.wrong(place, heads.names(), "a tensor"));
            };
            let expected = [vec![rows], shape].concat();
            if head.size() != expected {
                let [found, expected] = [head.size(), expected].map(|shape| format!("the shape {shape:?}"));
                let decisions = if rows == 1 { "decision" } else { "decisions" };
                return Err(self.wrong(place, format!("{found} for {rows} {decisions}"), expected));
            }
            if !is_float(head) {
                return Err(self.wrong(place, format!("{:?}", head.kind()), "a float tensor"));
            }
            // A model may give illegal actions minus infinity.
            let is_good = match name {
                "policy" => head.f_relu().and_then(|head| is_finite(&head)),
                _ => is_finite(head),
            };
            if !is_good.map_err(|error| failed(&error))? {
                let found = "a number that is not finite for the first turn of a game";
                return Err(self.wrong(place, found, "finite numbers"));
            }
        }
        Ok(())
    }

    /// The error for a model with wrong outputs.
    fn wrong(
        &self,
        place: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> ModelError {
        ModelError::new(&self.file, place, found, expected, "export the model again, or correct its manifest")
    }

    /// What the model returns for a batch.
    fn forward(&mut self, inputs: Inputs<'_>) -> Result<IValue, TchError> {
        let _no_grad = tch::no_grad_guard();
        let tensors = self.tensors(inputs)?;
        self.module.forward_is(&tensors)
    }

    /// The arrays of the inputs as tensors on the device.
    fn tensors(&mut self, inputs: Inputs<'_>) -> Result<Vec<IValue>, TchError> {
        let (mut tensors, mut arrays) = (Vec::new(), inputs.arrays());
        while let Some((spec, array)) = arrays.next() {
            let size: Vec<i64> = [inputs.rows()].iter().chain(spec.shape).map(|axis| *axis as i64).collect();
            match spec.kind {
                ArrayKind::Planes | ArrayKind::Actions => tensors.push(self.planes(array.of(), &size)?),
                ArrayKind::Features(_) => {
                    let counts = arrays.next().expect("counts follow a list of features").1;
                    tensors.extend(self.features(spec, array.of(), counts.of())?);
                }
                ArrayKind::Counts => unreachable!("counts follow a list of features"),
                ArrayKind::Scalars => {
                    let scalars = Tensor::f_from_slice(array.of::<f32>())?.f_view(&size[..])?;
                    tensors.push(scalars.f_to_device(self.device)?.f_to_kind(self.kind)?);
                }
            }
        }
        Ok(tensors.into_iter().map(IValue::Tensor).collect())
    }

    /// Sends the bytes to the device and scales them there.
    fn planes(&self, bytes: &[u8], size: &[i64]) -> Result<Tensor, TchError> {
        let bytes = Tensor::f_from_data_size(bytes, size, Kind::Uint8)?.f_to_device(self.device)?;
        bytes.f_mul(&self.scale)?.f_to_kind(self.kind)
    }

    /// Sends the features as i16, because not all backends of torch have u16, and widens them on the
    /// device.
    fn features(
        &mut self,
        spec: &ArraySpec,
        active: &[u16],
        counts: &[u16],
    ) -> Result<[Tensor; 2], TchError> {
        self.active.clear();
        self.offsets.clear();
        for (active, count) in active.chunks_exact(spec.width()).zip(counts) {
            self.offsets.push(self.active.len() as i64);
            self.active.extend(active[..usize::from(*count)].iter().map(|feature| *feature as i16));
        }
        let active = Tensor::f_from_slice(&self.active)?.f_to_device(self.device)?.f_to_kind(Kind::Int64)?;
        Ok([active, Tensor::f_from_slice(&self.offsets)?.f_to_device(self.device)?])
    }

    /// Copies an output into the caller's array and checks its numbers.
    fn copy(&self, heads: &Returned, name: &str, out: &mut [f32]) -> Result<(), EvaluatorError> {
        let wrong = |found: String, expected: &str| {
            let place = format!("output `{name}` of forward");
            EvaluatorError::Failed(self.wrong(place, found, expected).to_string())
        };
        let head = heads.named(name).ok_or_else(|| wrong(heads.names(), "a tensor"))?;
        if head.numel() != out.len() {
            return Err(wrong(format!("{} numbers", head.numel()), &out.len().to_string()));
        }
        let to_host = || head.f_to_kind(Kind::Float)?.f_to_device(tch::Device::Cpu)?.f_contiguous();
        let copied = to_host().and_then(|head| head.f_copy_data(out, out.len()));
        copied.map_err(|error| self.failed(&error))?;
        // A number that is not finite stays so in the sum of the products with 0.
        let is_finite = out.iter().map(|number| number * 0.0).sum::<f32>() == 0.0;
        // The agent checks the logits of legal actions; a model may give others minus infinity.
        if is_finite || name == "policy" {
            return Ok(());
        }
        Err(wrong("a number that is not finite".to_owned(), "finite numbers"))
    }

    /// The error for a model that fails in play.
    fn failed(&self, error: &TchError) -> EvaluatorError {
        let advice = format!(
            "export a model that answers any batch, or play with a smaller {} if memory ran out",
            field_name("tables")
        );
        let error = ModelError::new(&self.file, "forward", reason(error), "an answer", advice);
        EvaluatorError::Failed(error.to_string())
    }
}

/// What `forward` has to return.
const DICTIONARY: &str = "Dict[str, Tensor]";

/// The games of the trial. More than one shows a model that mixes up rows and other axes.
const TRIAL: u64 = 3;

impl Evaluator for TorchModel {
    fn encoder(&self) -> Option<Encoder> {
        Some(self.encoder)
    }

    fn evaluate(&mut self, inputs: Inputs<'_>, mut out: OutputsMut<'_>) -> Result<(), EvaluatorError> {
        inputs.expect(self.encoder(), &out)?;
        if inputs.rows() == 0 {
            return Ok(());
        }
        let outputs = self.forward(inputs).map_err(|error| self.failed(&error))?;
        let heads = Returned::new(outputs)
            .map_err(|found| EvaluatorError::Failed(self.wrong("forward", found, DICTIONARY).to_string()))?;
        let contiguous = "the rows of outputs lie one after the other";
        self.copy(&heads, "policy", out.policy.as_slice_mut().expect(contiguous))?;
        if self.has_value {
            self.copy(&heads, "value", out.value.as_slice_mut().expect(contiguous))?;
        } else {
            out.value.fill(0.0);
        }
        Ok(())
    }
}

/// What a model returned: tensors by name.
struct Returned(Vec<(String, Tensor)>);

impl Returned {
    /// The entries of a dictionary of tensors. The error names what the model returned instead.
    fn new(outputs: IValue) -> Result<Returned, String> {
        let IValue::GenericDict(entries) = outputs else {
            return Err(match outputs {
                IValue::Tensor(_) => "a single tensor".to_owned(),
                IValue::Tuple(parts) => format!("a tuple of {} parts", parts.len()),
                _ => "neither a dictionary, a tuple nor a tensor".to_owned(),
            });
        };
        let heads = entries.into_iter().map(|entry| match entry {
            (IValue::String(name), IValue::Tensor(head)) => Ok((name, head)),
            _ => Err("a dictionary with other entries".to_owned()),
        });
        Ok(Returned(heads.collect::<Result<_, _>>()?))
    }

    fn named(&self, name: &str) -> Option<&Tensor> {
        self.0.iter().find(|head| head.0 == name).map(|(_, head)| head)
    }

    /// The outputs that exist, for the error about a missing one.
    fn names(&self) -> String {
        let names: Vec<String> = self.0.iter().map(|(name, _)| format!("`{name}`")).collect();
        if names.is_empty() { "no outputs".to_owned() } else { format!("only {}", names.join(", ")) }
    }
}

/// Reads a `TorchScript` file.
fn load(file: &Path, device: tch::Device) -> Result<CModule, ModelError> {
    CModule::load_on_device(file, device).map_err(|error| {
        let advice = "save a scripted or traced module with torch.jit.save; torch.save writes another format";
        ModelError::new(file, "model", reason(&error), "a TorchScript file", advice)
    })
}

fn check_weights(file: &Path, module: &CModule) -> Result<(), ModelError> {
    let failed = |error: TchError| {
        ModelError::new(file, "weights", reason(&error), "tensors by name", "export the model again")
    };
    for (name, weights) in module.named_parameters().map_err(failed)? {
        if !is_finite(&weights).map_err(failed)? {
            let (found, expected) = ("a number that is not finite", "finite weights");
            let advice = "training has diverged: take an earlier checkpoint";
            return Err(ModelError::new(file, format!("weights `{name}`"), found, expected, advice));
        }
    }
    Ok(())
}

/// What a byte of each channel is multiplied with, as a tensor of channels × 1 on the device.
fn scale(encoder: Encoder, device: tch::Device) -> Tensor {
    let scale: Vec<f32> = encoder.table().channels.iter().map(Channel::scale).collect();
    Tensor::from_slice(&scale).unsqueeze(-1).to_device(device)
}

fn is_float(tensor: &Tensor) -> bool {
    matches!(tensor.kind(), Kind::Float | Kind::Double | Kind::Half | Kind::BFloat16)
}

/// Whether all numbers of a tensor are finite. Numbers of other types than floats always are.
fn is_finite(tensor: &Tensor) -> Result<bool, TchError> {
    Ok(!is_float(tensor) || tensor.f_isfinite()?.f_all()?.f_int64_value(&[])? == 1)
}

/// Why there is no such device, and what to do.
struct Absent {
    found: String,
    advice: &'static str,
}

/// The folder of libtorch's libraries, as the build script found it.
const LIBRARIES: &str = env!("JANTAKU_LIBTORCH");

fn find_device(device: Device) -> Result<tch::Device, Absent> {
    let absent = |found: &str, advice| Err(Absent { found: found.to_owned(), advice });
    let Device::Cuda(number) = device else {
        return Ok(tch::Device::Cpu);
    };
    // The runtime is known only once libtorch_cuda is loaded.
    if !tch::utils::has_cudart() {
        return if Path::new(LIBRARIES).join("libtorch_cuda.so").exists() {
            let found = "a program that was linked without libtorch_cuda, although it is installed";
            absent(found, "link it with -Wl,--no-as-needed -ltorch_cuda, as agents/build.rs does")
        } else {
            let found = "a libtorch without CUDA";
            absent(found, "run `make torch` and build again, or play with device=cpu")
        };
    }
    match usize::try_from(Cuda::device_count()).unwrap_or(0) {
        0 => {
            absent("no CUDA device or no driver for it", "play with device=cpu, or see what nvidia-smi says")
        }
        count if number >= count => {
            absent(&format!("{count} CUDA devices, numbered from 0"), "name one of them, as in device=cuda:0")
        }
        _ => Ok(tch::Device::Cuda(number)),
    }
}

/// The first sentence of a torch error, without the trace of C++ functions.
fn reason(error: &TchError) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("Internal torch error: ").unwrap_or(&text);
    let says = |line: &&str| line.starts_with("RuntimeError: ") || line.contains("Error: ");
    let line = text.lines().find(says).or_else(|| text.lines().next()).unwrap_or_default();
    let line = line.strip_prefix("RuntimeError: ").unwrap_or(line).trim();
    let place = line.strip_prefix("[enforce fail at ").and_then(|rest| rest.split_once("] . "));
    let line = place.map_or(line, |(_, says)| says);
    let sentence = line.split_once(". ").map_or(line, |(first, _)| first);
    sentence.trim_end_matches('.').to_owned()
}
