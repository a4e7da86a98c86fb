//! `jantaku selfplay`.

use std::fs::File;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, bail};
use jantaku_agents::{Player, parse_players};
use jantaku_engine::{DrawReason, Rules};
use jantaku_sim::play::{Detail, Job, Memory, SelfPlay, Tally, direct, direct_over, play_game};
use jantaku_sim::run::resume;
use jantaku_sim::run::store::place::Place;
use jantaku_sim::run::store::{self, Store as _};
use jantaku_sim::run::{self, Manifest, ParquetSink, RunConfig, Shard};
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
    #[arg(
        long, value_name = "N", required_unless_present = "resume",
        value_parser = number::<u64>(1..=LARGEST), allow_negative_numbers = true
    )]
    games: Option<u64>,
    /// One agent for all seats, or one for each: `greedy` or `greedy,random,greedy:calls=off,tsumogiri`; see `jantaku agents` [default: greedy]
    #[arg(long, value_name = "A[,B,C,D]")]
    agents: Option<String>,
    /// A preset or a TOML file; see `jantaku rules list` [default: tenhou]
    #[arg(long, value_name = "PRESET|FILE")]
    rules: Option<String>,
    /// The seed of the run, from 0 to 9223372036854775807: the same seed plays the same games [default: 0]
    #[arg(long, value_name = "S", value_parser = number::<u64>(0..=LARGEST), allow_negative_numbers = true)]
    seed: Option<u64>,
    /// The folder of the run, which must be new or empty; or a URL (s3://, gs://, az://, file://, memory://) where the program is built with
    /// the feature `cloud`; not needed with `--log none`.
    #[arg(long, value_name = "DIR", required_if_eq("resume", "true"))]
    out: Option<PathBuf>,
    /// How many threads play, at most 1024; all of the machine's if not given.
    #[arg(long, value_name = "T", value_parser = number::<usize>(1..=MOST_THREADS), allow_negative_numbers = true)]
    threads: Option<usize>,
    /// What is written: nothing, games, hands too, or decisions too [default: decisions]
    #[arg(long, value_name = "LEVEL", value_parser = ["none", "games", "hands", "decisions"])]
    log: Option<String>,
    /// How many games are written as one part: what a run loses when it is killed [default: 1000]
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=LARGEST), allow_negative_numbers = true)]
    games_per_part: Option<u64>,
    /// Play a share of the games, as 2/4 the second of four: whole parts, from which `jantaku merge` puts the run together.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Go on with the run in the folder, as its run.toml says. It ends with the same bytes as if it had never stopped.
    #[arg(long)]
    resume: bool,
}

/// What is to be played, and what there is of it.
struct Plan {
    config: RunConfig,
    manifest: Manifest,
    agents: Vec<(String, Player)>,
    out: Option<Out>,
    is_resumed: bool,
    /// Keeps the folder for this program.
    lock: Option<File>,
}

/// Where a run is written.
#[derive(Clone)]
struct Out {
    place: Place,
    folder: PathBuf,
}

impl Out {
    fn open(path: &Path) -> anyhow::Result<Out> {
        let opened = Place::open(path).with_context(|| path.display().to_string());
        opened.map(|(place, folder)| Out { place, folder })
    }

    /// Whether there is no run yet, nor anything else.
    fn check_is_free(&self) -> anyhow::Result<()> {
        match &self.place {
            Place::Folder(_) => super::check_is_free(&self.folder),
            #[cfg(feature = "cloud")]
            Place::Cloud(cloud) => {
                let show = self.folder.display();
                let names = cloud.names(&self.folder).with_context(|| format!("{show}: cannot be used"))?;
                if names.is_empty() { Ok(()) } else { bail!("{show}: is not empty; choose another name") }
            }
        }
    }
}

impl Plan {
    /// The games that are still to be played.
    fn games(&self) -> Range<u64> {
        let Range { start, end } = self.config.range();
        start + self.manifest.games..end
    }

    fn job(&self) -> Job<'_, Player> {
        let RunConfig { seed, games, rules, .. } = &self.config;
        let schedule = SelfPlay { seed: *seed, games: *games };
        Job { rules, schedule, agents: &self.agents, detail: self.config.detail() }
    }
}

