//! `jantaku selfplay`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, bail};
use jantaku_agents::{Player, parse_players};
use jantaku_engine::{DrawReason, Rules};
use jantaku_sim::record::Detail;
use jantaku_sim::run::{self, Manifest, ParquetSink, RunConfig};
use jantaku_sim::runner::{Job, direct, play_game};
use jantaku_sim::schedule::SelfPlay;
use jantaku_sim::store::{self, Folder};
use jantaku_sim::tally::Tally;
use serde_json::json;

use super::progress::Progress;
use super::{Ended, Output, load_rules, number, print, say, say_json};

/// Numbers that a TOML file can hold.
const LARGEST: u64 = i64::MAX as u64;

/// More threads than any machine has would only take its memory.
const MOST_THREADS: u64 = 1024;

#[derive(clap::Args)]
pub(super) struct Args {
    /// How many games are played.
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=LARGEST), allow_negative_numbers = true)]
    games: u64,
    /// One agent for all seats, or one for each: `greedy` or `greedy,random,greedy:calls=off,tsumogiri`; see `jantaku agents`.
    #[arg(long, value_name = "A[,B,C,D]", default_value = "greedy")]
    agents: String,
    /// A preset or a TOML file; see `jantaku rules list`.
    #[arg(long, value_name = "PRESET|FILE", default_value = "tenhou")]
    rules: String,
    /// The seed of the run, from 0 to 9223372036854775807: the same seed plays the same games.
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = number::<u64>(0..=LARGEST), allow_negative_numbers = true)]
    seed: u64,
    /// The folder of the run, which must be new or empty; not needed with `--log none`.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many threads play, at most 1024; all of the machine's if not given.
    #[arg(long, value_name = "T", value_parser = number::<usize>(1..=MOST_THREADS), allow_negative_numbers = true)]
    threads: Option<usize>,
    /// What is written: nothing, games, hands too, or decisions too.
    #[arg(long, value_name = "LEVEL", default_value = "decisions", value_parser = ["none", "games", "hands", "decisions"])]
    log: String,
}

/// A finished or interrupted run.
struct Played {
    config: RunConfig,
    tally: Tally,
    manifest: Option<Manifest>,
    seconds: f64,
    threads: usize,
    interrupted: bool,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let rules = load_rules(&args.rules)?;
    let seats = usize::from(rules.players.count());
    let players = parse_players(&args.agents, seats).with_context(|| format!("--agents {}", args.agents))?;
    let names: Vec<String> = players.iter().map(Player::to_string).collect();
    let detail = Detail::named(&args.log).expect("clap has checked the level");
    let config = RunConfig::new(&args.rules, &rules, names.clone(), args.games, args.seed, detail);
    let job = Job {
        rules: &rules,
        schedule: SelfPlay { seed: args.seed, games: args.games },
        agents: &names.into_iter().zip(players).collect::<Vec<_>>(),
        detail,
    };
    let out = match (&args.out, detail) {
        (None, Detail::None) => None,
        (Some(_), Detail::None) => {
            bail!("--out DIR is for what --log writes, and `--log none` writes nothing")
        }
        (Some(folder), _) => Some(folder.as_path()),
        (None, _) => bail!("--out DIR is needed to write a run; `--log none` only counts"),
    };
    let of_machine = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or_else(of_machine);
    if let Some(folder) = out {
        super::check_is_free(folder)?;
        if !output.quiet {
            tell_size(&job, folder)?;
        }
    }
    let played = play(&job, config, out, threads, !output.quiet)?;
    if output.json {
        say_json(&as_json(&played, out))?;
    } else if !output.quiet {
        say(&summary(&played, out, &rules))?;
    }
    Ok(if played.interrupted { Ended::Interrupted } else { Ended::Done })
}

/// Before a large run: how much it will write, from a few games of it.
fn tell_size(job: &Job<'_, Player>, folder: &Path) -> anyhow::Result<()> {
    const SAMPLE: u64 = 8;
    const LARGE: u64 = 100_000_000;
    let (mut hands, mut decisions) = (0, 0);
    // Ctrl-C ends the program here: nothing is written yet.
    for game in 0..SAMPLE {
        let mut tally = Tally::default();
        play_game(job, job.schedule.fixture(game), &mut tally, &())?;
        hands += tally.hands;
        decisions += tally.decisions;
    }
    // Bytes of a row, as measured over runs of all agents.
    let per_sample = match job.detail {
        Detail::None => 0,
        Detail::Games => SAMPLE * 40,
        Detail::Hands => SAMPLE * 40 + hands * 40,
        Detail::Decisions => SAMPLE * 40 + hands * 40 + decisions * 30,
    };
    let size = u128::from(per_sample) * u128::from(job.schedule.games) / u128::from(SAMPLE);
    let size = u64::try_from(size).unwrap_or(u64::MAX);
    if size >= LARGE {
        eprintln!("about {} will be written to {}", print::bytes(size), folder.display());
    }
    Ok(())
}

