//! Errors for models that do not fit.

use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::LazyLock;

use jantaku_agents::encode::{PlanesV1, Rows, SparseV1};
use jantaku_agents::neural::torch::{TorchSettings, open};
use jantaku_agents::neural::{Device, EvaluatorError, Outputs};

use crate::{folder, manifest, python, shared};

/// The folder with the models. Tests may run in processes of their own: the first one makes the models,
/// the others wait for them. A copy of the script says which models the folder holds.
static MODELS: LazyLock<PathBuf> = LazyLock::new(|| {
    let script = include_str!("bad_models.py");
    let lock = File::create(shared("bad.lock")).expect("a file is created");
    lock.lock().expect("the other processes release the lock");
    let made = shared("bad").join("made-by.py");
    if !fs::read_to_string(&made).is_ok_and(|made| made == script) {
        python("bad_models.py", &[&folder("bad")]);
        fs::write(made, script).expect("the copy is written");
    }
    shared("bad")
});

const CPU: TorchSettings = TorchSettings { device: Device::Cpu, bf16: false, threads: None };
const BF16: TorchSettings = TorchSettings { bf16: true, ..CPU };

const INPUTS: &str = "expected a model that reads `planes-v1` as f32; export the model with the inputs that \
                      agents/docs/networks.md describes";
const EXPORT: &str = "export the model again, or correct its manifest";

/// The message for a model, without its path.
fn said(name: &str, settings: TorchSettings) -> Option<String> {
    let file = MODELS.join(format!("{name}.pt"));
    let error = open(&file, &manifest(PlanesV1::ENCODER), settings).err()?.to_string();
    let rest = error.strip_prefix(&format!("{}: ", file.display()));
    Some(rest.unwrap_or_else(|| panic!("{name}: no file in `{error}`")).to_owned())
}

#[track_caller]
fn refused(messages: &[(&str, String)]) {
    for (name, expected) in messages {
        assert_eq!(said(name, CPU).as_ref(), Some(expected), "{name}");
    }
}

#[test]
fn good_models_open() {
    for (name, settings) in
        [("Good", CPU), ("Frozen", CPU), ("Good", BF16), ("MinusInfinity", CPU), ("MinusInfinity", BF16)]
    {
        assert_eq!(said(name, settings), None, "{name}");
    }
}

#[test]
fn files_without_a_usable_model_are_refused() {
    let saved = "expected a TorchScript file; save a scripted or traced module with torch.jit.save; \
                 torch.save writes another format";
    let named = "expected a TorchScript file; name the file that torch.jit.save wrote";
    let archive = "model: found PytorchStreamReader failed";
    let weights = "expected finite weights; training has diverged: take an earlier checkpoint";
    refused(&[
        ("Missing", format!("model: found no such file, {named}")),
        ("Folder", format!("model: found no file but a folder, {named}")),
        ("Text", format!("{archive} reading zip archive: not a ZIP archive, {saved}")),
        ("Truncated", format!("{archive} reading zip archive: failed finding central directory, {saved}")),
        ("EmptyArchive", format!("model: found archive does not contain any files, {saved}")),
        ("StateDict", format!("{archive} locating file constants.pkl: file not found, {saved}")),
        ("NanWeights", format!("weights `policy.weight`: found a number that is not finite, {weights}")),
    ]);
    let frozen = said("Frozen", BF16).expect("a frozen model keeps its weights");
    assert!(frozen.ends_with("without torch.jit.freeze, or play it in f32"), "{frozen}");
}

#[test]
fn inputs_that_do_not_fit_are_refused() {
    refused(&[
        (
            "OtherChannels",
            format!(
                "forward: found Given groups=1, weight of size [4, 217, 1], expected input[3, 216, 34] to \
                 have 217 channels, but got 216 channels instead, {INPUTS}"
            ),
        ),
        (
            "BatchOfThree",
            format!("forward: found shape '[3, 216, 34]' is invalid for input of size 7344, {INPUTS}"),
        ),
        ("TwoInputs", format!("forward: found forward() is missing value for argument 'scalars', {INPUTS}")),
    ]);
}

