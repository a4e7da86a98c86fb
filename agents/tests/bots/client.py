"""A client of gimite's server: it knows only what the server says is possible, as mjai-manue does.

It joins, wins, declares riichi and melds wherever it can, and ends with the game.
"""

import json
import sys


def discard(hand, drawn, forbidden):
    """The discard of the first tile that is not forbidden."""
    pai = next(pai for pai in hand if pai not in forbidden)
    return {"type": "dahai", "actor": seat, "pai": pai, "tsumogiri": pai == drawn and hand.count(pai) == 1}


def react(event):
    global seat, hand, drawn, in_riichi
    kind, own = event["type"], event.get("actor") == seat
    if kind == "hello":
        assert event["protocol"] == "mjsonp" and seat is None
        return {"type": "join", "name": "client", "room": "default"}
    if kind == "start_game":
        seat = event["id"]
    elif kind == "start_kyoku":
        hand, drawn, in_riichi = event["tehais"][seat], None, False
    elif kind == "hora":
        assert "ura_markers" not in event and isinstance(event["uradora_markers"], list)
    if own:
        if kind == "tsumo":
            hand, drawn = hand + [event["pai"]], event["pai"]
        elif kind == "dahai":
            hand.remove(event["pai"])
            drawn = None
        elif kind == "kakan":
            hand.remove(event["pai"])
        elif kind == "reach_accepted":
            in_riichi = True
        for pai in event.get("consumed", []) if kind != "kakan" else []:
            hand.remove(pai)
    actions = event.get("possible_actions", [])
    for wanted in ["hora", "reach", "ryukyoku", "daiminkan", "ankan", "kakan", "pon", "chi"]:
        for action in actions:
            assert action["actor"] == seat, action
            if action["type"] == wanted:
                return action
    if own and kind == "tsumo":
        if in_riichi:
            return {"type": "dahai", "actor": seat, "pai": drawn, "tsumogiri": True}
        return discard(hand, drawn, [])
    if own and kind in ("chi", "pon", "reach"):
        return discard(hand, drawn, event["cannot_dahai"])
    return {"type": "none"}


seat, hand, drawn, in_riichi = None, [], None, False
for line in sys.stdin:
    event = json.loads(line)
    print(json.dumps(react(event)), flush=True)
    if event["type"] == "end_game":
        break
