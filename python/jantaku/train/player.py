"""TorchScript networks as agents, for a package without libtorch."""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path
from typing import Any

import torch

from .._jantaku import AgentBatch, Encoder, FunctionAgent
from .bag import BagNetwork
from .columns import ColumnNetwork
from .policy import Policy

__all__ = ["player"]

READERS: dict[str, type[Policy]] = {
    network.encoder.name: network for network in (BagNetwork, ColumnNetwork)
}


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
        The name of the agent; by default that of the file.
    temperature : float, default 0
        Divides the logits before an action is drawn. 0 plays the best action.

    Raises
    ------
    FileNotFoundError
        If the file or its manifest is missing.

    """
    path = Path(path)
    manifest = path.with_suffix(".json")
    if not manifest.is_file():
        advice = "write the text of `jantaku.Encoder(NAME).manifest(RULES)` to this file"
        raise FileNotFoundError(f"{manifest}: expected the manifest of {path}; {advice}")
    encoder = Encoder(json.loads(manifest.read_text())["encoder"]["name"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        network = torch.jit.load(str(path))  # type: ignore[no-untyped-call]
    reader = READERS[encoder.name]

    @torch.inference_mode()
    def choose(batch: AgentBatch) -> dict[str, Any]:
        answer = network(*reader.inputs(batch))
        found = {"logits": answer["policy"].numpy()}
        return found | ({"value": answer["value"].numpy()} if "value" in answer else {})

    return FunctionAgent(
        choose, name=name or path.stem, encoder=encoder, temperature=temperature, tables=512
    )
