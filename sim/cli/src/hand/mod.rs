//! `jantaku hand`.
//!
//! - `page`: the analysis as text

mod page;

use std::io::{self, BufRead, BufReader, Read as _, Write};

use anyhow::Context as _;
use clap::{Command, Id};
use jantaku_engine::Rules;
use jantaku_show::analysis::{Answer, MAX_LINE, Question, Refusal, analyse, answer};
use page::page;

use jantaku_sim::logs::files::read_text;

use super::arguments::load_rules;
use super::output::{Ended, Output, say, say_exact};

/// The end of `--help`.
const MORE: &str = "\
Notation:
  19m 19p 19s  characters, dots, bamboo; 0 is a red five
  1234567z     the winds E S W N, then the white, green and red dragon
  [123m]       a chi; [777z] a pon, [7777z] a daiminkan or kakan,
               <7777z> an ankan; a mark ' after the called tile changes nothing
  +4m          the tile that wins or has just been drawn
  E S W N P F C, 1M, 🀇, 一萬, 東
               letters of honours (P F C: dragons), capitals and tile characters
  Spaces and the order of tiles and melds do not matter.

Players: a seat wind (E, S, W, N), or right (next in turn), across or left of
the winner.

Keys of a question with --jsonl; all except `hand` are optional:
  id                           any JSON, repeated in the answer
  hand, melds                  tiles in notation; `melds` is a string or a list
  win                          the last tile: beside the 13 tiles of `hand`, or
                               one of its 14
  by                           \"ron\" or \"tsumo\"
  from                         the discarder: \"W\" or \"left\"
  seat, round                  winds: \"E\", \"S\", \"W\", \"N\"
  riichi                       true or \"double\"
  dora, ura                    indicators: a string or a list of strings
  open_riichi, ippatsu, haitei, rinshan, kita_replacement, chankan, first_turn,
  riichi_tile, after_kan, discarder_riichi
                               true or false; `haitei` with ron is houtei
  dealer_wins, kita, honba, riichi_sticks
                               whole numbers; `kita` counts the Norths set aside
  pao                          the liable players: {\"daisangen\": \"W\"}; also
                               daisuushii, suukantsu and daiminkan
  rules                        a preset or file; by default --rules

Keys of an answer; all except `id` and `error` are null or empty after an error:
  shanten                      by shape and the best; 0 is tenpai, -1 complete
  waits                        the kinds that complete the hand without its
                               last tile, with or without a yaku
  discards                     best first; `ukeire` are kinds with tiles left,
                               `count` their tiles
  score                        null for a hand that does not win; else `yaku`
                               with han (0 for a yakuman or a fixed limit),
                               `han` with dora, `fu`, the number of `yakuman`,
                               the `limit`, `points` without honba and sticks,
                               and `payments`: those of the `discarder`, the
                               `dealer` and each of the `others` with honba, or
                               `by_seat` from E on, the points of the
                               `riichi_sticks`, and the `total`
  no_score                     null, or why a complete hand does not win
  error                        null, or why the question has no answer

Examples:
  $ jantaku hand '34m567m345p678s55s+2m' --riichi --dora 7s
  $ jantaku hand '34m99s[555z][666z][777z]+2m' --by tsumo --pao daisangen=left
  $ echo '{\"id\":1,\"hand\":\"22p88s[222m][222s][999s]+2p\"}' | jantaku hand --jsonl";

#[derive(clap::Args)]
#[command(after_long_help = MORE)]
pub(super) struct Args {
    /// Analyse this hand, such as '23m456m345p678s99s+4m', in one word or several; - reads it from
    /// stdin
    #[arg(value_name = "NOTATION", required_unless_present = "jsonl")]
    hand: Vec<String>,
    /// Answer questions from stdin: read and print one JSON object per line
    #[arg(long, conflicts_with = "hand", conflicts_with_all = flags())]
    jsonl: bool,
    #[command(flatten)]
    question: Question,
    /// Use a preset or a TOML file; see `jantaku rules list`
    #[arg(long, value_name = "PRESET|FILE", default_value = "tenhou")]
    rules: String,
}

/// The flags that say how the hand is won.
fn flags() -> Vec<Id> {
    let flags = <Question as clap::Args>::augment_args(Command::new("hand"));
    flags.get_arguments().map(|flag| flag.get_id().clone()).collect()
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let rules = load_rules(&args.rules)?;
    if args.jsonl {
        output.check_no_json("`--jsonl` prints lines of JSON already")?;
        answer_lines(BufReader::new(io::stdin()), &rules)?;
        return Ok(Ended::Done);
    }
    let question = Question { hand: notation(&args.hand)?, ..args.question.clone() };
    let analysis = analyse(&question, &rules).map_err(in_words_of_flags)?;
    if output.json {
        say_exact(&format!("{}\n", serde_json::to_string(&Answer::of(analysis))?))?;
    } else {
        say(&page(&question, &analysis, &rules, &args.rules))?;
    }
    Ok(Ended::Done)
}

/// The hand in one text. The only word `-` stands for stdin.
fn notation(words: &[String]) -> anyhow::Result<String> {
    match words {
        [word] if word == "-" => {
            let text = read_text(word.as_ref())?;
            Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        words => Ok(words.join(" ")),
    }
}

/// The refusal with the name of the flag instead of the field.
fn in_words_of_flags(refusal: Refusal) -> anyhow::Error {
    match refusal.field {
        "hand" => refusal.into(),
        field => anyhow::anyhow!("`--{}`: {}", field.replace('_', "-"), refusal.what),
    }
}

/// Answers line by line.
///
/// Flushes the output when no more input is buffered: the other program may wait for an answer.
fn answer_lines(mut input: BufReader<io::Stdin>, rules: &Rules) -> anyhow::Result<()> {
    let mut named = RulesCache { default: *rules, last: None };
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut line = Vec::new();
    while read_line(&mut input, &mut line).context("stdin: cannot read")? {
        let answer = answer(&line, |name| named.find(name));
        let written = write_line(&mut output, &answer, input.buffer().is_empty());
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            written => written.context("cannot print")?,
        }
    }
    Ok(())
}

fn write_line(output: &mut impl Write, answer: &Answer, flush: bool) -> io::Result<()> {
    serde_json::to_writer(&mut *output, answer)?;
    output.write_all(b"\n")?;
    if flush { output.flush() } else { Ok(()) }
}

/// Reads a line without its line feed. False at the end of the input.
///
/// Of a line that is too long, keeps one byte more than the limit and skips the rest.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let read = input.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if read > MAX_LINE {
        input.skip_until(b'\n')?;
    }
    Ok(read > 0)
}

/// The rules that questions name, with a cache of the last ones.
struct RulesCache {
    default: Rules,
    last: Option<(String, Rules)>,
}

impl RulesCache {
    fn find(&mut self, name: Option<&str>) -> Result<Rules, String> {
        let Some(name) = name else { return Ok(self.default) };
        match &self.last {
            Some((last, rules)) if last == name => Ok(*rules),
            _ => {
                let rules = load_rules(name).map_err(|error| format!("`rules`: {error:#}"))?;
                self.last = Some((name.to_owned(), rules));
                Ok(rules)
            }
        }
    }
}
