"""RiichiEnv (the package `riichienv`) behind the protocol of `jantaku conform`.

    jantaku conform -- python sim/tests/conform_riichienv.py
    jantaku conform -- python sim/tests/conform_riichienv.py --scoring

The scorer of RiichiEnv takes no rules and counts double yakuman, so only `mjsoul` can be asked.
"""

import json
import sys
from importlib.metadata import version

from conform_mahjong import Tiles, won_hand
from oracle_hands import name
from oracle_peers import DORA, OF_RIICHIENV, evaluated
from riichienv import Action, ActionType, GameRule, RiichiEnv

RULES = {"tenhou": GameRule.default_tenhou, "mjsoul": GameRule.default_mjsoul}
WORDS = {
    ActionType.RON: "ron",
    ActionType.TSUMO: "tsumo",
    ActionType.PASS: "pass",
    ActionType.DAIMINKAN: "daiminkan",
    ActionType.KYUSHU_KYUHAI: "kyuushu kyuuhai",
}
WORDS = {int(kind): word for kind, word in WORDS.items()}
CALLS = {int(ActionType.CHI): "chi", int(ActionType.PON): "pon"}
REASONS = {"exhaustive_draw": "fanpai", "kyushu_kyuhai": "kyushukyuhai", "suucha_riichi": "suchareach"}
REASONS |= {"sufuurenta": "sufonrenta", "suukansansen": "sukaikan"}
KANS = {int(ActionType.ANKAN), int(ActionType.KAKAN)}


class Hand:
    """A hand in play. RiichiEnv has no copies, so a copy plays all answers again."""

    def __init__(self, question: dict) -> None:
        self.question = question
        self.answers: list[dict[int, Action]] = []
        self.told = 0
        self.env, self.seen = self.deal()

    def deal(self):
        asked = self.question
        tiles, dead = Tiles(), [""] * 14
        for k in range(5):
            dead[8 - 2 * k], dead[9 - 2 * k] = asked["ura"][k], asked["dora"][k]
        for k, tile in enumerate(asked["replacements"]):
            dead[13 - k] = tile
        dealt = asked["wall"][: -14]
        rule = RULES[asked["rules"]]()
        rule.dealer_first_discard_is_tedashi = False
        env = RiichiEnv(game_mode="4p-red-half", seed=1, rule=rule)
        seen = env.reset(
            oya=asked["dealer"],
            wall=tiles.numbers(dealt + dead),
            round_wind=asked["round"] // 4,
            scores=asked["scores"],
            honba=asked["honba"],
            kyotaku=asked["sticks"],
        )
        return env, seen

    def choices(self) -> dict[int, dict[str, list[Action]]]:
        """The steps behind each legal action of each seat."""
        return {seat: self.choices_of(seat, view.legal_actions()) for seat, view in self.seen.items()}

    def choices_of(self, seat: int, actions: list) -> dict[str, list[Action]]:
        found = {}
        for action in actions:
            if int(action.action_type) == int(ActionType.RIICHI):
                for discard in self.after(seat, action):
                    found["riichi " + self.text(discard)] = [action, discard]
            else:
                found[self.text(action)] = [action]
        return found

    def text(self, action) -> str:
        kind, tile = int(action.action_type), action.tile
        if kind == int(ActionType.DISCARD):
            word = "tsumogiri" if tile == self.env.drawn_tile else "discard"
            return f"{word} {name(tile)}"
        if kind in CALLS:
            names = [name(tile) for tile in sorted(action.consume_tiles)]
            return f"{CALLS[kind]} {names[0][0]}{names[1]}"
        if kind in KANS:
            return f"kan {name(action.consume_tiles[0] if tile is None else tile, reds=False)}"
        return WORDS[kind]

    def after(self, seat: int, riichi) -> list:
        """The discards that RiichiEnv allows after riichi."""
        env, _ = self.deal()
        for step in self.answers:
            env.step(step)
        return env.step({seat: riichi})[seat].legal_actions()

    def act(self, answers: dict[str, str]) -> None:
        known = self.choices()
        steps = {int(seat): known[int(seat)][text] for seat, text in answers.items()}
        for index in range(max(len(step) for step in steps.values())):
            step = {seat: found[index] for seat, found in steps.items() if index < len(found)}
            self.answers.append(step)
            self.seen = self.env.step(step)

    def state(self) -> dict:
        events = in_order(self.env.mjai_log[self.told :])
        self.told += len(events)
        types = [event["type"] for event in events]
        if "end_kyoku" not in types:
            legal = {seat: list(choices) for seat, choices in self.choices().items()}
            return {"legal": legal, "events": events}
        end = types.index("end_kyoku")
        state = {"legal": {}, "events": events[:end]}
        for event in events[end:]:
            if event["type"] == "start_kyoku":
                number = 4 * "ESWN".index(event["bakaze"]) + event["kyoku"] - 1
                state["next"] = {"round": number, "honba": event["honba"], "sticks": event["kyotaku"]}
                state["next"]["scores"] = event["scores"]
        return state


def in_order(events: list[dict]) -> list[dict]:
    """The events with our names of draws. A discard comes before the indicator that it turns."""
    events = [event | {"reason": REASONS.get(event["reason"], event["reason"])} if "reason" in event else event for event in events]
    for at, event in enumerate(events):
        following = [other["type"] for other in events[at + 1 : at + 3]]
        if event["type"] == "dora" and "dahai" in following[: 1 + (following[:1] == ["reach"])]:
            events.insert(at + 1 + following.index("dahai"), events.pop(at))
    return events


def score(question: dict) -> dict:
    hand = won_hand(question)
    found = evaluated(hand, hand.ura if hand.riichi else [], hand.honba)
    if not found.is_win:
        return {"win": False}
    if not hand.tsumo:
        payments = [found.ron_agari]
    elif hand.seat == 0:
        payments = [found.tsumo_agari_ko] * 3
    else:
        payments = [found.tsumo_agari_oya, found.tsumo_agari_ko, found.tsumo_agari_ko]
    yaku = [OF_RIICHIENV[yaku.name_en] for yaku in found.yaku_list() if yaku.name_en not in DORA]
    value = {"win": True, "payments": payments, "yaku": yaku}
    return value if found.yakuman else value | {"han": found.han, "fu": found.fu}


def main() -> None:
    hello = {
        "name": "riichienv",
        "version": version("riichienv"),
        "rules": ["mjsoul"] if "--scoring" in sys.argv else list(RULES),
        "themes": ["scoring"] if "--scoring" in sys.argv else ["perft", "cases", "games"],
    }
    hand = None
    for line in sys.stdin:
        question = json.loads(line)
        try:
            match question["ask"]:
                case "hello":
                    answer = hello
                case "score":
                    answer = score(question)
                case "start":
                    hand = Hand(question)
                    answer = hand.state()
                case "act":
                    hand.act(question["actions"])
                    answer = hand.state()
        except Exception as error:  # noqa: BLE001
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
