import pickle

import numpy as np
from harness import views

from jantaku import Hand, Rules, shanten


def test_discards_are_sorted_best_first():
    hand = Hand("23m456m345p678s9s1z+2z")
    keys = [(choice.shanten, -choice.count) for choice in hand.discards]
    assert keys == sorted(keys)
    best = hand.discards[0]
    assert best.ukeire == {"1m": 4, "4m": 3, "7m": 4, "6s": 3, "9s": 3, "2z": 3}
    assert best.count == sum(best.ukeire.values())


def test_hands_pickle_and_print():
    for hand in [
        Hand("123m456p789s1122z"),
        Hand("34m567m345p678s55s+2m", riichi="single", dora="4s", honba=2),
        Hand("123p456p789s1122z", rules=Rules("tenhou-sanma")),
    ]:
        assert pickle.loads(pickle.dumps(hand)) == hand == eval(repr(hand))
        assert hash(hand) == hash(eval(repr(hand)))
        assert hand._repr_html_().startswith("<svg ")


def test_shanten_of_many_hands():
    by_melds = {melds: [] for melds in range(5)}
    for _, view in views():
        by_melds[len(view.melds[view.seat])].append(view)
    assert sum(bool(some) for some in by_melds.values()) >= 3
    for melds, some in by_melds.items():
        if some:
            found = shanten(np.array([view.hand_counts for view in some]), melds)
            assert found.dtype == np.int8
            assert list(found) == [view.shanten for view in some]
    orphans = np.zeros(34, dtype=np.uint8)
    orphans[[0, 8, 9, 17, 18, 26, *range(27, 34)]] = 1
    assert shanten(orphans) == [0]
    assert shanten(np.zeros((0, 34), dtype=np.uint8)).shape == (0,)
