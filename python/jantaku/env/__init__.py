"""Environments with the interfaces of other libraries: ``pip install jantaku[env]``.

`Aec`
    A game as a PettingZoo AEC environment.
`GymEnv`
    A table with one learned seat, as a Gymnasium environment. Importing this module registers it:
    ``gymnasium.make("jantaku/Mahjong-v0")``.
`GymVectorEnv`
    Many tables with one learned seat each, as a Gymnasium vector environment, also from
    ``gymnasium.make_vec("jantaku/Mahjong-v0", num_envs=64)``.
`Sb3VecEnv`
    The same for Stable-Baselines3, with the masks of ``MaskablePPO``:
    ``pip install jantaku[sb3]``.

`jantaku.VecEnv` needs neither library and is faster. There is no PettingZoo ``ParallelEnv``: its
agents act in every step, while at a mahjong table at most a few may, so most actions would be no
actions. Each environment has ``render_mode="ansi"``, and can be copied and pickled.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._aec import Aec as Aec
    from ._gym import GymVectorEnv as GymVectorEnv
    from ._sb3 import Sb3VecEnv as Sb3VecEnv
    from ._single import GymEnv as GymEnv

__all__ = ["Aec", "GymEnv", "GymVectorEnv", "Sb3VecEnv"]

# Each class needs another library.
_MODULES = {"Aec": "_aec", "GymEnv": "_single", "GymVectorEnv": "_gym", "Sb3VecEnv": "_sb3"}

if find_spec("gymnasium"):
    import gymnasium

    gymnasium.register(
        "jantaku/Mahjong-v0",
        entry_point="jantaku.env:GymEnv",
        vector_entry_point="jantaku.env:GymVectorEnv",
    )


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)
