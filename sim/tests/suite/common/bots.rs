//! Programs that play as bots.

/// A bot that discards what it draws, and answers its first question of each game wrongly.
pub const FAULTY: &str = r#"
import json, sys
seat = int(sys.argv[1])
for line in sys.stdin:
    events = json.loads(line)
    if any(event["type"] == "start_game" for event in events):
        wrong = True
    answer, last = {"type": "none"}, events[-1]
    if last["type"] == "tsumo" and last["actor"] == seat:
        answer = {"type": "dahai", "pai": last["pai"], "tsumogiri": True}
        if wrong:
            answer, wrong = {"type": "hora"}, False
    print(json.dumps(answer), flush=True)
"#;
