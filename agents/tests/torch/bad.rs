//! Errors for models that do not fit.

use std::path::PathBuf;
use std::sync::LazyLock;

use jantaku_agents::encode::PlanesV1;
use jantaku_agents::neural::torch::{TorchSettings, open};
use jantaku_agents::neural::{Device, Encoded, Encoder, EvaluatorError, Inputs, Outputs};
use ndarray::Array3;

use crate::{folder, manifest, python};

/// The folder with the models.
static MODELS: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = folder("bad");
    python("bad_models.py", &[&folder]);
    folder
});

#[test]
fn models_that_do_not_fit_are_refused() {
    let manifest = manifest(Encoder::PlanesV1);
    let cpu = TorchSettings::of(Device::Cpu);
    let bf16 = TorchSettings { bf16: true, ..cpu };
    let said = |name: &str, settings| {
        let file = MODELS.join(format!("{name}.pt"));
        let error = open(&file, &manifest, settings).err().map(|error| error.to_string());
        error.map(|error| {
            let rest = error.strip_prefix(&format!("{}: ", file.display()));
            rest.unwrap_or_else(|| panic!("{name}: no file in `{error}`")).to_owned()
        })
    };
    assert_eq!(said("Good", cpu), None);
    assert_eq!(said("Frozen", cpu), None);
    assert_eq!(said("Good", bf16), None);
    assert_eq!(said("MinusInfinity", cpu), None);
    assert_eq!(said("MinusInfinity", bf16), None);
    let saved = "expected a TorchScript file; save a scripted or traced module with torch.jit.save; \
                 torch.save writes another format";
    let named = "expected a TorchScript file; name the file that torch.jit.save wrote";
    let inputs = "expected a model that reads `planes-v1` as f32; export the model with the inputs that \
                  agents/docs/networks.md describes";
    let export = "export the model again, or correct its manifest";
    let weights = "expected finite weights; training has diverged: take an earlier checkpoint";
    let not_finite = "output `policy` of forward: found a number that is not finite for an empty decision, \
                      expected finite numbers";
    for (name, expected) in [
        ("Missing", format!("model: found no such file, {named}")),
        ("Folder", format!("model: found no file but a folder, {named}")),
        (
            "Text",
            format!(
                "model: found PytorchStreamReader failed reading zip archive: not a ZIP archive, {saved}"
            ),
        ),
        (
            "Truncated",
            format!(
                "model: found PytorchStreamReader failed reading zip archive: failed finding central \
                 directory, {saved}"
            ),
        ),
        (
            "StateDict",
            format!(
                "model: found PytorchStreamReader failed locating file constants.pkl: file not found, {saved}"
            ),
        ),
        (
            "OtherChannels",
            format!(
                "forward: found Given groups=1, weight of size [4, 217, 1], expected input[2, 216, 34] to \
                 have 217 channels, but got 216 channels instead, {inputs}"
            ),
        ),
        (
            "OtherActions",
            format!(
                "output `policy` of forward: found the shape [2, 46] for 2 decisions, expected the shape \
                 [2, 165]; {export}"
            ),
        ),
        ("NanWeights", format!("weights `policy.weight`: found a number that is not finite, {weights}")),
        ("InfiniteOutputs", format!("{not_finite}; {export}")),
        ("NanOutputs", format!("{not_finite}; {export}")),
        (
            "NoValue",
            format!(
                "output `value` of forward: found no such output among `logits`, `policy`, expected a \
                 tensor; {export}"
            ),
        ),
        (
            "ColumnOfValues",
            format!(
                "output `value` of forward: found the shape [2, 1] for 2 decisions, expected the shape [2]; \
                 {export}"
            ),
        ),
        (
            "IntegerPolicy",
            format!("output `policy` of forward: found Int64, expected a float tensor; {export}"),
        ),
        ("SingleTensor", format!("forward: found a single tensor, expected Dict[str, Tensor]; {export}")),
        (
            "TupleOfTensors",
            format!("forward: found a tuple of 2 parts, expected Dict[str, Tensor]; {export}"),
        ),
        ("TwoInputs", format!("forward: found forward() is missing value for argument 'scalars', {inputs}")),
    ] {
        assert_eq!(said(name, cpu), Some(expected), "{name}");
    }
    let frozen = said("Frozen", bf16).expect("a frozen model keeps its weights");
    assert!(frozen.ends_with("without torch.jit.freeze, or play it in f32"), "{frozen}");

    // No machine has a hundred CUDA devices. On one without any the message shows that libtorch_cuda
    // is loaded, although no symbol of it is used.
    let cuda = said("Good", TorchSettings::of(Device::Cuda(99))).expect("there is no such device");
    let without = "device cuda:99: found no CUDA device or no driver for it, expected a CUDA device; play \
                   with device=cpu, or see what nvidia-smi says";
    let few = "CUDA devices, numbered from 0, expected a CUDA device; name one of them, as in device=cuda:0";
    assert!(cuda == without || cuda.ends_with(few), "{cuda}");
}

#[test]
fn answers_that_are_not_finite_are_refused() {
    let file = MODELS.join("InfiniteForSome.pt");
    let mut model = open(&file, &manifest(Encoder::PlanesV1), TorchSettings::of(Device::Cpu))
        .expect("it answers empty decisions");
    let mut outputs = Outputs::new();
    outputs.reset(2);
    let mut planes = Array3::zeros((2, PlanesV1::CHANNELS, 34));
    let answer = model.evaluate(Inputs::Planes(planes.view()), outputs.view_mut());
    assert_eq!(answer, Ok(()));
    planes[[1, 0, 0]] = 1;
    let answer = model.evaluate(Inputs::Planes(planes.view()), outputs.view_mut());
    let said = "output `value` of forward: found a number that is not finite";
    assert_eq!(answer, Err(EvaluatorError::Failed(format!("{}: {said}", file.display()))));
}

#[test]
fn inputs_of_another_encoder_are_refused() {
    let file = MODELS.join("Good.pt");
    let mut model =
        open(&file, &manifest(Encoder::PlanesV1), TorchSettings::of(Device::Cpu)).expect("the model opens");
    let mut outputs = Outputs::new();
    outputs.reset(3);
    let mut encoded = Encoded::new(Encoder::SparseV1);
    encoded.reset(3);
    let answer = model.evaluate(encoded.inputs(), outputs.view_mut());
    let expected = EvaluatorError::Encoder { expected: Encoder::PlanesV1, found: Encoder::SparseV1 };
    assert_eq!(answer, Err(expected));
    encoded = Encoded::new(Encoder::PlanesV1);
    encoded.reset(2);
    let answer = model.evaluate(encoded.inputs(), outputs.view_mut());
    assert!(matches!(answer, Err(EvaluatorError::Shape(_))), "{answer:?}");
}
