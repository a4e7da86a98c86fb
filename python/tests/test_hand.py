import pickle

import numpy as np
from harness import views

from jantaku import Hand, Rules, shanten


def test_analysis():
    hand = Hand("123m456p789s1122z")
    assert (hand.shanten, hand.is_tenpai) == (0, True)
    assert hand.waits == ["1z", "2z"]
    assert hand.ukeire == {"1z": 2, "2z": 2}
    assert hand.discards == []
    assert hand.score is None
    far = Hand("147m258p369s1234z")
    assert far.shanten_by_shape == {"standard": 8, "seven_pairs": 6, "thirteen_orphans": 7}
    assert far.waits == []


def test_discards_are_sorted_best_first():
    hand = Hand("23m456m345p678s9s1z+2z")
    keys = [(choice.shanten, -choice.count) for choice in hand.discards]
    assert keys == sorted(keys)
    best = hand.discards[0]
    assert best.ukeire == {"1m": 4, "4m": 3, "7m": 4, "6s": 3, "9s": 3, "2z": 3}
    assert best.count == sum(best.ukeire.values())


def test_scores():
    score = Hand("34m567m345p678s55s+2m").score
    assert score is not None
    assert (score.yaku, score.han, score.fu, score.points) == (
        {"pinfu": 1, "tanyao": 1},
        2,
        30,
        2000,
    )
    assert score.payments["discarder"] == 2000
    riichi = Hand("34m567m345p678s55s+2m", riichi="single", dora="4s", by="tsumo").score
    assert riichi is not None
    assert riichi.dora["dora"] == 2
    assert (riichi.han, riichi.limit) == (6, "haneman")
    yakuman = Hand("19m19p19s1234567z+1m").score
    assert yakuman is not None
    assert (yakuman.yakuman, yakuman.points) == (2, 64000) or yakuman.limit == "yakuman"
    none = Hand("23m99s678s[123p][345s]+4m")
    assert none.score is None
    assert none.no_score == "a win needs a yaku"
    assert Hand("34m567m345p678s55s+2m", from_="left").score is not None


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
