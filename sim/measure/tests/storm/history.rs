//! The whole life of a run, with accidents, from one seed.

use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use jantaku_engine::Rng;
use jantaku_measure::arena::{MatchResult, MatchSpeed};
use jantaku_sim::play::{Detail, Watch};
use jantaku_sim::replay::verify::verify_hashes;
use jantaku_sim::run::{self, Run, Shard};
use jantaku_sim::store::{Disk as _, Store};

use super::accidents::{Accident, Clock, Visitor};
use super::bucket::SimBucket;
use super::disk::SimDisk;
use super::plan::{Kind, Plan};

/// Lives with accidents; the one after them has none.
const TROUBLED: u64 = 4;
/// Lives without accidents in which a run must end.
const CALM: u64 = 5;

/// The files of a run, by their paths in it.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Where the runs of a history are.
#[derive(Clone)]
pub enum Place {
    Disk(SimDisk),
    Bucket(SimBucket),
}

impl Place {
    fn clock(&self) -> &Clock {
        match self {
            Place::Disk(disk) => &disk.clock,
            Place::Bucket(bucket) => &bucket.clock,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Place::Disk(_) => "on a disk",
            Place::Bucket(_) => "in a bucket",
        }
    }

    fn all(&self, folder: &Path) -> Files {
        match self {
            Place::Disk(disk) => disk.all(folder),
            Place::Bucket(bucket) => bucket.all(folder),
        }
    }

    fn restart(&self, has_lost_power: bool) {
        match self {
            Place::Disk(disk) => disk.restart(has_lost_power),
            Place::Bucket(bucket) => bucket.restart(),
        }
    }

    fn damage(&self, path: &Path, bytes: Option<Vec<u8>>) {
        match self {
            Place::Disk(disk) => disk.damage(path, bytes),
            Place::Bucket(bucket) => bucket.damage(path, bytes),
        }
    }
}

/// The places of the histories that are played now, by their numbers.
static PLACES: LazyLock<Mutex<HashMap<String, Place>>> = LazyLock::new(Mutex::default);

fn places() -> std::sync::MutexGuard<'static, HashMap<String, Place>> {
    PLACES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens the store of a URL such as `storm://7/run`.
pub fn open(url: &str) -> std::io::Result<Arc<dyn Store>> {
    let number = url.split('/').nth(2).unwrap_or_default();
    match places().get(number) {
        Some(Place::Disk(disk)) => Ok(Arc::new(disk.clone())),
        Some(Place::Bucket(bucket)) => Ok(Arc::new(bucket.clone())),
        None => Err(ErrorKind::NotFound.into()),
    }
}

/// Counts of all histories.
#[derive(Default)]
pub struct Totals {
    pub lives: AtomicU64,
    pub disturbed: AtomicU64,
    pub steps: AtomicU64,
}

/// Stops after some questions, as Ctrl-C does.
struct Patience(AtomicU64);

impl Watch for Patience {
    fn progress(&mut self, _: u64) {}

    fn should_stop(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }
}

/// What a life does.
#[derive(Clone, Copy)]
enum Act {
    /// It plays, or a share of it.
    Play(Option<Shard>),
    /// It merges shards, or repairs a run.
    Mend,
}

struct History<'a> {
    rng: Rng,
    place: Place,
    root: PathBuf,
    plan: Plan,
    totals: &'a Totals,
    /// Whether others may write the run, or changed its files: then it may lose games.
    is_alone: bool,
    /// Whether this life has no accidents.
    is_calm: bool,
    /// A file that is damaged.
    damaged: Option<PathBuf>,
    /// The games that survive a power failure.
    durable: u64,
    /// The folders of all shards.
    shards: Vec<PathBuf>,
    /// What happened, for a message.
    told: Vec<String>,
}

