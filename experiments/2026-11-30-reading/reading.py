"""What a network knows of hands that it does not see: ``python reading.py RUN NETWORK``.

Brier scores of the waits (each of 34 kinds) and of tenpai, in the games that the training held out, beside those of the
answer "always the mean". The network is one of ``python -m jantaku.train clone`` with the heads ``tenpai`` and ``waits``.
"""

import sys

import numpy as np
import torch
from jantaku import Dataset, Encoder
from jantaku.train.bag import BagNetwork
from jantaku.train.heads import targets

RIICHI = [
    channel["first"]
    for view in ("right", "across", "left")
    for channel in Encoder("sparse-v1").channels
    if channel["name"] == f"seat.riichi.{view}"
]
"""The features that say that the opponents are in riichi: right, across and left, as the seats in `ahead`."""


def main(run: str, path: str) -> None:
    network = BagNetwork.load(path)
    data = Dataset([run], encoder="sparse-v1", batch=4096, concealed=True, rank=0, ranks=20)
    found = {name: [[], [], [], []] for name in ("closed", "open", "in riichi")}
    for batch in data:
        with torch.no_grad():
            heads = network(*network.inputs(batch))
        wanted = targets(batch, ["tenpai", "waits"])
        riichi = np.stack([(batch["active"] == one).any(1) for one in RIICHI], 1)
        tenpai, waits = wanted["tenpai"].numpy(), wanted["waits"].numpy()
        says, of_waits = heads["tenpai"].sigmoid().numpy(), heads["waits"].sigmoid().numpy()
        ahead = (batch["seats"][:, None] + [1, 2, 3]) % 4
        is_open = batch["concealed"].sum(2)[np.arange(len(ahead))[:, None], ahead] < 13
        for name, is_it in (("in riichi", riichi), ("open", is_open & ~riichi), ("closed", ~is_open & ~riichi)):
            is_it &= ~np.isnan(tenpai)
            for kept, values in zip(found[name], (tenpai, says, waits, of_waits), strict=True):
                kept.append(values[is_it])
    print("| hands | number | Brier of tenpai | of the mean | Brier of waits | of the mean | calibration of waits |\n|---|---|---|---|---|---|---|")
    for name, kept in found.items():
        tenpai, says, waits, of_waits = (np.concatenate(values) for values in kept)
        own, mean = ((says - tenpai) ** 2).mean(), ((tenpai.mean() - tenpai) ** 2).mean()
        wait, never = ((of_waits - waits) ** 2).mean(), ((waits.mean(0) - waits) ** 2).mean()
        bins = np.minimum(20 * of_waits, 19).astype(int)
        parts = [(of_waits[bins == at].mean() - waits[bins == at].mean(), (bins == at).mean()) for at in np.unique(bins)]
        error = sum(abs(gap) * share for gap, share in parts)
        print(f"| {name} | {len(tenpai):,} | {own:.4f} | {mean:.4f} | {wait:.6f} | {never:.6f} | {error:.4f} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
