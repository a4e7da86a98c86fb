//! `jantaku hand`.
//!
//! - `page`: the analysis as text
//! - `census`: the number of hands at each shanten

mod census;
mod page;

use std::io::{self, BufRead, BufReader, Read as _, Write};

use anyhow::Context as _;
use clap::ValueEnum;
use jantaku_engine::{Riichi, Rules, Wind};
use jantaku_sim::analysis::{Answer, By, LONGEST_LINE, Question, analyse, answer, parse_riichi, parse_wind};
use page::page;

use super::arguments::{load_rules, number};
use super::output::{Ended, Output, say};

/// The end of `--help`.
const MORE: &str = "\
Notation:
  19m 19p 19s  characters, dots, bamboo; 0 is a red five
  1234567z     the winds E S W N, then the white, green and red dragon
  [123m]       a chi; [777z] a pon, [7777z] a daiminkan or kakan, <7777z> an ankan
  +4m          the tile that wins or has just been drawn

Keys of a question with --jsonl; all except `hand` are optional:
  id                           any JSON, repeated in the answer
  hand, melds                  tiles in notation; `melds` is a string or a list of strings
  win                          the last tile: beside the 13 tiles of `hand`, or one of its 14
  by                           \"ron\" or \"tsumo\"
  seat, round                  winds: \"E\", \"S\", \"W\", \"N\"
  riichi                       true or \"double\"
  dora, ura                    indicators: a string or a list of strings
  ippatsu, haitei, rinshan, chankan, first_turn
                               true or false; `haitei` with ron is houtei
  kita                         Norths that the winner has set aside, in a game of three
  honba, riichi_sticks         honba and riichi sticks on the table
  rules                        a preset or file; by default that of --rules

Keys of an answer; all except `id` and `error` are null or empty after an error:
  shanten                      by shape and the best; 0 is tenpai, -1 complete
  waits                        the waits by shape, without the last tile
  discards                     best first; `ukeire` are kinds with tiles left, `count` their tiles
  score                        null for a hand that does not win; else `yaku` with han (0 for a
                               yakuman or a fixed limit), `han` with dora, `fu`, the number of
                               `yakuman`, `points` without honba and sticks, and `payments`: those
                               of the `discarder`, the `dealer` and each of the `others` with honba,
                               the points of the `riichi_sticks`, and the `total`
  error                        null, or why the question has no answer

--census counts every hand of 13 or 14 tiles. The four copies of a kind are different tiles.
With three players, 1m and 9m form no sequences.

Examples:
  $ jantaku hand '34m567m345p678s55s+2m' --riichi --dora 7s
  $ jantaku hand --census --tiles 13 --players 3
  $ echo '{\"id\": 1, \"hand\": \"22p88s[222m][222s][999s]\", \"win\": \"2p\"}' | jantaku hand --jsonl";

#[derive(clap::Args)]
#[command(after_long_help = MORE)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent flag")]
pub(super) struct Args {
    /// Analyse this hand, such as '23m456m345p678s99s+4m'
    #[arg(value_name = "NOTATION", required_unless_present_any = ["jsonl", "census"])]
    hand: Option<String>,
    /// Answer questions from stdin: read and print one JSON object per line
    #[arg(long, conflicts_with = "hand")]
    jsonl: bool,
    #[command(flatten)]
    census: census::Args,
    /// Set how the hand gets its last tile
    #[arg(long, value_name = "HOW", default_value = "ron")]
    by: How,
    /// Set the winner's wind; E is the dealer
    #[arg(long, value_name = "WIND", default_value = "S", value_parser = parse_wind)]
    seat: Wind,
    /// Set the round's wind
    #[arg(long, value_name = "WIND", default_value = "E", value_parser = parse_wind)]
    round: Wind,
    /// Win in riichi; `double` is a riichi in the first turn
    #[arg(long, value_name = "single|double", num_args = 0..=1, require_equals = true, default_missing_value = "single", value_parser = parse_riichi)]
    riichi: Option<Riichi>,
    /// Win after riichi, before the winner's next discard and without a call in between
    #[arg(long)]
    ippatsu: bool,
    /// Set the dora indicators, such as 7s4z
    #[arg(long, value_name = "TILES", default_value = "", hide_default_value = true)]
    dora: String,
    /// Set the ura indicators
    #[arg(long, value_name = "TILES", default_value = "", hide_default_value = true)]
    ura: String,
    /// Win on the last tile: haitei, or houtei by ron
    #[arg(long)]
    haitei: bool,
    /// Win on the replacement tile of a kan
    #[arg(long)]
    rinshan: bool,
    /// Win on a tile that another player declares a kan with
    #[arg(long)]
    chankan: bool,
    /// Win before the winner's first discard and before any call
    #[arg(long)]
    first_turn: bool,
    /// Set how many Norths the winner has set aside, in a game of three
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u8>(0..=4), allow_negative_numbers = true)]
    kita: u8,
    /// Set the honba on the table
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u16>(0..=u16::MAX.into()), allow_negative_numbers = true)]
    honba: u16,
    /// Set the riichi sticks on the table
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u16>(0..=u16::MAX.into()), allow_negative_numbers = true)]
    riichi_sticks: u16,
    /// Use a preset or a TOML file; see `jantaku rules list`
    #[arg(long, value_name = "PRESET|FILE", default_value = "tenhou")]
    rules: String,
}

/// [`By`] on the command line.
#[derive(Clone, Copy, ValueEnum)]
enum How {
    Ron,
    Tsumo,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    if args.census.census {
        return census::run(&args.census, output);
    }
    let rules = load_rules(&args.rules)?;
    let Some(hand) = &args.hand else {
        answer_lines(BufReader::new(io::stdin()), &rules)?;
        return Ok(Ended::Done);
    };
    let question = question(args, hand);
    let analysis = analyse(&question, &rules)?;
    if output.json {
        say(&format!("{}\n", serde_json::to_string(&Answer::of(analysis))?))?;
    } else {
        say(&page(&question, &analysis, &rules, &args.rules))?;
    }
    Ok(Ended::Done)
}

fn question(args: &Args, hand: &str) -> Question {
    Question {
        by: match args.by {
            How::Ron => By::Ron,
            How::Tsumo => By::Tsumo,
        },
        seat: args.seat,
        round: args.round,
        riichi: args.riichi.unwrap_or_default(),
        ippatsu: args.ippatsu,
        dora: args.dora.clone(),
        ura: args.ura.clone(),
        haitei: args.haitei,
        rinshan: args.rinshan,
        chankan: args.chankan,
        first_turn: args.first_turn,
        kita: args.kita,
        honba: args.honba,
        riichi_sticks: args.riichi_sticks,
        ..Question::new(hand)
    }
}

/// Answers line by line.
///
/// Flushes the output when no more input is buffered: the other program may wait for an answer.
fn answer_lines(mut input: BufReader<io::Stdin>, rules: &Rules) -> anyhow::Result<()> {
    let mut named = NamedRules { default: *rules, last: None };
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
    let read = input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if read > LONGEST_LINE {
        input.skip_until(b'\n')?;
    }
    Ok(read > 0)
}

/// The rules that questions name, with a cache of the last ones.
struct NamedRules {
    default: Rules,
    last: Option<(String, Rules)>,
}

impl NamedRules {
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