/// Plays a history and tells it.
///
/// # Errors
///
/// What went wrong, after the same report.
pub fn play(seed: u64, totals: &Totals) -> Result<String, String> {
    let mut rng = Rng::new(seed);
    let clock = Clock::default();
    let place = match rng.below(3) {
        0 => Place::Bucket(SimBucket::new(clock)),
        _ => Place::Disk(SimDisk::new(clock)),
    };
    let kind = match rng.below(200) {
        0..20 if matches!(place, Place::Disk(_)) => Kind::League { agents: 3 },
        20..40 => Kind::Match { has_test: false },
        40 => Kind::Match { has_test: true },
        _ => Kind::Run,
    };
    let detail = match rng.below(8) {
        0 => Detail::Decisions,
        1 => Detail::Hands,
        _ if matches!(kind, Kind::Match { .. }) => Detail::Hands,
        _ => Detail::Games,
    };
    let (sets, per_part) = match kind {
        // A test decides after a hundred sets.
        Kind::Match { has_test: true } => (100, 50),
        Kind::Run => (1 + rng.below(4), 1 + rng.below(2)),
        _ => (1 + rng.below(2), 1 + rng.below(2)),
    };
    let (sets, per_part) = (sets as u64, per_part as u64);
    let plan = Plan { kind, sets, per_part, detail, seed: rng.below(4) as u64 };
    places().insert(seed.to_string(), place.clone());
    let root = PathBuf::from(format!("storm://{seed}"));
    let told = vec![format!("history {seed}: {plan:?}, {}", place.name())];
    let (is_alone, is_calm, damaged, durable) = (true, true, None, 0);
    let shards = Vec::new();
    let mut history =
        History { rng, place, root, plan, totals, is_alone, is_calm, damaged, durable, shards, told };
    let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| history.tell()));
    places().remove(&seed.to_string());
    let History { root, place, mut told, .. } = history;
    let files = place.all(&root);
    told.extend(files.iter().map(|(path, bytes)| format!("{}: {} bytes", path.display(), bytes.len())));
    let report = told.join("\n  ");
    match ended.unwrap_or_else(|_| Err("a panic".to_owned())) {
        Ok(()) => Ok(report),
        Err(wrong) => Err(format!("{report}\n  wrong: {wrong}")),
    }
}

/// A merge that is killed at each of its steps, and repeated: its run survives a power failure then.
pub fn merge_after_kills() {
    let disk = SimDisk::new(Clock::default());
    places().insert("merged".to_owned(), Place::Disk(disk.clone()));
    let [one, two, run] = ["1", "2", "run"].map(|name| PathBuf::from(format!("storm://merged/{name}")));
    let plan = Plan { kind: Kind::Run, sets: 2, per_part: 1, detail: Detail::Games, seed: 0 };
    let shards = [one, two];
    for (number, path) in (1..).zip(&shards) {
        let shard = format!("{number}/2").parse().expect("a shard");
        plan.live(path, Some(shard), (true, false), &mut ()).expect("a calm life");
    }
    for (kill, seed) in (1..).flat_map(|kill| (0..8).map(move |seed| (kill, seed))) {
        disk.clock.begin(seed, vec![(kill, Accident::Kill)]);
        run::merge(&shards, &run).ok();
        let was_killed = !disk.clock.is_alive();
        disk.restart(false);
        disk.clock.begin(seed, Vec::new());
        let again = run::merge(&shards, &run).map_err(|error| error.to_string());
        assert!(again.is_ok() || again.is_err_and(|error| error.contains("already holds a run")));
        disk.restart(true);
        let (_, manifest) = run::read(&run).unwrap_or_else(|error| panic!("killed at step {kill}: {error}"));
        assert!(manifest.complete);
        if !was_killed {
            break;
        }
        disk.remove_all(&run).expect("a folder");
    }
    places().remove("merged");
}

