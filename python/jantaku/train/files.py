"""Files that are whole or not there: checkpoints, curves and networks."""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import torch

from .._jantaku import _run_state
from .config import ConfigError, run_table


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


def contents_of(*paths: str | None) -> dict[str, str]:
    """The SHA-256 of runs, logs and networks that a training reads, by path. None is left out.

    The SHA-256 of a run covers the hashes of its files; that of a folder of logs, their names and
    sizes.
    """
    return {path: _sha256(path) for path in paths if path is not None}


def _sha256(path: str) -> str:
    found: Any
    if run_table(path) is not None:
        found = _run_state(path)["hashes"]
    elif os.path.isdir(path):
        files = (one for one in Path(path).rglob("*") if one.is_file())
        found = sorted((one.relative_to(path).as_posix(), one.stat().st_size) for one in files)
    else:
        sha256 = hashlib.sha256()
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                sha256.update(block)
        return sha256.hexdigest()
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()


def save_checkpoint(path: Path, settings: dict[str, Any], state: dict[str, Any]) -> None:
    """Writes the state of a training: tensors, numbers and texts."""
    contents = io.BytesIO()
    torch.save({"settings": settings, "state": state}, contents)
    write(path, contents.getvalue())


def read_checkpoint(path: Path, advice: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings and the state in a checkpoint.

    Raises
    ------
    ConfigError
        If the file is no checkpoint, or is damaged. The message ends with the advice.
    OSError
        If it cannot be read.

    """
    contents = io.BytesIO(path.read_bytes())
    try:
        found = torch.load(contents, map_location="cpu", weights_only=True)
        return dict(found["settings"]), dict(found["state"])
    except MemoryError:
        raise
    except Exception:  # torch raises errors of any type, also OSError
        what = kind_of(path)
        raise ConfigError(f"{path}: expected a checkpoint, found {what}; {advice}") from None


def kind_of(path: Path) -> str:
    """Describes an unexpected file for an error message."""
    with path.open("rb") as file:
        start = file.read(40)
    if not start:
        return "an empty file"
    # A .safetensors file starts with the length of its header, which is JSON.
    if int.from_bytes(start[:8], "little") < 2**32 and start[8:9] == b"{":
        return "a .safetensors file"
    if not start.startswith(b"PK"):
        return f"a file that starts with {start[:20]!r}"
    if not zipfile.is_zipfile(path):
        return "a file that was cut short"
    with zipfile.ZipFile(path) as archive:
        is_script = any(name.endswith("/constants.pkl") for name in archive.namelist())
    what = "a TorchScript network" if is_script else "other contents of torch"
    return f"{what}, or a damaged file"


def load_checkpoint(path: Path, settings: dict[str, Any]) -> dict[str, Any] | None:
    """The state in a checkpoint. None if there is none.

    Raises
    ------
    ConfigError
        If the file is no checkpoint, or belongs to a training with other settings, or one that read
        other contents.

    """
    if not path.exists():
        return None
    found, state = read_checkpoint(path, "delete the file to start over")
    read_then = found.pop("contents", {})
    for read, sha256 in settings.get("contents", {}).items():
        if read_then.get(read) != sha256:
            raise ConfigError(
                f"{path}: {read} has changed since this training began: "
                "choose another `out`, or delete the file"
            )
    for name, value in settings.items():
        if name != "contents" and (was := found.get(name)) != value:
            raise ConfigError(
                f"{path}: a training with {name} = {was!r}, found {value!r}: "
                "choose another `out`, or delete the file"
            )
    return state
