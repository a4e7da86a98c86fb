"""The package `jansou` behind the protocol of `jantaku conform`, which scores hands.

    jantaku conform --only scoring -- python sim/tests/conform_jansou.py

It counts the best waits of three yakuman twice without names of their own, so yakuman have no list of yaku.
"""

from conform_mahjong import serve, value, won_hand
from oracle_jansou import RULES, of_jansou


def score(question: dict) -> dict:
    found = of_jansou(won_hand(question), RULES[question["rules"]])
    answer = value(found)
    if found and found["yakuman"]:
        answer.pop("yaku")
    return answer


if __name__ == "__main__":
    serve("jansou", score)
