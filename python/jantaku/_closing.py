"""What `Actors`, `Evaluator` and `VecEnv` share: a ``with`` block closes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Self


class Closing:
    """A context manager that calls `close` at the end of its block."""

    def close(self) -> None:
        """Ends what runs. Closing twice does nothing."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()
