"""Files that are whole or not there: checkpoints, curves and networks."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import torch

from .config import ConfigError


def write(path: Path, contents: bytes) -> None:
    """Replaces a file. Until its new contents are complete, the old ones stay.

    Raises
    ------
    OSError
        If it cannot be written, for example because the disk is full.

    """
    partial = path.with_name(f"{path.name}.partial")
    try:
        partial.write_bytes(contents)
        os.replace(partial, path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        kept = "the last checkpoint is whole, and the same command continues from it"
        raise OSError(error.errno, f"{error.strerror}; {kept}", str(path)) from None


def save_checkpoint(path: Path, settings: dict[str, Any], state: dict[str, Any]) -> None:
    """Writes the state of a training: tensors, numbers and texts."""
    contents = io.BytesIO()
    torch.save({"settings": settings, "state": state}, contents)
    write(path, contents.getvalue())


def load_checkpoint(path: Path, settings: dict[str, Any]) -> dict[str, Any] | None:
    """The state in a checkpoint. None if there is none.

    Raises
    ------
    ConfigError
        If it belongs to a training with other settings.

    """
    if not path.exists():
        return None
    found = torch.load(path, map_location="cpu", weights_only=True)
    for name, value in settings.items():
        if (was := found["settings"].get(name)) != value:
            raise ConfigError(
                f"{path}: a training with {name} = {was!r}, found {value!r}: "
                "choose another `out`, or delete the file"
            )
    state: dict[str, Any] = found["state"]
    return state
