"""Training in PyTorch: networks that learn from runs.

- ``config``: settings of an experiment, from a TOML file
- ``candidates``: decisions with labels by rollouts, as tensors
- ``noise``: how much the rollouts of a decision vary
- ``network``: the network that corrects the estimates of ``heuristic``, and its file
- ``improve``: trains it, fits how far to trust it, and exports it

``python -m jantaku.train improve experiment.toml`` runs an experiment.
"""