/// A finished or interrupted run.
struct Played {
    config: RunConfig,
    first_game: u64,
    tally: Tally,
    manifest: Option<Manifest>,
    seconds: f64,
    threads: usize,
    interrupted: bool,
}

pub(super) fn run(args: &Args, output: Output) -> anyhow::Result<Ended> {
    let mut plan = if args.resume { resumed(args)? } else { fresh(args)? };
    let of_machine = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or_else(of_machine);
    if let Some(out) = plan.out.as_ref().filter(|_| !output.quiet) {
        tell_size(&plan, &out.folder)?;
    }
    let played = play(&mut plan, threads, !output.quiet)?;
    let out = plan.out.as_ref().map(|out| out.folder.as_path());
    if output.json {
        say_json(&as_json(&played, out))?;
    } else if !output.quiet {
        say(&summary(&played, out, &plan.config.rules))?;
    }
    Ok(if played.interrupted { Ended::Interrupted } else { Ended::Done })
}

/// A run that begins.
fn fresh(args: &Args) -> anyhow::Result<Plan> {
    let config = asked(args, None)?;
    config.check().map_err(anyhow::Error::msg)?;
    let out = match (&args.out, config.detail()) {
        (None, Detail::None) => None,
        (Some(_), Detail::None) => {
            bail!("--out DIR is for what --log writes, and `--log none` writes nothing")
        }
        (Some(path), _) => Some(Out::open(path)?),
        (None, _) => bail!("--out DIR is needed to write a run; `--log none` only counts"),
    };
    if let Some(out) = &out {
        out.check_is_free()?;
    }
    let agents = players(&config)?;
    Ok(Plan { config, manifest: Manifest::default(), agents, out, is_resumed: false, lock: None })
}

/// A run that goes on. With everything that a new run needs it may also be one of which nothing has been written yet.
fn resumed(args: &Args) -> anyhow::Result<Plan> {
    let mut out = Out::open(args.out.as_deref().expect("clap asks for the folder"))?;
    let Out { place, folder } = &mut out;
    let show = folder.display();
    let config = folder.join("run.toml");
    let lock = place.lock(folder).with_context(|| show.to_string())?;
    // What was begun of it is in the way of a new run.
    place.discard(&config);
    if place.read(&config).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        if args.games.is_none() {
            bail!("{show}: there is no run.toml, so no run to go on with");
        }
        drop(lock);
        return fresh(args);
    }
    let (found, _) = run::read_started_in(place, folder)?;
    check_agrees(&asked(args, Some(&found))?, &found, folder)?;
    let (config, manifest) = resume::prepare(place, folder)?;
    if matches!(place, Place::Folder(_)) {
        resume::check_kept(folder, &config, &manifest)?;
    }
    let agents = players(&config)?;
    Ok(Plan { config, manifest, agents, out: Some(out), is_resumed: true, lock })
}

/// The run that the command line asks for; what it does not say is as in the given run.
fn asked(args: &Args, given: Option<&RunConfig>) -> anyhow::Result<RunConfig> {
    let text = |word: &Option<String>, of: fn(&RunConfig) -> &str, default: &str| {
        word.clone().unwrap_or_else(|| given.map_or(default, of).to_owned())
    };
    let rules_name = text(&args.rules, |run| &run.rules_name, "tenhou");
    let rules = match (given, &args.rules) {
        (Some(run), None) => run.rules,
        _ => load_rules(&rules_name)?,
    };
    let names = match (given, &args.agents) {
        (Some(run), None) => run.agents.clone(),
        (_, words) => {
            let words = words.as_deref().unwrap_or("greedy");
            let players = parse_players(words, usize::from(rules.players.count()));
            players.with_context(|| format!("--agents {words}"))?.iter().map(Player::to_string).collect()
        }
    };
    let games = args.games.or(given.map(|run| run.games)).expect("clap asks for the number of games");
    let seed = args.seed.or(given.map(|run| run.seed)).unwrap_or(0);
    let log = text(&args.log, |run| &run.log, "decisions");
    let detail = Detail::named(&log).expect("clap has checked the level, and the run is read");
    let new = RunConfig::new(&rules_name, &rules, names, games, seed, detail);
    let per_part = args.games_per_part.or(given.map(|run| run.games_per_part));
    let games_per_part = per_part.unwrap_or(new.games_per_part);
    let shard = args.shard.or_else(|| given.and_then(|run| run.shard));
    Ok(RunConfig { games_per_part, shard, ..new })
}

