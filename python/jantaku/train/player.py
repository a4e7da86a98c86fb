"""TorchScript networks as agents, for a package without libtorch."""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path
from typing import Any

import torch

from .._jantaku import AgentBatch, Encoder, FunctionAgent
from .config import ConfigError
from .files import kind_of
from .inputs import encoder_in, inputs

__all__ = ["player"]


def player(
    path: str | os.PathLike[str], *, name: str | None = None, temperature: float = 0.0
) -> FunctionAgent:
    """A ``.pt`` file as an agent for `match`, `selfplay` and environments.

    Files with ``.safetensors`` need no such agent: ``neural:model=PATH`` plays them.

    Parameters
    ----------
    path : str or os.PathLike
        The file. Its manifest lies beside it.
    name : str, optional
        The name of the agent; by default the file's.
    temperature : float, default 0
        Divides the logits before an action is drawn. 0 plays the best action.

    Raises
    ------
    FileNotFoundError
        If the file or its manifest is missing.
    ConfigError
        If the file is no TorchScript network, or its manifest names no encoder of this package.

    """
    path = Path(path)
    encoder, network = _encoder_of(path), _network(path)

    @torch.inference_mode()
    def choose(batch: AgentBatch) -> dict[str, Any]:
        answer = network(*inputs(encoder, batch))
        found = {"logits": answer["policy"].numpy()}
        return found | ({"value": answer["value"].numpy()} if "value" in answer else {})

    return FunctionAgent(
        choose, name=name or path.stem, encoder=encoder, temperature=temperature, tables=512
    )


def _encoder_of(path: Path) -> Encoder:
    """The encoder whose inputs the network of a file reads, by its manifest."""
    manifest = path.with_suffix(".json")
    if not manifest.is_file():
        advice = "write the text of `jantaku.Encoder(NAME).manifest(RULES)` to this file"
        raise FileNotFoundError(f"{manifest}: expected the manifest of {path}; {advice}")
    try:
        found = json.loads(manifest.read_text())
    except ValueError as error:
        raise ConfigError(f"{manifest}: expected a manifest in JSON: {error}") from None
    return encoder_in(manifest, found)


def _network(path: Path) -> Any:
    """The module in a file."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: expected a TorchScript network, found no file")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return torch.jit.load(str(path))  # type: ignore[no-untyped-call]
    except RuntimeError:
        raise ConfigError(
            f"{path}: expected a TorchScript network, found {kind_of(path)}"
        ) from None