/// A merge in a bucket that loses the answer of each of its steps, and whose later steps are refused, from each
/// one to each one: it can be repeated, or its run is whole.
pub fn merge_after_lost_answers() {
    let bucket = SimBucket::new(Clock::default());
    let place = Place::Bucket(bucket.clone());
    places().insert("lost".to_owned(), place.clone());
    let [shard, run] = ["1", "run"].map(|name| PathBuf::from(format!("storm://lost/{name}")));
    let plan = Plan { kind: Kind::Run, sets: 1, per_part: 1, detail: Detail::Games, seed: 0 };
    plan.live(&shard, Some("1/1".parse().expect("a shard")), (true, false), &mut ()).expect("a calm life");
    let merge = || run::merge(std::slice::from_ref(&shard), &run).map_err(|error| error.to_string());
    merge().expect("a calm merge");
    let whole = lasting(place.all(&run));
    // More steps than a merge has, and than it takes to remove its files.
    for (lost, first, last) in (1..40)
        .flat_map(|lost| (1..12).flat_map(move |first| (first..12).map(move |last| (lost, first, last))))
    {
        bucket.remove_folder(&run).expect("a folder");
        let refused = (lost + first..=lost + last).map(|step| (step, Accident::Refuse(ErrorKind::TimedOut)));
        bucket.clock.begin(0, [(lost, Accident::AnswerLost)].into_iter().chain(refused).collect());
        let merged = merge();
        bucket.clock.begin(0, Vec::new());
        if merged.is_err()
            && let Err(error) = merge()
        {
            assert!(error.contains("already holds a run"), "{lost}, {first} to {last}: {error}");
        }
        assert!(lasting(place.all(&run)) == whole, "{lost}, {first} to {last}");
    }
    places().remove("lost");
}

/// A match that begins, while two others play it as a whole at its first steps. No two write at once.
pub fn two_rivals_at_each_step() {
    let kind = Kind::Match { has_test: false };
    let plan = Plan { kind, sets: 1, per_part: 1, detail: Detail::Hands, seed: 0 };
    for (one, two) in (1..8).flat_map(|one| (one + 1..16).map(move |two| (one, two))) {
        let disk = SimDisk::new(Clock::default());
        let place = Place::Disk(disk.clone());
        places().insert("rivals".to_owned(), place.clone());
        let run = Path::new("storm://rivals/run");
        disk.clock.begin(0, [one, two].map(|step| (step, rival(&place, run, plan, None, true))).into());
        // It may hear that the match is there.
        plan.live(run, None, (false, false), &mut ()).ok();
    }
    places().remove("rivals");
}

/// Writes the manifest anew from a part with one wrong bit, for each bit of its first pages.
pub fn rebuild_from_damaged_parts() {
    let disk = SimDisk::new(Clock::default());
    places().insert("damaged".to_owned(), Place::Disk(disk.clone()));
    let run = PathBuf::from("storm://damaged/run");
    let plan = Plan { kind: Kind::Run, sets: 1, per_part: 1, detail: Detail::Games, seed: 0 };
    plan.live(&run, None, (true, false), &mut ()).expect("a calm life");
    let part = run.join("games/part-000000.parquet");
    let bytes = disk.read_file(&part).expect("the part");
    for bit in 0..160 * 8 {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        disk.damage(&part, Some(changed));
        disk.damage(&run.join("manifest.json"), None);
        run::rebuild_manifest(&run, false).ok();
    }
    places().remove("damaged");
}

/// An uninterrupted run, match or league.
struct Whole {
    files: Files,
    steps: u64,
    /// The result of a match.
    result: Option<String>,
}

/// What becomes of a plan without accidents.
fn whole(plan: Plan) -> Arc<Whole> {
    static WHOLE: LazyLock<Mutex<BTreeMap<Plan, Arc<Whole>>>> = LazyLock::new(Mutex::default);
    if let Some(found) = WHOLE.lock().expect("it is whole").get(&plan) {
        return Arc::clone(found);
    }
    let clock = Clock::default();
    let place = Place::Disk(SimDisk::new(clock.clone()));
    let name = format!("whole{:?}", std::thread::current().id());
    places().insert(name.clone(), place.clone());
    let path = PathBuf::from(format!("storm://{name}/run"));
    clock.begin(0, Vec::new());
    let is_complete = plan.live(&path, None, (true, false), &mut ()).expect("a calm life");
    assert!(is_complete, "a calm life ends");
    let steps = clock.end().0;
    let found = Arc::new(Whole { files: lasting(place.all(&path)), steps, result: result_of(plan, &path) });
    places().remove(&name);
    WHOLE.lock().expect("it is whole").insert(plan, Arc::clone(&found));
    found
}

/// The result of a match as JSON, without its place and speed.
fn result_of(plan: Plan, path: &Path) -> Option<String> {
    let Kind::Match { .. } = plan.kind else { return None };
    let read = MatchResult::read(path).expect("a complete match");
    let result = MatchResult { out: None, speed: MatchSpeed::default(), ..read };
    Some(serde_json::to_string(&result).expect("a result is JSON"))
}

