"""The networks of Jantaku as modules of PyTorch: ``pip install jantaku[torch]``.

`BagNetwork`
    An embedding bag for features, such as ``sparse-v1``. The program plays its file without
    PyTorch.
`ColumnNetwork`
    A convolution over kinds of tiles for planes, such as ``planes-v1``, which is stronger and
    slower.
`CandidateNetwork`
    Corrects the estimates of ``heuristic``: the agent ``residual``.
`tensors`
    The arrays of a batch as tensors, for networks of your own.

>>> from jantaku.networks import BagNetwork  # doctest: +SKIP
>>> network = BagNetwork([256, 128], ["value"])  # doctest: +SKIP
>>> network(*network.inputs(batch))["policy"]  # logits  # doctest: +SKIP
>>> network.save("mine.safetensors", "tenhou")  # doctest: +SKIP
>>> jantaku.match("neural:model=mine.safetensors", "greedy", sets=10)  # doctest: +SKIP
>>> network = BagNetwork.load("mine.safetensors")  # doctest: +SKIP
"""

from ._torch import tensors
from .train.bag import BagNetwork
from .train.columns import ColumnNetwork
from .train.network import CandidateNetwork

__all__ = ["BagNetwork", "CandidateNetwork", "ColumnNetwork", "tensors"]
