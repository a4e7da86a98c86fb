//! Programs that play as bots.

/// A bot that discards the drawn tile, and answers its first draw of each game wrongly.
pub const FAULTY: &str = r#"
import json, sys
for line in sys.stdin:
    events = json.loads(line)
    if events[0]["type"] == "start_game":
        seat, wrong = events[0]["id"], True
    answer, last = {"type": "none"}, events[-1]
    if last["type"] == "tsumo" and last["actor"] == seat:
        answer = {"type": "dahai", "pai": last["pai"], "tsumogiri": True}
        if wrong:
            answer, wrong = {"type": "hora"}, False
    print(json.dumps(answer), flush=True)
"#;

/// A bot that discards the drawn tile. It writes its process ID to a file that several bots share.
/// At each start of a game, it appends the number of those bots that are running to a second file.
#[cfg(target_os = "linux")]
pub const COUNTING: &str = r#"
import json, os, sys
seat, pids = int(sys.argv[1]), sys.argv[2]
with open(pids, "a") as file:
    file.write(f"{os.getpid()}\n")
for line in sys.stdin:
    events = json.loads(line)
    if any(event["type"] == "start_game" for event in events):
        count = sum(os.path.exists(f"/proc/{pid.strip()}") for pid in open(pids))
        with open(pids + ".counts", "a") as file:
            file.write(f"{count}\n")
    answer, last = {"type": "none"}, events[-1]
    if last["type"] == "tsumo" and last["actor"] == seat:
        answer = {"type": "dahai", "pai": last["pai"], "tsumogiri": True}
    print(json.dumps(answer), flush=True)
"#;
