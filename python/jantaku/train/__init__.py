"""Training in PyTorch. ``python -m jantaku.train COMMAND experiment.toml`` runs an experiment.

Commands, which ``python/docs/training.md`` explains:

- ``clone``: trains a network to choose the actions of games
- ``improve``: trains a network that corrects ``heuristic``, from labels by rollouts
- ``ppo``: lets a clone learn from its own games
- ``gate``: plays the match of a candidate that is named beforehand
- ``screen``: finds the strongest of several candidates; losers stop early
- ``curve``: writes the curves of a training as a page for the browser

Shared by all trainings:

- ``config``: settings of an experiment, from a TOML file
- ``files``: atomic writes of files, and checkpoints
- ``curve``: figures over the steps, and the time that is left
- ``optimizer``: AdamW and Muon, the learning rate, and means of weights
- ``training``: the steps of a training, from its last checkpoint on
- ``style``: the placement and the rates of an agent in a match
- ``trunk``: the layers of networks that need no libtorch, and their files

Used by ``improve``: ``candidates``, ``noise``, ``network``. Used by ``clone`` and ``ppo``:

- ``heads``: what a network learns beside the policy
- ``inputs``: the arrays of an encoder as tensors
- ``policy``: what networks with a policy have in common
- ``bag``, ``columns``: a network for features, and one for planes
- ``learner``: a network, and where and how it computes
- ``agreement``: how often a network chooses the action of the games
- ``critic``: a critic for ``ppo`` that also sees hidden tiles
- ``player``: plays a TorchScript network
"""

# Why is there no training framework? Each command of `jantaku.train` is a file that reads from top
# to bottom. They share little: settings, atomic file writes, the curve, the learning rate, and
# `Training`, which yields the remaining steps. Rejected: Lightning and RLlib. A reader would have
# to learn their concepts first, and their checkpoints do not store the position in a `Dataset`.
