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

/// A bot that discards the drawn tile, and takes some seconds for each answer: its argument.
pub const SLOW: &str = r#"
import json, sys, time
for line in sys.stdin:
    time.sleep(float(sys.argv[1]))
    last = json.loads(line)[-1]
    answer = {"type": "none"}
    if last["type"] == "tsumo" and last["pai"] != "?":
        answer = {"type": "dahai", "pai": last["pai"], "tsumogiri": True}
    print(json.dumps(answer), flush=True)
"#;
