"""An mjai bot that discards every tile it draws. Its argument is its seat."""
import json
import sys

seat = int(sys.argv[1])
for line in sys.stdin:
    events = json.loads(line)
    last = events[-1] if isinstance(events, list) else events
    answer = {"type": "none"}
    if last["type"] == "tsumo" and last["actor"] == seat:
        answer = {"type": "dahai", "actor": seat, "pai": last["pai"], "tsumogiri": True}
    print(json.dumps(answer), flush=True)