/// Whether the command line says nothing else than the run that it goes on with.
fn check_agrees(asked: &RunConfig, found: &RunConfig, folder: &Path) -> anyhow::Result<()> {
    let entries = |run: &RunConfig| {
        [
            ("--games", run.games.to_string()),
            ("--agents", run.agents.join(",")),
            ("--rules", format!("{} ({})", run.rules_name, run.rules_hash)),
            ("--seed", run.seed.to_string()),
            ("--log", run.log.clone()),
            ("--games-per-part", run.games_per_part.to_string()),
            ("--shard", run.shard.map_or_else(|| "all games".to_owned(), |shard| shard.to_string())),
        ]
    };
    for ((flag, asked_for), (_, there)) in entries(asked).into_iter().zip(entries(found)) {
        // Rules are the same under any name.
        if asked_for != there && (flag != "--rules" || asked.rules_hash != found.rules_hash) {
            let show = folder.display();
            bail!(
                "{flag}: the run in {show} has {there}, found {asked_for}; with --resume it need not be given"
            );
        }
    }
    Ok(())
}

/// The agents of a run with their names.
fn players(config: &RunConfig) -> anyhow::Result<Vec<(String, Player)>> {
    let words = config.agents.join(",");
    let players = parse_players(&words, config.agents.len()).with_context(|| format!("agents {words}"))?;
    Ok(config.agents.iter().cloned().zip(players).collect())
}

/// Before a large run: how much it will write, from a few games of it.
fn tell_size(plan: &Plan, folder: &Path) -> anyhow::Result<()> {
    const SAMPLE: u64 = 8;
    const LARGE: u64 = 100_000_000;
    let (job, Range { start, end }) = (plan.job(), plan.games());
    let (mut hands, mut decisions) = (0, 0);
    // Ctrl-C ends the program here: nothing is written yet.
    for game in start..start + SAMPLE {
        let (mut memory, fixture) = (Memory::new(Detail::None, job.rules), job.schedule.fixture(game));
        play_game(&job, fixture, &mut memory, &())?;
        let record = memory.finish(game, fixture.seed).expect("the game is over");
        hands += u64::from(record.hand_count);
        decisions += u64::from(record.decision_count);
    }
    // Bytes of a row, as `jantaku info` tells them of runs of `greedy`; other agents take no more.
    let per_sample = match job.detail {
        Detail::None => 0,
        Detail::Games => SAMPLE * 50,
        Detail::Hands => SAMPLE * 50 + hands * 25,
        Detail::Decisions => SAMPLE * 50 + hands * 25 + decisions * 20,
    };
    let size = u128::from(per_sample) * u128::from(end - start) / u128::from(SAMPLE);
    let size = u64::try_from(size).unwrap_or(u64::MAX);
    if size >= LARGE {
        eprintln!("about {} will be written to {}", print::bytes(size), folder.display());
    }
    Ok(())
}

fn play(plan: &mut Plan, threads: usize, shown: bool) -> anyhow::Result<Played> {
    let start = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(|_| "play".to_owned());
    let pool = pool.build().context("cannot start threads")?;
    let (games, config) = (plan.games(), plan.config.clone());
    let mut progress = Progress::games(games.end - games.start, shown)?;
    let (tally, manifest) = match plan.out.clone() {
        None => (pool.install(|| direct(&plan.job(), &mut (), &mut progress))?, None),
        Some(out) => {
            let sink = pool.install(|| open(plan, &out))?;
            progress.watch_writer(sink.waits());
            let (job, games) = (plan.job(), games.clone());
            let played = pool.install(|| play_into(sink, &job, games, &mut progress));
            let (tally, manifest) = played.with_context(|| stopped(&out))?;
            (tally, Some(manifest))
        }
    };
    progress.finish();
    let seconds = start.elapsed().as_secs_f64();
    let interrupted = tally.games < games.end - games.start;
    let played = Played { config, first_game: games.start, tally, manifest, seconds, threads, interrupted };
    if let Some(out) = &mut plan.out {
        write_environment(out, &played)?;
    }
    Ok(played)
}