#[test]
fn answers_that_do_not_fit_are_refused() {
    let policy = "output `policy` of forward: found";
    let value = "output `value` of forward: found";
    let not_finite = "a number that is not finite for the first turn of a game, expected finite numbers";
    refused(&[
        (
            "OtherActions",
            format!("{policy} the shape [3, 46] for 3 decisions, expected the shape [3, 165]; {EXPORT}"),
        ),
        (
            "AnswersOfThree",
            format!("{policy} the shape [3, 165] for 1 decision, expected the shape [1, 165]; {EXPORT}"),
        ),
        ("InfiniteOutputs", format!("{policy} {not_finite}; {EXPORT}")),
        ("NanOutputs", format!("{policy} {not_finite}; {EXPORT}")),
        ("NoOutputs", format!("{policy} no outputs, expected a tensor; {EXPORT}")),
        ("NoValue", format!("{value} only `logits`, `policy`, expected a tensor; {EXPORT}")),
        (
            "ColumnOfValues",
            format!("{value} the shape [3, 1] for 3 decisions, expected the shape [3]; {EXPORT}"),
        ),
        ("IntegerPolicy", format!("{policy} Int64, expected a float tensor; {EXPORT}")),
        (
            "SparsePolicy",
            format!(
                "forward: found Could not run 'aten::ne.Scalar' with arguments from the 'SparseCPU' \
                 backend, {INPUTS}"
            ),
        ),
        ("SingleTensor", format!("forward: found a single tensor, expected Dict[str, Tensor]; {EXPORT}")),
        (
            "TupleOfTensors",
            format!("forward: found a tuple of 2 parts, expected Dict[str, Tensor]; {EXPORT}"),
        ),
    ]);
}

/// No machine has a hundred CUDA devices. On one without any the message shows that `libtorch_cuda`
/// is loaded, although no symbol of it is used.
#[test]
fn absent_devices_are_refused() {
    let cuda = said("Good", TorchSettings::of(Device::Cuda(99))).expect("there is no such device");
    let without = "device cuda:99: found no CUDA device or no driver for it, expected a CUDA device; play \
                   with device=cpu, or see what nvidia-smi says";
    let few = "CUDA devices, numbered from 0, expected a CUDA device; name one of them, as in device=cuda:0";
    assert!(cuda == without || cuda.ends_with(few), "{cuda}");
}

/// The error of a model that fails in play names it, the value found, the value expected and the
/// remedy.
#[test]
fn failures_in_play_say_what_to_do() {
    let any = "export a model that answers any batch, or play with a smaller `tables` if memory ran out";
    let infinite = "output `value` of forward: found a number that is not finite, expected finite numbers";
    for (name, said) in [
        ("InfiniteForSome", format!("{infinite}; {EXPORT}")),
        (
            "RaisesForSome",
            format!("forward: found builtins.ValueError: bad planes, expected an answer; {any}"),
        ),
    ] {
        let file = MODELS.join(format!("{name}.pt"));
        let mut model =
            open(&file, &manifest(PlanesV1::ENCODER), CPU).expect("it answers the decisions of a game");
        let mut outputs = Outputs::new();
        outputs.reset(2);
        let mut rows = Rows::new(PlanesV1::ENCODER);
        rows.reset(2);
        rows.view_mut().array::<u8>("planes").expect("planes").fill(1);
        let answer = model.evaluate(rows.inputs(), outputs.view_mut());
        assert_eq!(answer, Ok(()));
        rows.view_mut().clear(1);
        let answer = model.evaluate(rows.inputs(), outputs.view_mut());
        assert_eq!(answer, Err(EvaluatorError::Failed(format!("{}: {said}", file.display()))));
    }
}

#[test]
fn inputs_of_another_encoder_are_refused() {
    let file = MODELS.join("Good.pt");
    let mut model = open(&file, &manifest(PlanesV1::ENCODER), CPU).expect("the model opens");
    let mut outputs = Outputs::new();
    outputs.reset(3);
    let mut rows = Rows::new(SparseV1::ENCODER);
    rows.reset(3);
    let answer = model.evaluate(rows.inputs(), outputs.view_mut());
    let expected =
        EvaluatorError::Encoder { expected: Some(PlanesV1::ENCODER), found: Some(SparseV1::ENCODER) };
    assert_eq!(answer, Err(expected));
    rows = Rows::new(PlanesV1::ENCODER);
    rows.reset(2);
    let answer = model.evaluate(rows.inputs(), outputs.view_mut());
    assert!(matches!(answer, Err(EvaluatorError::Shape(_))), "{answer:?}");
}
