//! `jantaku hand`: the page, lines of JSON, and error messages.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};

use serde_json::{Value, json};

use crate::common::program::{ok, text};

fn page(args: &[&str]) -> String {
    ok(&[&["hand"], args].concat())
}

/// Starts the program to answer lines on the returned stdin.
fn start_jsonl() -> (Child, ChildStdin) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jantaku"));
    command.args(["hand", "--jsonl"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let stdin = child.stdin.take().expect("stdin is a pipe");
    (child, stdin)
}

/// The answers to lines on stdin.
pub fn answers(questions: &[u8]) -> Vec<String> {
    let (child, mut stdin) = start_jsonl();
    let questions = questions.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(&questions).expect("the program reads"));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("all questions are written");
    assert!(output.status.success());
    text(&output.stdout).lines().map(str::to_owned).collect()
}

fn answer(question: &Value) -> Value {
    let lines = answers(format!("{question}\n").as_bytes());
    serde_json::from_str(&lines[0]).expect("an answer is JSON")
}

#[test]
fn page_of_a_won_hand() {
    let shown = page(&[
        "23m22z[2222p][345s][678p]+4m",
        "--rinshan",
        "--by",
        "tsumo",
        "--honba",
        "2",
        "--riichi-sticks",
        "1",
    ]);
    let expected = "
  hand     23m22z[2222p][345s][678p]+4m
  shanten  complete
  waits    1m×4 4m×3 – 7 tiles
  won      by tsumo as South in the East round, rules tenhou

  yaku     rinshan                      1
  fu       every win                   20
           tsumo                        2
           pair of 2z                   2
           daiminkan or kakan 2p        8
           rounded up                   8
  value    1 han 40 fu              1,500

  pays     dealer                     900
           each other player          600
           riichi sticks            1,000
           total                    3,100
";
    assert_eq!(shown, expected.trim_start_matches('\n'));
    let yakuman =
        page(&["19m19p19s1234567z+1m", "--by", "tsumo", "--seat", "E", "--first-turn", "--rules", "mjsoul"]);
    for line in ["yaku     tenhou       yakuman", "kokushi-13   double yakuman", "3 yakuman    144,000"] {
        assert!(yakuman.contains(line), "{yakuman}");
    }
    let dora =
        page(&["34m067m345p678s55s+2m", "--riichi=double", "--ippatsu", "--dora", "4m", "--ura", "0s"]);
    let words = dora.split_whitespace().collect::<Vec<_>>().join(" ");
    let yaku =
        "yaku double-riichi 2 ippatsu 1 pinfu 1 tanyao 1 dora 1 ura dora 1 red fives 1 fu every win 20";
    assert!(words.contains(yaku) && words.contains("8 han, baiman 16,000"), "{dora}");
}

/// The page says so where a fact of the question changes nothing, or is only half given.
#[test]
fn notes_tell_of_facts_without_effect() {
    let hand = ["34m567m345p678s55s+2m", "--riichi"];
    let note = |more: &[&str]| {
        let shown = page(&[&hand, more].concat());
        shown.split_once("  note     ").map(|(_, rest)| rest.lines().next().unwrap_or("").to_owned())
    };
    assert_eq!(note(&["--ippatsu"]), None);
    assert_eq!(
        note(&["--ippatsu", "--rules", "jpml-a"]).as_deref(),
        Some("these rules do not count ippatsu")
    );
    assert_eq!(note(&["--dora", "1z", "--ura", "2z"]), None);
    let half = note(&["--ura", "2z"]).expect("a note");
    assert!(half.starts_with("each ura indicator is under a dora indicator"), "{half}");
}

#[test]
fn page_of_a_hand_that_discards() {
    let shown = page(&["34m567m345p678s5s1z+2z"]);
    let expected = "
  hand     34m567m345p678s5s1z+2z
  shanten  1 from tenpai (four sets 1, seven pairs 6, thirteen orphans 11)

  discard  1z  1 from tenpai  2m×4 5m×3 8m×4 5s×3 8s×3 2z×3 – 20 tiles
           2z  1 from tenpai  2m×4 5m×3 8m×4 5s×3 8s×3 1z×3 – 20 tiles
           5s  1 from tenpai  2m×4 5m×3 8m×4 1z×3 2z×3 – 17 tiles
           8s  1 from tenpai  2m×4 5m×3 8m×4 1z×3 2z×3 – 17 tiles
           10 other discards leave a higher shanten
";
    assert_eq!(shown, expected.trim_start_matches('\n'));
    assert!(page(&["123m456p789s1122z"]).contains("\n  shanten  tenpai (four sets 0"));
    assert!(
        page(&["23m456m345p99s[234s]+4m", "--rules", "tenhou-nashi"])
            .contains("none under tenhou-nashi: a win needs a yaku")
    );
    assert!(page(&["234p5p+5p"]).contains("unknown: add the melds"));
    let complete = page(&["123m456p789s11122z"]);
    assert!(complete.contains("  shanten  complete\n"), "{complete}");
    assert!(complete.contains("  value    unknown: write the winning tile after `+`\n"), "{complete}");
    assert!(complete.contains("\n  discard  "), "{complete}");
    let double = page(&["111222333444z5p+5p", "--by", "tsumo", "--rules", "mjsoul"]);
    assert!(double.contains("daisuushii") && double.contains("  double yakuman\n"), "{double}");
    let renhou = page(&["23m456m345p99s678s+4m", "--first-turn", "--rules", "wrc"]);
    assert!(renhou.contains("  yaku     renhou\n  value    mangan"), "{renhou}");
}