/// The files that are the same in every life of a run.
fn lasting(mut files: Files) -> Files {
    files.retain(|path, _| {
        let name = path.to_string_lossy();
        !name.ends_with("environment.json") && !name.starts_with("result.") && !name.ends_with(".partial")
    });
    files
}

/// Somebody merges shards of which this one may not be complete.
fn merger(shard: &Path, paths: &[PathBuf], run: &Path) -> Accident {
    let (shard, paths, run) = (shard.to_owned(), paths.to_owned(), run.to_owned());
    Accident::Visit(Visitor(
        "a merge",
        Arc::new(move || {
            if run::merge(&paths, &run).is_ok() {
                assert!(
                    run::read(&shard).is_ok_and(|(_, manifest)| manifest.complete),
                    "a part of a shard is merged"
                );
            }
        }),
    ))
}

/// Another worker got the same run.
fn rival(place: &Place, run: &Path, plan: Plan, shard: Option<Shard>, creates: bool) -> Accident {
    let (place, run) = (place.clone(), run.to_owned());
    Accident::Visit(Visitor(
        "a rival",
        Arc::new(move || {
            let is_writing = matches!(&place, Place::Disk(disk) if disk.is_writing());
            let played = plan.live(&run, shard, (creates, false), &mut ());
            assert!(!is_writing || played.is_err(), "two programs write a run");
        }),
    ))
}

/// Somebody reads the runs: every file that a manifest names is whole.
fn reader(runs: Vec<PathBuf>) -> Accident {
    let read = move |run: &PathBuf| {
        if run::read(run).is_ok_and(|(_, manifest)| manifest.games > 0) {
            let wrong = |what: String| panic!("a reader found: {what}");
            let (mut differs, mut unreadable) = (None, None);
            let read = verify_hashes(
                run,
                &mut (),
                |found| differs = Some(found.to_string()),
                |error| unreadable = Some(error.to_string()),
            );
            read.map_or_else(|error| wrong(error.to_string()), |_| ());
            differs.or(unreadable).into_iter().for_each(wrong);
        }
    };
    Accident::Visit(Visitor("a reader", Arc::new(move || runs.iter().for_each(&read))))
}

