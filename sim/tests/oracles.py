"""Compares hands with four independent programs: the Python packages `mahjong`, `riichienv` and `jansou`, and the
program of the crate `agari`.

    oracles.py PROGRAM --agari AGARI --hands 20000

`jantaku hand --jsonl` and the packages score random won hands under the same rules, and find waits,
shanten and ukeire. engine/docs/oracles.md lists the known errors of the packages. Differences due
to them are counted by reason. All other differences are printed and make the exit status 1. The
hands depend on the seed alone.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import oracle_agari as agari
import oracle_jansou as jansou
import oracle_peers as peers
from oracle_hands import NAMES, WonHand, far_hand, name, notation, won_hand

CHUNK = 1000
SHOWN = 20


def ask(program: Path, questions: list[dict]) -> list[dict]:
    """The answers of `jantaku hand --jsonl`, one for each question."""
    text = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run([program, "hand", "--jsonl"], input=text, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [question["id"] for question in questions]
    return answers


class Comparison:
    """Counts comparisons and known differences, and prints other differences."""

    def __init__(self, agari_program: Path) -> None:
        self.agari_program = agari_program
        self.compared, self.known, self.yaku = Counter(), Counter(), Counter()
        self.differences = 0

    def check(self, what: str, question: dict, ours, theirs, reason: str | None = None) -> None:
        self.compared[what] += 1
        if ours == theirs:
            return
        if reason:
            self.known[f"{what}: {reason}"] += 1
            return
        self.differences += 1
        if self.differences <= SHOWN:
            print(f"{what} differs: {json.dumps(question)}\n  jantaku  {ours}\n  package  {theirs}", file=sys.stderr)

    def won(self, hand: WonHand, rules: peers.RuleSet, question: dict, answer: dict) -> None:
        if "score" not in answer:
            self.check("answers", question, answer, "a score")
            return
        ours = peers.of_jantaku(answer["score"])
        for yaku in answer["score"]["yaku"] if answer["score"] else []:
            self.yaku[yaku["name"]] += 1
        theirs = peers.of_mahjong(hand, rules)
        self.check("mahjong, scores", question, ours, theirs, peers.known_error(hand, ours, theirs))
        if rules.riichienv and not hand.renhou:
            theirs = peers.of_riichienv(hand)
            ours = peers.without_payments(ours)
            self.check("riichienv, scores", question, ours, theirs, peers.known_error(hand, ours, theirs))
        by_jansou = jansou.RULES.get(rules.file.stem)
        if by_jansou and not hand.renhou:
            theirs = jansou.of_jansou(hand, by_jansou)
            ours = jansou.with_its_names(peers.of_jantaku(answer["score"]))
            self.check("jansou, scores", question, ours, theirs, peers.known_error(hand, ours, theirs))
        if rules.file.stem == agari.RULES and not hand.renhou:
            theirs = agari.of_agari(self.agari_program, hand)
            ours = peers.of_jantaku(answer["score"])
            self.check("agari, scores", question, ours, theirs, agari.difference(hand, ours, theirs))
        ours = jansou.with_a_copy_left(answer["waits"], hand.before, hand.melds)
        self.check("jansou, waits", question, ours, jansou.waits(hand.before, hand.melds))
        self.check("mahjong, waits", question, answer["waits"], peers.mahjong_waits(hand.before))
        self.check("riichienv, waits", question, answer["waits"], peers.riichienv_waits(hand.before, hand.melds))

    def far(self, tiles: list[int], melds: list, question: dict, answer: dict, deep: bool) -> None:
        shanten = answer["shanten"]
        self.check("mahjong, shanten", question, shanten, peers.mahjong_shanten(tiles, bool(melds)))
        self.check("jansou, shanten", question, shanten["best"], jansou.shanten(tiles, melds))
        self.check("riichienv, shanten", question, shanten["best"], peers.riichienv_shanten(tiles))
        if not deep:
            return
        self.check("agari, shanten", question, shanten["best"], agari.shanten(self.agari_program, tiles, melds))
        own = tiles + [tile for _, meld in melds for tile in meld]
        for discard in answer["discards"]:
            rest = tiles.copy()
            rest.remove(next(tile for tile in tiles if NAMES[tile // 4] == discard["tile"].replace("0", "5")))
            ours = discard["shanten"], discard["ukeire"]
            self.check("mahjong, discards", question, ours, peers.mahjong_ukeire(rest, own))


def compare(program: Path, agari_program: Path, hands: int, seed: int, folder: Path) -> Comparison:
    rule_sets = peers.rule_sets(folder)
    found = Comparison(agari_program)
    for first in range(0, hands, CHUNK):
        rng = random.Random(f"{seed} {first}")
        won, far = [], []
        for number in range(first, min(first + CHUNK, hands)):
            hand, rules = won_hand(rng), rng.choice(rule_sets)
            won.append((hand, rules, {"id": number, "rules": str(rules.file), **hand.question(rules.reds)}))
            tiles = far_hand(rng, hand)
            question = {"id": number, "hand": notation(tiles), "melds": hand.question(reds=True)["melds"]}
            if len(tiles) % 3 == 2:
                # The last tile is drawn: a complete hand needs one, and can still discard.
                question |= {"win": name(tiles[-1]), "by": "tsumo"}
            far.append((tiles, hand.melds, question))
        for (hand, rules, question), answer in zip(won, ask(program, [question for *_, question in won])):
            found.won(hand, rules, question, answer)
        for (tiles, melds, question), answer in zip(far, ask(program, [question for *_, question in far])):
            found.far(tiles, melds, question, answer, deep=question["id"] % 20 == 0)
    return found


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("program", type=Path)
    words.add_argument("--agari", type=Path, required=True, help="the program of the crate agari")
    words.add_argument("--hands", type=int, default=20_000)
    words.add_argument("--seed", type=int, default=1)
    args = words.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        found = compare(args.program.resolve(), args.agari.resolve(), args.hands, args.seed, Path(folder))
    for what, count in found.compared.items():
        print(f"{what}: {count:,} compared")
    for reason, count in sorted(found.known.items()):
        print(f"known difference, {reason}: {count:,}")
    never = sorted(set(peers.YAKU) - set(found.yaku))
    print(f"yaku that never came up: {', '.join(never) or 'none'}")
    print(f"{args.hands:,} won hands, {found.differences} differences, {time.monotonic() - start:.0f} s")
    sys.exit(found.differences > 0 or bool(never) and args.hands >= 20_000)


if __name__ == "__main__":
    main()
