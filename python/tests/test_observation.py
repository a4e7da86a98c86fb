import copy
import pickle
import random
from collections import Counter

import numpy as np
import pytest
from harness import ENCODERS, exchanged, play, same_encoding, views

from jantaku import Encoder, Game

KINDS = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + [
    f"{n}z" for n in range(1, 8)
]


def kind(tile):
    return tile.replace("0", "5")


@pytest.mark.parametrize("preset", ["tenhou", "tenhou-sanma"])
def test_arrays_and_lists_agree(preset):
    for _, view in views(preset):
        counts = view.hand_counts
        assert (counts.dtype, counts.shape) == (np.uint8, (34,))
        assert Counter(map(kind, view.hand)) == {
            k: n for k, n in zip(KINDS, counts, strict=True) if n
        }
        assert sum(tile.startswith("0") for tile in view.hand) == view.hand_reds.sum()
        assert len(view.hand) + 3 * len(view.melds[view.seat]) in (13, 14)
        assert (view.drawn is not None) <= (view.phase == "turn")
        assert view.unseen.dtype == np.uint8
        seen = Counter(map(kind, view.hand)) + Counter(map(kind, view.indicators))
        seen += Counter(kind(d.tile) for d in view.discards if d.claimed_by is None)
        seen += Counter(kind(t) for melds in view.melds for meld in melds for t in meld.tiles)
        seen["4z"] += sum(view.norths)
        if view.offer and view.offer.kind != "discard":
            continue
        played = 4 * (np.array([k not in absent(preset) for k in KINDS]))
        assert [seen[k] for k in KINDS] == list(played - view.unseen)


def absent(preset):
    return {f"{rank}m" for rank in range(2, 9)} if preset == "tenhou-sanma" else set()


def test_views_do_not_change_when_the_game_goes_on():
    kept = [(view, str(view), view.encode()) for _, view in views()]
    for view, text, planes in kept[::7]:
        assert str(view) == text
        assert (view.encode() == planes).all()


def test_views_do_not_depend_on_the_answers_of_others():
    together = 0
    for game, view in views(seed=3, games=10):
        others = [seat for seat in game.pending if seat != view.seat]
        for seat in others:
            together += 1
            answered = game.copy()
            answered.submit(seat, answered.observe(seat).legal[-1])
            if view.seat not in answered.pending or not answered.observe(view.seat).legal:
                continue
            assert str(answered.observe(view.seat)) == str(view)
            assert (answered.observe(view.seat).encode() == view.encode()).all()
    assert together > 10


@pytest.mark.parametrize("preset", ["tenhou", "tenhou-sanma"])
def test_a_view_follows_from_the_events_that_its_player_sees(preset):
    """No hidden tile is part of it: others may lie there, and it stays the same."""
    chance = random.Random(7)
    compared = changed = 0
    for seed in range(8):
        game = play(Game(preset, seed=seed), seed=seed, decisions=chance.randrange(40))
        if game.hand_count > 1:
            continue
        view = game.decisions()[0]
        for other in exchanged(game, view.seat, chance):
            same = other.observe(view.seat)
            others = [seat for seat in range(game.players) if seat != view.seat]
            changed += any(other.observe(s).hand != game.observe(s).hand for s in others)
            compared += 1
            assert same == view
            assert str(same) == str(view)
            assert same.svg() == view.svg()
            assert (same.action_mask == view.action_mask).all()
            for encoder in ENCODERS:
                assert same_encoding(same.encode(encoder), view.encode(encoder))
    assert compared > 60
    assert changed > 40


def test_observations_pickle_without_the_game():
    kept = [view for _, view in views("tenhou-sanma")]
    for view in kept[::5]:
        again = pickle.loads(pickle.dumps(view))
        assert again == view
        assert hash(again) == hash(view)
        assert str(again) == str(view)
        assert (again.encode() == view.encode()).all()
        assert copy.deepcopy(view) == view
    assert len(set(kept)) == len(kept)
    restore, (data,) = kept[0].__reduce__()
    assert len(data) < 1000
    for damaged in [b"", data[:-1], bytes([data[0] ^ 1]) + data[1:]]:
        with pytest.raises(ValueError, match="not an observation"):
            restore(damaged)


def test_no_attribute_of_a_view_reaches_the_game():
    game = Game(seed=1)
    view = game.decisions()[0]
    for name in dir(view):
        if name.startswith("__"):
            continue
        value = getattr(view, name)
        assert not isinstance(value, Game)
    for hidden in ["seed", "wall", "game", "events"]:
        assert not hasattr(view, hidden)


def test_encoders_fill_arrays():
    planes, sparse = Encoder("planes-v1"), Encoder("sparse-v1")
    some = [view for _, view in views()][::29]
    batch = planes.encode_batch(some)
    assert (batch.shape, batch.dtype) == ((len(some), *planes.shape), np.uint8)
    out = np.full(batch.shape, 7, dtype=np.uint8)
    assert planes.encode_batch(some, out=out) is out
    assert (out == batch).all()
    floats = np.empty(batch.shape, dtype=np.float32)
    planes.encode_batch(some, out=floats)
    assert (floats == batch * planes.scales[:, None]).all()
    for row, view in zip(batch, some, strict=True):
        assert (view.encode() == row).all()
        one = np.empty(planes.shape, dtype=np.uint8)
        assert view.encode(planes, out=one) is one
        assert (one == row).all()
    for encoder, name in [(sparse, "active"), (Encoder("events-v1"), "tokens")]:
        lists = encoder.encode_batch(some)
        assert lists[name].shape == (len(some), *encoder.shape)
        assert lists["scalars"].shape == (len(some), encoder.scalars)
        for at, view in enumerate(some):
            one = view.encode(encoder)
            count = lists["counts"][at]
            assert (lists[name][at, :count] == one[name]).all()
            assert (lists[name][at, count:] == encoder.size).all()
            assert (lists["scalars"][at] == one["scalars"]).all()
    assert len(planes.channels) == planes.size == len(planes.scales)
    assert planes == Encoder("planes-v1") != sparse
    # Channel 0 of each decision: kinds of which the player holds at least one.
    assert ((batch[:, 0] == 1) == np.array([view.hand_counts > 0 for view in some])).all()


def test_oracle_shows_hidden_hands():
    game = Game(seed=1)
    planes = game.oracle(0)
    assert (planes.shape, planes.dtype) == ((45, 34), np.uint8)
    right = game.observe(1).hand_counts
    assert ((planes[0] > 0) == (right > 0)).all()


def test_the_oracle_is_described_like_other_encoders():
    oracle = Encoder("oracle-v1")
    (array,) = oracle.arrays.values()
    assert oracle.size == len(oracle.channels) == len(oracle.scales) == 45
    assert (oracle.name, oracle.shape, array["shape"], array["dtype"], oracle.scalars) == (
        ("oracle-v1", (45, 34), (45, 34), "uint8", 0)
    )  # fmt: skip
    assert (oracle.scales == [np.float32(1 / row["one"]) for row in oracle.channels]).all()
    assert (
        oracle == Encoder("oracle-v1") == pickle.loads(pickle.dumps(oracle)) != Encoder("planes-v1")
    )
    most = np.array([row["most"] for row in oracle.channels])
    game = Game(seed=2)
    game.play([None, *["greedy"] * 3])
    assert (game.oracle(0).max(axis=1) <= most).all()