#[test]
fn examples_of_the_help_run() {
    let help = page(&["--help"]);
    let examples: Vec<&str> = help.lines().filter_map(|line| line.trim_start().strip_prefix("$ ")).collect();
    let program = env!("CARGO_BIN_EXE_jantaku");
    let run = |example: &str| {
        let command = example.replace("jantaku hand", &format!("{program} hand"));
        let output = Command::new("sh").args(["-c", &command]).output().expect("a shell");
        assert!(output.status.success(), "{example}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    assert_eq!(examples.len(), 3, "{help}");
    let shown = run(examples[0]);
    assert!(shown.contains("riichi") && shown.contains("4 han 30 fu    7,700"), "{shown}");
    let shown = run(examples[1]);
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("pays East, liable 32,000 total 32,000"), "{shown}");
    let expected = json!({
        "id": 1,
        "shanten": { "standard": -1, "seven_pairs": null, "thirteen_orphans": null, "best": -1 },
        "waits": ["2p", "8s"],
        "discards": [],
        "score": {
            "yaku": [{ "name": "toitoi", "han": 2 }, { "name": "sanshoku-doukou", "han": 2 }],
            "han": 4,
            "fu": 30,
            "yakuman": 0,
            "limit": null,
            "points": 7700,
            "payments": { "discarder": 7700, "by_seat": null, "riichi_sticks": 0, "total": 7700 },
        },
        "no_score": null,
        "error": null,
    });
    assert_eq!(serde_json::from_str::<Value>(&run(examples[2])).expect("JSON"), expected);
}

#[test]
fn every_line_has_an_answer() {
    let long = format!("{{\"id\":6,\"hand\":\"{}\"}}", "1".repeat(100_000));
    let lines: Vec<&[u8]> = vec![
        br#"{"id":{"a":[1.50,"x"]},"hand":"23m456m345p678s99s"}"#,
        b"nonsense",
        br#"{"id":"3","hadn":"1m"}"#,
        b"",
        b"{\"id\":5,\"hand\":\"\xff\"}",
        long.as_bytes(),
        br#"{"id":7,"hand":"12x"}"#,
        br#"{"id":8,"hand":"1m","rules":"tenhuo"}"#,
        br#"{"id":9,"hand":"23m456m345p678s99s","by":"luck"}"#,
        br#"{"hand":"23m456m345p678s99s+1m"}"#,
    ];
    let answers = answers(&lines.join(&b'\n'));
    assert_eq!(answers.len(), lines.len(), "the last line without a line feed has an answer");
    assert!(answers[0].starts_with(r#"{"id":{"a":[1.50,"x"]},"shanten":{"standard":0,"#), "{}", answers[0]);
    let expected = [
        (1, "null", "not JSON: `o` at character 2 is not expected there"),
        (2, "\"3\"", "unknown key `hadn`, expected one of `id`, `hand`, "),
        (3, "null", "the line is empty, expected an object such as {"),
        (4, "null", "byte 17 of the line is not UTF-8"),
        (5, "null", "the line is longer than 65536 bytes"),
        (6, "7", r"`hand`: `x` is neither a rank (0-9) nor a suit (m, p, s, z) at character 3\n  12x\n    ^"),
        (
            7,
            "8",
            "`rules`: unknown rules `tenhuo`: no file, and no preset, did you mean `tenhou`? Expected one of tenhou, ",
        ),
        (8, "9", r#"`by`: found \"luck\", expected \"ron\" or \"tsumo\""#),
    ];
    for (index, id, error) in expected {
        let nothing = r#""shanten":null,"waits":[],"discards":[],"score":null,"no_score":null"#;
        let answer = format!("{{\"id\":{id},{nothing},\"error\":\"{error}");
        assert!(answers[index].starts_with(&answer), "{}", answers[index]);
    }
    let keys =
        |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>().join(" ");
    let last: Value = serde_json::from_str(&answers[9]).expect("JSON");
    assert_eq!(keys(&last), "discards error id no_score score shanten waits");
    assert_eq!(keys(&last["score"]), "fu han limit payments points yaku yakuman");
}

/// Hands may come in several words and in full-width characters.
#[test]
fn hands_are_read_as_people_type_them() {
    let shown = |words: &[&str]| page(words).lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let expected = shown(&["34m567m345p678s55s+2m", "--riichi"]);
    assert_eq!(shown(&["34m567m", "345p", "678s55s", "+2m", "--riichi"]), expected);
    assert_eq!(shown(&["３４５６７m３４５p６７８５５ｓ＋２ｍ", "--riichi"]), expected);
}

/// The page says why a concealed triplet counts as open, and counts one discard as one.
#[test]
fn pages_say_what_they_mean() {
    let won = page(&["123m456p789s1155z+5z"]);
    assert!(won.contains("open triplet 5z (completed by ron)"), "{won}");
    let won = page(&["123m456p789s1155z+5z", "--by", "tsumo"]);
    assert!(!won.contains("completed by ron") && won.contains("concealed triplet 5z"), "{won}");
}

/// A program can write a question, wait for the answer, and write the next question.
#[test]
fn each_answer_is_flushed_before_the_next_question() {
    let (mut child, mut stdin) = start_jsonl();
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
    for id in 0..3 {
        writeln!(stdin, "{{\"id\":{id},\"hand\":\"2345p\"}}").expect("the program reads");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("the program answers");
        assert!(line.starts_with(&format!("{{\"id\":{id},")), "{line}");
    }
    drop(stdin);
    assert!(child.wait().expect("the program ends").success());
}

#[test]
fn equal_hands_in_different_notations_have_equal_answers() {
    let melds = ["[123m]", "<7777z>"];
    let questions = [
        json!({"hand": "34p99s567s[123m]<7777z>+2p", "dora": "1p", "seat": "E"}),
        json!({"hand": "34p99s567s", "melds": melds, "win": "2p", "dora": ["1p"], "seat": "East"}),
        json!({"hand": "234p99s567s", "melds": melds.concat(), "win": "2p", "dora": "1p", "seat": "1z"}),
        json!({"hand": "[123M] 34P 99 S <CCCC> 567S +2P", "dora": "🀙", "seat": "E"}),
        json!({"hand": "🀚🀛🀜🀘🀘🀔🀕🀖 [一二三萬] <中中中中>", "win": "二筒", "dora": "1 p", "seat": "東"}),
    ];
    let without =
        json!({"hand": "2345p", "melds": null, "win": null, "riichi": null, "dora": null, "ura": []});
    assert_eq!(answer(&without)["waits"], json!(["2p", "5p"]));
    let answers: Vec<Value> = questions.iter().map(answer).collect();
    assert_eq!(answers[0]["score"]["points"], 5800, "{}", answers[0]);
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

/// Norths set aside give bonus han, more if they are dora, and are not left to draw.
#[test]
fn kita_counts() {
    let question = |kita: u8| {
        answer(&json!({
            "hand": "123p456p789s99p33z", "win": "3z", "riichi": true, "dora": "3z", "kita": kita, "rules": "mjsoul-sanma",
        }))
    };
    assert_eq!((&question(0)["score"]["han"], &question(0)["score"]["points"]), (&json!(1), &json!(1300)));
    assert_eq!((&question(2)["score"]["han"], &question(2)["score"]["points"]), (&json!(5), &json!(8000)));
    let notation = "123p456p789s99p33z+3z";
    let rules = ["--riichi", "--dora", "3z", "--rules", "mjsoul-sanma"];
    let shown = page(&[&[notation, "--kita", "2"][..], &rules].concat());
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("yaku riichi 1 dora 2 kita 2 fu every win 20"), "{shown}");
    let waits = page(&["123p456p789s444z3z", "--kita", "1", "--rules", "tenhou-sanma"]);
    assert!(waits.contains("waits    3z×3 – 3 tiles"), "{waits}");
    let waits = page(&["123p456p789s333z4z", "--kita", "2", "--rules", "tenhou-sanma"]);
    assert!(waits.contains("waits    4z×1 – 1 tile\n"), "{waits}");
}

#[test]
fn payments_follow_the_number_of_players() {
    let paid = |seat: &str, rules: &str| {
        let question = json!({
            "hand": "234p456p678p99p22z", "win": "2z", "by": "tsumo", "seat": seat, "round": "E", "rules": rules, "honba": 1,
        });
        answer(&question)["score"].clone()
    };
    let four = paid("S", "tenhou");
    assert_eq!(four["points"], 8000, "{four}");
    assert_eq!(
        paid("S", "tenhou")["payments"],
        json!({"dealer": 4100, "others": 2100, "by_seat": [-4100, 8300, -2100, -2100], "riichi_sticks": 0, "total": 8300})
    );
    assert_eq!(
        paid("E", "tenhou")["payments"],
        json!({"others": 4000, "by_seat": [12000, -4000, -4000, -4000], "riichi_sticks": 0, "total": 12000})
    );
    assert_eq!(
        paid("S", "tenhou-sanma")["payments"],
        json!({"dealer": 4100, "others": 2100, "by_seat": [-4100, 6200, -2100], "riichi_sticks": 0, "total": 6200})
    );
    assert_eq!(paid("S", "tenhou-sanma")["points"], 6000);
}