impl History<'_> {
    fn tell(&mut self) -> Result<(), String> {
        let shards = match self.plan.sets.div_ceil(self.plan.per_part) {
            parts @ 2.. if self.plan.has_shards() && self.rng.below(3) == 0 => {
                Some(2 + self.rng.below(parts as usize - 1) as u64)
            }
            _ => None,
        };
        let run = self.root.join("run");
        match shards {
            None => self.complete(&run, None)?,
            Some(of) => self.merge_shards(&run, of)?,
        }
        if self.rng.below(4) == 0 {
            self.damage(&run)?;
        }
        self.check_whole(&run)?;
        if self.rng.below(3) == 0 {
            match &mut self.plan.kind {
                Kind::League { agents } if self.rng.below(2) == 0 => *agents += 1,
                _ => self.plan.sets += 1 + self.rng.below(3) as u64,
            }
            self.complete(&run, None)?;
            self.check_whole(&run)?;
        }
        Ok(())
    }

    /// Accidents of a life of about this many steps.
    fn accidents(&mut self, steps: u64, run: &Path, act: Act) -> Vec<(u64, Accident)> {
        let count = 1 + self.rng.below(2);
        (0..count).map(|_| (1 + self.rng.below(steps as usize) as u64, self.accident(run, act))).collect()
    }

    fn accident(&mut self, run: &Path, act: Act) -> Accident {
        let is_bucket = matches!(self.place, Place::Bucket(_));
        match self.rng.below(12) {
            0..=2 => Accident::Kill,
            3..=5 if !is_bucket => Accident::PowerLoss,
            3 => Accident::AnswerLost,
            4 => Accident::OldList,
            5 => Accident::Kill,
            6 => Accident::Refuse(ErrorKind::PermissionDenied),
            7 => Accident::Refuse(ErrorKind::TimedOut),
            8 if !is_bucket => Accident::Full,
            8 => Accident::AnswerLost,
            9 if let Act::Play(shard) = act => {
                self.is_alone = false;
                let creates = self.rng.below(2) == 0;
                rival(&self.place, run, self.plan, shard, creates)
            }
            10 if self.shards.last().is_some_and(|last| last == run) => {
                merger(run, &self.shards, &self.root.join("run"))
            }
            _ if self.damaged.is_some() => Accident::Kill,
            _ => reader(self.plan.runs(run)),
        }
    }

    /// Lives until it is complete.
    fn complete(&mut self, path: &Path, shard: Option<Shard>) -> Result<(), String> {
        let steps = whole(self.plan).steps;
        self.lives(path, Act::Play(shard), steps + 10, |history| {
            let has_rivals = !history.is_alone;
            let creates = history.rng.below(3) == 0;
            let patience = if !history.is_calm && history.rng.below(4) == 0 {
                history.rng.below(300) as u64
            } else {
                u64::MAX
            };
            let watch = &mut Patience(patience.into());
            let played = history.plan.live(path, shard, (creates, has_rivals), watch);
            if let (Err(what), Some(file)) = (&played, &history.damaged)
                && what.contains("move its files away")
            {
                history.place.damage(file, None);
                return Ok(false);
            }
            played
        })
    }

    /// Calls `live` until it has ended, with accidents at first.
    fn lives(
        &mut self,
        run: &Path,
        act: Act,
        steps: u64,
        live: impl Fn(&mut History<'_>) -> Result<bool, String>,
    ) -> Result<(), String> {
        self.durable = 0;
        let troubled = self.rng.below(TROUBLED as usize + 1) as u64;
        for life in 0..troubled + CALM {
            let accidents = if life < troubled { self.accidents(steps, run, act) } else { Vec::new() };
            self.is_calm = accidents.is_empty();
            self.told
                .extend(accidents.iter().map(|(step, accident)| format!("at step {step}: {accident:?}")));
            let before = self.kept(run);
            self.place.clock().begin(self.rng.next_u64(), accidents);
            let lived = live(self);
            let is_alive = self.place.clock().is_alive();
            let (steps, is_disturbed, has_lost_power) = self.place.clock().end();
            self.place.restart(has_lost_power);
            self.totals.lives.fetch_add(1, Ordering::Relaxed);
            self.totals.steps.fetch_add(steps, Ordering::Relaxed);
            self.totals.disturbed.fetch_add(u64::from(is_disturbed), Ordering::Relaxed);
            self.told.push(format!(
                "{}: {steps} steps, {lived:?}{}",
                run.display(),
                match (is_alive, has_lost_power) {
                    (true, _) => "",
                    (false, false) => ", killed",
                    (false, true) => ", lost power",
                }
            ));
            let (after, safe) = (self.kept(run), if has_lost_power { self.durable } else { before });
            if self.is_alone && after < safe {
                return Err(format!("{safe} games were kept, {after} are"));
            }
            self.durable = if is_disturbed { self.durable.min(after) } else { after };
            match lived {
                Ok(true) if is_alive => return Ok(()),
                Ok(_) => {}
                Err(_) if !is_alive => {}
                Err(what) if self.is_calm => return Err(format!("without an accident: {what}")),
                Err(what) if !what.contains("storm:") => return Err(format!("no file is named: {what}")),
                Err(_) => {}
            }
        }
        Err("it does not end".to_owned())
    }

    /// The games of whole parts that the manifests name.
    fn kept(&self, path: &Path) -> u64 {
        let kept = |run: &PathBuf| {
            let (config, manifest) = run::read_started(run).ok()?;
            let whole = manifest?.parts.into_iter().filter(|part| part.games == config.games_per_part);
            Some(whole.map(|part| part.games).sum::<u64>())
        };
        self.place.clock().visit(|| self.plan.runs(path).iter().filter_map(kept).sum())
    }

    /// Plays all shards and merges them.
    fn merge_shards(&mut self, run: &Path, of: u64) -> Result<(), String> {
        let paths: Vec<PathBuf> = (1..=of).map(|number| self.root.join(format!("shard-{number}"))).collect();
        self.shards.clone_from(&paths);
        for (number, path) in (1..).zip(&paths) {
            if self.rng.below(4) == 0
                && self.place.clock().visit(|| run::merge(&paths[..number as usize - 1], run)).is_ok()
            {
                return Err(format!("{} of {of} shards are merged", number - 1));
            }
            self.complete(path, Some(format!("{number}/{of}").parse().expect("a shard")))?;
        }
        let shards: Vec<Files> = paths.iter().map(|path| lasting(self.place.all(path))).collect();
        self.lives(run, Act::Mend, 60, |_| {
            match run::merge(&paths, run) {
                // It was complete when the program was killed.
                Err(error) if error.to_string().contains("already holds a run") => Ok(true),
                merged => merged.map(|_| true).map_err(|error| error.to_string()),
            }
        })?;
        if self.plan.kind != Kind::Run {
            self.complete(run, None)?;
        }
        let are_same = paths.iter().zip(&shards).all(|(path, files)| lasting(self.place.all(path)) == *files);
        if are_same { Ok(()) } else { Err("a merge changed its shards".to_owned()) }
    }

    /// A file of a run is damaged or lost. `verify` finds it, and the run is repaired.
    fn damage(&mut self, whole: &Path) -> Result<(), String> {
        let runs = self.plan.runs(whole);
        let run = &runs[self.rng.below(runs.len())];
        let files: Vec<(PathBuf, Vec<u8>)> = lasting(self.place.all(run)).into_iter().collect();
        let files: Vec<_> =
            files.into_iter().filter(|(path, _)| path.extension().is_none_or(|end| end != "toml")).collect();
        let (path, mut bytes) = files[self.rng.below(files.len())].clone();
        let size = bytes.len();
        let changed = match self.rng.below(3) {
            0 => None,
            // A manifest may end without its last line break.
            1 => Some(bytes[..self.rng.below(bytes.len() - 1)].to_vec()),
            _ if path == Path::new("manifest.json") => None,
            _ => {
                let at = self.rng.below(bytes.len());
                bytes[at] ^= 1 << self.rng.below(8);
                Some(bytes)
            }
        };
        self.told.push(format!("{} is damaged: {:?} bytes", path.display(), changed.as_ref().map(Vec::len)));
        // Without its manifest or with a file of another size, a run is not resumed.
        let changed_size = changed.as_ref().is_none_or(|changed| changed.len() != size);
        self.place.damage(&run.join(&path), changed);
        (self.is_alone, self.damaged) = (false, Some(run.join(&path)));
        let is_seen = changed_size && self.place.clock().visit(|| Run::resume(run, None)).is_ok();
        if is_seen {
            return Err(format!("a run is resumed without {}", path.display()));
        }
        let count = std::cell::Cell::new(0);
        let checked = self.place.clock().visit(|| {
            let add = || count.set(count.get() + 1);
            verify_hashes(run, &mut (), |_| add(), |_| add())
        });
        let found = count.get() + u32::from(checked.is_err());
        self.told.push(format!("verify finds {found}"));
        if found == 0 {
            return Err(format!("verify does not find that {} is damaged", path.display()));
        }
        self.lives(run, Act::Mend, 30, |_| {
            run::rebuild_manifest(run, false).map(|_| true).map_err(|error| error.to_string())
        })?;
        self.complete(whole, None)?;
        self.damaged = None;
        Ok(())
    }

    /// The run has the bytes of an uninterrupted one, and nothing else.
    fn check_whole(&mut self, run: &Path) -> Result<(), String> {
        let Whole { files: expected, result, .. } = &*whole(self.plan);
        let found = lasting(self.place.all(run));
        if let Some(path) = expected.keys().find(|path| !found.contains_key(*path)) {
            return Err(format!("{} is missing", path.display()));
        }
        for (path, bytes) in &found {
            match expected.get(path) {
                None => return Err(format!("{} should not be there", path.display())),
                Some(expected) if expected != bytes => {
                    return Err(format!("{} has other bytes", path.display()));
                }
                Some(_) => {}
            }
        }
        if result_of(self.plan, run) == *result {
            Ok(())
        } else {
            Err("the match has another result".to_owned())
        }
    }
}