fn play(
    job: &Job<'_, Player>,
    config: RunConfig,
    out: Option<&Path>,
    threads: usize,
    shown: bool,
) -> anyhow::Result<Played> {
    let start = Instant::now();
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
    let mut progress = Progress::games(job.schedule.games, shown)?;
    let (tally, manifest) = match out {
        None => (pool.install(|| direct(job, &mut (), &mut progress))?, None),
        Some(folder) => {
            let sink = ParquetSink::start(Folder, folder, config.clone())?;
            let played = pool.install(|| play_into(sink, job, &mut progress));
            let (tally, manifest) = played.with_context(|| stopped(folder))?;
            (tally, Some(manifest))
        }
    };
    progress.finish();
    let seconds = start.elapsed().as_secs_f64();
    let interrupted = tally.games < job.schedule.games;
    let played = Played { config, tally, manifest, seconds, threads, interrupted };
    if let Some(folder) = out {
        write_environment(folder, &played)?;
    }
    Ok(played)
}

/// Plays into a sink until everything is written, or until something goes wrong and nothing is written any more.
fn play_into(
    mut sink: ParquetSink,
    job: &Job<'_, Player>,
    progress: &mut Progress,
) -> anyhow::Result<(Tally, Manifest)> {
    let tally = direct(job, &mut sink, progress)?;
    Ok((tally, sink.finish()?))
}

/// What is there of a run in which something went wrong.
fn stopped(folder: &Path) -> String {
    match run::read(folder).map_or(0, |(_, manifest)| manifest.games) {
        0 => "stopped before a part was complete; no game is kept".to_owned(),
        games => {
            let show = folder.display();
            format!("stopped; {} games are kept in {show}, those of complete parts", print::thousands(games))
        }
    }
}

/// The only file that differs between runs of the same games.
fn write_environment(folder: &Path, played: &Played) -> anyhow::Result<()> {
    let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let arguments = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let environment = json!({
        "finished_unix_seconds": since_epoch.map_or(0, |time| time.as_secs()),
        "seconds": played.seconds,
        "threads": played.threads,
        "system": std::env::consts::OS,
        "machine": std::env::consts::ARCH,
        "host": std::env::var("HOSTNAME").unwrap_or_default(),
        "arguments": arguments.collect::<Vec<_>>(),
    });
    let text = serde_json::to_string_pretty(&environment).expect("JSON") + "\n";
    Ok(store::write(&mut Folder, &folder.join("environment.json"), text.as_bytes())?)
}

fn summary(played: &Played, out: Option<&Path>, rules: &Rules) -> String {
    let Played { config, tally, manifest, seconds, threads, interrupted } = played;
    let rate = |count: u64| print::thousands((count as f64 / seconds) as u64);
    let many = print::thousands;
    let mut agents = config.agents.clone();
    agents.dedup();
    let mut text = format!(
        "{} games of {} under {}, seed {}: {} hands, {} decisions\n",
        many(tally.games),
        agents.join(", "),
        config.rules_name,
        config.seed,
        many(tally.hands),
        many(tally.decisions)
    );
    if *interrupted {
        let kept = manifest.as_ref().map_or_else(String::new, |manifest| {
            format!("; {} are kept, those of complete parts", many(manifest.games))
        });
        text =
            format!("interrupted after {} of {} games{kept}\n{text}", many(tally.games), many(config.games));
    }
    text += &format!(
        "{seconds:.1} s on {threads} threads: {} games/s, {} hands/s, {} decisions/s\n",
        rate(tally.games),
        rate(tally.hands),
        rate(tally.decisions)
    );
    if let (Some(manifest), Some(folder)) = (manifest, out) {
        text += &format!("{}: {}\n", folder.display(), written(manifest, config.detail()));
    }
    text + "\nhands\n"
        + &print::table(&hand_rows(tally))
        + "\nseats\n"
        + &print::table(&seat_rows(played, rules))
}

