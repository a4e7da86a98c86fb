"""Environments with the interfaces of other libraries: ``pip install jantaku[env]``.

`Aec`
    A game as a PettingZoo AEC environment.
`GymVectorEnv`
    Many tables with one learned seat each, as a Gymnasium vector environment.

`jantaku.VecEnv` needs neither library and is faster. There is no PettingZoo ``ParallelEnv``: its
agents act in every step, while at a mahjong table at most a few may, so most actions would be no
actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._aec import Aec as Aec
    from ._gym import GymVectorEnv as GymVectorEnv

__all__ = ["Aec", "GymVectorEnv"]


def __getattr__(name: str) -> Any:
    # Each class needs another library.
    if name == "Aec":
        from ._aec import Aec

        return Aec
    if name == "GymVectorEnv":
        from ._gym import GymVectorEnv

        return GymVectorEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
