"""A bot that plays like agents/examples/bot.py until its n-th line, and then does something wrong.

    bad.py SEAT FAULT N [FILE]

appends its process ID to FILE. The faults `stubborn` and `hang` start a process of their own and
append its ID, too. `hang` writes FILE.hangs when it stops to answer.
"""

import json
import os
import subprocess
import sys
import time

seat, fault, bad_line = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
if len(sys.argv) > 4:
    with open(sys.argv[4], "a") as pids:
        print(os.getpid(), file=pids)
        if fault in ["stubborn", "hang"]:
            print(subprocess.Popen(["sleep", "1000"]).pid, file=pids)
print("hello from the bot", file=sys.stderr)
if fault == "chatty":
    for _ in range(20):
        print("blah " * (1 << 18), file=sys.stderr)
if fault == "slow start":
    time.sleep(1000)
lines = 0
naps = 3
while True:
    line = sys.stdin.readline()
    if not line:
        if fault == "stubborn":
            time.sleep(1000)
        break
    lines += 1
    events = json.loads(line)
    last = events[-1] if isinstance(events, list) else events
    answer = {"type": "none"}
    is_own = last["type"] == "tsumo" and last["actor"] == seat
    if is_own:
        answer = {"type": "dahai", "actor": seat, "pai": last["pai"], "tsumogiri": True}
    text = json.dumps(answer)
    if lines >= bad_line and is_own:
        if fault == "hang":
            if len(sys.argv) > 4:
                open(sys.argv[4] + ".hangs", "w").close()
            time.sleep(1000)
        elif fault == "die":
            sys.exit(3)
        elif fault == "late":
            time.sleep(3)
        elif fault == "close":
            os.close(1)
            time.sleep(1000)
        elif fault == "deaf":
            os.close(0)
            time.sleep(1000)
        elif fault == "flood":
            while True:
                print(text, flush=True)
        elif fault == "endless line":
            while True:
                sys.stdout.write("x" * 65536)
        elif fault == "garbage":
            text = "I discard the " + last["pai"]
        elif fault == "bytes":
            sys.stdout.buffer.write(b"\xff\xfe\n")
            sys.stdout.flush()
            continue
        elif fault == "number":
            text = "5"
        elif fault == "array":
            text = '["none"]'
        elif fault == "no tile":
            text = json.dumps({"type": "dahai", "actor": seat})
        elif fault == "unknown":
            text = json.dumps({"type": "think"})
        elif fault == "wrong actor":
            text = json.dumps({**answer, "actor": (seat + 1) % 4})
        elif fault == "wrong tile":
            text = json.dumps({**answer, "pai": "1m" if last["pai"] == "9s" else "9s"})
        elif fault == "pass":
            text = json.dumps({"type": "none"})
        elif fault == "other seat":
            text = json.dumps({**answer, "actor": 3 - seat})
        elif fault == "twice":
            print(text, flush=True)
        elif fault == "slow seat" and seat == 0 and naps > 0:
            naps -= 1
            time.sleep(1)
    if last["type"] == "end_game":
        if fault == "leaves":
            break
        elif fault == "last words":
            text = "goodbye"
    print(text, flush=True)