/// What is in the folder: the rows of the tables that are kept.
fn written(manifest: &Manifest, detail: Detail) -> String {
    let rows = manifest.rows;
    let tables = [
        (Detail::Games, "games", rows.games),
        (Detail::Hands, "hands", rows.hands),
        (Detail::Decisions, "decisions", rows.decisions),
    ];
    let kept = tables.iter().filter(|(level, ..)| *level <= detail);
    let kept: Vec<String> =
        kept.map(|(_, name, rows)| format!("{} {name}", print::thousands(*rows))).collect();
    match manifest.parts.len() {
        0 => "no games: no part is complete".to_owned(),
        1 => format!("{} in 1 part", kept.join(", ")),
        parts => format!("{} in {parts} parts", kept.join(", ")),
    }
}

/// How often hands ended in which way.
fn hand_rows(tally: &Tally) -> Vec<Vec<String>> {
    let tsumo: u64 = tally.seats.iter().map(|seat| seat.tsumo).sum();
    let share = |name: &str, count: u64| {
        vec![name.to_owned(), print::percent(count, tally.hands), print::thousands(count)]
    };
    let mut rows = vec![
        share("won by self-draw", tsumo),
        share("won by ron", tally.won_hands() - tsumo),
        share("  by several players", tally.multiple_rons),
    ];
    rows.extend(
        DrawReason::ALL
            .iter()
            .zip(tally.draws)
            .filter(|(reason, count)| **reason != DrawReason::Chombo || *count > 0)
            .map(|(reason, count)| share(&format!("draw: {reason}"), count)),
    );
    rows
}

/// What became of each seat.
fn seat_rows(played: &Played, rules: &Rules) -> Vec<Vec<String>> {
    let tally = &played.tally;
    let places = usize::from(rules.players.count());
    let head = [
        "agent",
        "win",
        "tsumo",
        "ron",
        "deal-in",
        "riichi",
        "call",
        "win pts",
        "deal-in pts",
        "points",
        "result",
        "rank",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows[0].extend((1..=places).map(|place| format!("{place}.")));
    for (number, (agent, seat)) in played.config.agents.iter().zip(&tally.seats).enumerate() {
        let share = |count: u64| print::percent_short(count, tally.hands);
        let mut row = vec![
            format!("{number} {agent}"),
            share(seat.wins()),
            share(seat.tsumo),
            share(seat.ron),
            share(seat.deal_ins),
            share(seat.riichi),
            share(seat.called),
            print::mean(seat.win_points, seat.wins()),
            print::mean(seat.deal_in_points, seat.deal_ins),
            print::mean(seat.points, tally.games),
            if tally.games == 0 {
                "–".to_owned()
            } else {
                format!("{:+.1}", seat.results as f64 / 1000.0 / tally.games as f64)
            },
            seat.mean_place().map_or_else(|| "–".to_owned(), |place| format!("{place:.3}")),
        ];
        row.extend(seat.places[..places].iter().map(|count| print::percent_short(*count, tally.games)));
        rows.push(row);
    }
    rows
}

fn as_json(played: &Played, out: Option<&Path>) -> serde_json::Value {
    let Played { config, tally, manifest, seconds, threads, interrupted } = played;
    let draws: serde_json::Map<String, serde_json::Value> = DrawReason::ALL
        .iter()
        .zip(tally.draws)
        .map(|(reason, count)| (reason.name().to_owned(), count.into()))
        .collect();
    let seats = config.agents.iter().zip(&tally.seats).map(|(agent, seat)| {
        json!({
            "agent": agent,
            "tsumo": seat.tsumo,
            "ron": seat.ron,
            "deal_ins": seat.deal_ins,
            "riichi": seat.riichi,
            "called": seat.called,
            "win_points": seat.win_points,
            "deal_in_points": seat.deal_in_points,
            "points": seat.points,
            "results": seat.results,
            "places": seat.places[..config.agents.len()],
        })
    });
    json!({
        "games": tally.games,
        "hands": tally.hands,
        "decisions": tally.decisions,
        "won_hands": tally.won_hands(),
        "multiple_rons": tally.multiple_rons,
        "draws": draws,
        "seats": seats.collect::<Vec<_>>(),
        "rules": config.rules_name,
        "rules_hash": config.rules_hash,
        "seed": config.seed,
        "out": out,
        "rows": manifest.as_ref().map(|manifest| manifest.rows),
        "complete": !interrupted,
        "seconds": seconds,
        "threads": threads,
    })
}