/// Where the games of a plan are written.
fn open(plan: &mut Plan, out: &Out) -> anyhow::Result<ParquetSink> {
    let (config, Out { place, folder }) = (plan.config.clone(), out.clone());
    if plan.is_resumed {
        return Ok(ParquetSink::go_on(place, &folder, config, plan.manifest.clone()));
    }
    let sink = ParquetSink::start(place, &folder, config)?;
    plan.lock = out.place.lock(&folder).with_context(|| folder.display().to_string())?;
    Ok(sink)
}

/// Plays into a sink until everything is written, or until something goes wrong and nothing is written any more.
fn play_into(
    mut sink: ParquetSink,
    job: &Job<'_, Player>,
    games: Range<u64>,
    progress: &mut Progress,
) -> anyhow::Result<(Tally, Manifest)> {
    let tally = direct_over(job, games, &mut sink, progress)?;
    Ok((tally, sink.finish()?))
}

/// What is there of a run in which something went wrong.
fn stopped(out: &Out) -> String {
    let Out { place, folder } = out;
    let found = run::read_started_in(place, folder).map(|(_, manifest)| manifest.unwrap_or_default());
    match found.map_or(0, |manifest| manifest.games) {
        0 => "stopped before a part was complete; no game is kept".to_owned(),
        games => {
            let show = folder.display();
            format!("stopped; {} games are kept in {show}, those of complete parts", print::thousands(games))
        }
    }
}

/// The only file that differs between runs of the same games.
fn write_environment(out: &mut Out, played: &Played) -> anyhow::Result<()> {
    let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let arguments = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let environment = json!({
        "finished_unix_seconds": since_epoch.map_or(0, |time| time.as_secs()),
        "seconds": played.seconds,
        "first_game": played.first_game,
        "threads": played.threads,
        "system": std::env::consts::OS,
        "machine": std::env::consts::ARCH,
        "host": std::env::var("HOSTNAME").unwrap_or_default(),
        "arguments": arguments.collect::<Vec<_>>(),
    });
    let text = serde_json::to_string_pretty(&environment).expect("JSON") + "\n";
    let path = out.folder.join("environment.json");
    Ok(store::write(&mut out.place, &path, text.as_bytes())?)
}

fn is_resumed(played: &Played) -> bool {
    played.first_game > played.config.range().start
}

fn summary(played: &Played, out: Option<&Path>, rules: &Rules) -> String {
    let Played { config, first_game, tally, manifest, seconds, threads, interrupted } = played;
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
    if let Some(shard) = config.shard {
        text = format!("shard {shard} of a run of {} games\n{text}", many(config.games));
    }
    if is_resumed(played) {
        text = format!("resumed at game {}\n{text}", many(*first_game));
    }
    if *interrupted {
        let asked = config.range().end - first_game;
        let kept = manifest.as_ref().map_or_else(String::new, |manifest| {
            format!("; {} are kept, those of complete parts", many(manifest.games))
        });
        text = format!("interrupted after {} of {} games{kept}\n{text}", many(tally.games), many(asked));
    }
    text += &format!(
        "{seconds:.1} s on {threads} threads: {} games/s, {} hands/s, {} decisions/s\n",
        rate(tally.games),
        rate(tally.hands),
        rate(tally.decisions)
    );
    if let (Some(manifest), Some(folder)) = (manifest, out) {
        text += &format!("{}: {}\n", folder.display(), written(manifest, config.detail()));
        if *interrupted {
            text += "the same command with --resume goes on\n";
        }
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
    let Played { config, first_game, tally, manifest, seconds, threads, interrupted } = played;
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
        "first_game": first_game,
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
        "shard": config.shard,
        "out": out,
        "rows": manifest.as_ref().map(|manifest| manifest.rows),
        "complete": !interrupted,
        "seconds": seconds,
        "threads": threads,
    })
}
