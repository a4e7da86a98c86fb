//! A table in play: a person against agents.
//!
//! # Why
//!
//! **Why does a table of `serve` hold only what its player sees?** The page of a table is the page
//! of `view`, to which the server keeps adding events. Its viewer gets events without hidden tiles
//! (`Event::seen_by`), so it cannot send what it does not hold. When a hand ends, the tiles that
//! players show come from a second frame. Rejected: a filter over the page of all hands, which must
//! know every place where a tile appears. Decisions are left out, because gaps in their numbers
//! reveal who else could call.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jantaku_agents::NamedAgent;
use jantaku_engine::{Action, ActionId, Event, Game, Seat};
use jantaku_pages::play_page;
use jantaku_show::Sentence;
use jantaku_show::view::{GameView, Opening};
use serde_json::{Value, json};

use super::decisions::Decisions;
use super::error::ServeError;
use super::opponents::Opponents;
use super::play::{Known, Play};
use super::save_game;
use super::source::Source;
use super::start::Start;
use super::table_config::TableSetup;
use jantaku_measure::explain::ask;
use jantaku_sim::dataset::BranchPoint;
use jantaku_sim::replay::source::DecisionContext;

/// The file of the decisions in the folder of a table.
const DECISIONS: &str = "decisions.txt";
/// How long a page waits for news.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// A table where a person plays. Its folder has everything that a server needs to resume the game.
pub(super) struct Table {
    name: String,
    folder: PathBuf,
    setup: TableSetup,
    hints: Option<NamedAgent>,
    play: Mutex<Play>,
    changed: Condvar,
    opponents: Mutex<Opponents>,
    /// Whether the server is stopping.
    stop: Arc<AtomicBool>,
}

/// Why an action is rejected.
pub(super) enum Rejected {
    /// The person has made this decision, in another window.
    Late,
    /// The action is not legal.
    Illegal,
    /// The decision cannot be written, or the server is stopping.
    Failed(Box<ServeError>),
}

impl Table {
    /// Sets a table up in a new folder. Its game begins with these decisions, which must be legal.
    pub(super) fn create(
        folder: &Path,
        setup: &TableSetup,
        made: &[(Seat, Action)],
        stop: &Arc<AtomicBool>,
    ) -> Result<Arc<Table>, ServeError> {
        setup.opponents(folder)?;
        setup.advisor(folder)?;
        std::fs::create_dir_all(folder).map_err(|cause| ServeError::file(folder, "cannot create", &cause))?;
        Decisions::write(&folder.join(DECISIONS), made)?;
        setup.write(&folder.join("table.toml"))?;
        Table::open(folder, stop)
    }

    /// Opens the table in a folder, and resumes its game.
    pub(super) fn open(folder: &Path, stop: &Arc<AtomicBool>) -> Result<Arc<Table>, ServeError> {
        let file = folder.join("table.toml");
        let setup = TableSetup::read(&file)?;
        let mut play = Play::resume(&setup, &folder.join(DECISIONS))?;
        play.is_saved = save_game::is_saved(folder);
        // A table with a saved game has no players.
        let agents = if play.is_saved { Vec::new() } else { setup.opponents(&file)? };
        let (opponents, hints) = (Opponents::new(agents, Arc::clone(stop)), setup.advisor(&file)?);
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (folder, stop) = (folder.to_owned(), Arc::clone(stop));
        let (play, opponents, changed) = (Mutex::new(play), Mutex::new(opponents), Condvar::new());
        let table = Arc::new(Table { name, folder, setup, hints, play, changed, opponents, stop });
        if !table.play().is_saved {
            table.resume_agents();
        }
        Ok(table)
    }

    /// Who plays, and under which rules.
    pub(super) const fn setup(&self) -> &TableSetup {
        &self.setup
    }

    /// The log of the finished game. None if it is not saved yet.
    pub(super) fn log(&self) -> Result<Option<Vec<u8>>, ServeError> {
        if !self.play().is_saved {
            return Ok(None);
        }
        save_game::log(&self.folder).map(Some)
    }

    /// The number of hands dealt, and whether the game is over.
    pub(super) fn progress(&self) -> (u32, bool) {
        let play = self.play();
        (play.game().hand_count(), play.game().is_over())
    }

    /// The page of the table.
    pub(super) fn page(&self) -> String {
        let play = self.play();
        let names = self.setup.agents.iter().map(|name| jantaku_agents::label_of(name).to_owned());
        let (source, rules) = (self.name.clone(), self.setup.rules_name.clone());
        let mut view = GameView { source, rules, names: names.collect(), ..play.viewer().view().clone() };
        view.note(self.setup.branch.as_ref().map(BranchPoint::sentence));
        let opening = Opening { seat: self.setup.seat, closed: true, ..Opening::default() };
        let data = json!({
            "path": format!("/tables/{}", self.name),
            "seat": self.setup.seat,
            "hints": self.setup.hints.as_deref().map(jantaku_agents::label_of),
            "news": play.news(usize::MAX, Instant::now()),
        });
        play_page(&view, opening, &data)
    }

    /// Long-polls for events after `known`.
    pub(super) fn wait(self: &Arc<Table>, known: Known) -> Value {
        let deadline = Instant::now() + MAX_WAIT;
        let mut play = self.play();
        loop {
            let now = Instant::now();
            if self.force(&mut play, now) {
                self.changed.notify_all();
                self.resume_agents();
            }
            let is_news = play.place() != known || play.is_saved || play.failure.is_some();
            if is_news || now >= deadline || self.server_is_stopping() {
                let is_current = play.place().undone == known.undone;
                return play.news(if is_current { known.hands } else { 1 }, now);
            }
            // Wakes often, because the clock of the person may run out.
            let brief = Duration::from_millis(250).min(deadline - now);
            play = self.changed.wait_timeout(play, brief).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes the choice of the person, and waits a moment for the answers of fast agents.
    pub(super) fn act(self: &Arc<Table>, decision: usize, action: ActionId) -> Result<Value, Rejected> {
        let mut play = self.play();
        let hands = play.place().hands;
        if play.place().decision != Some(decision) {
            return Err(Rejected::Late);
        }
        if self.server_is_stopping() {
            return Err(Rejected::Failed(Box::new(ServeError::Ends)));
        }
        let Some(o) = play.asked().filter(|o| o.legal().contains(action)) else {
            return Err(Rejected::Illegal);
        };
        let seat = o.seat();
        play.submit(seat, action.action()).map_err(|error| Rejected::Failed(Box::new(error)))?;
        drop(play);
        self.changed.notify_all();
        self.resume_agents();
        let mut play = self.play();
        let until = Instant::now() + Duration::from_millis(100);
        while play.asked().is_none() && !play.game().is_over() && Instant::now() < until {
            let left = until.saturating_duration_since(Instant::now());
            play = self.changed.wait_timeout(play, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(play.news(hands, Instant::now()))
    }

    /// Starts the clock at a decision that a page shows, and returns the news.
    pub(super) fn ready(&self, decision: usize) -> Value {
        let (mut play, now) = (self.play(), Instant::now());
        play.start_clock(decision, now);
        let hands = play.place().hands;
        play.news(hands, now)
    }

    /// What the agent for hints thinks of a decision. None if the person need not make this decision now, or
    /// the table has no such agent.
    pub(super) fn hint(&self, decision: usize) -> Option<Result<Value, ServeError>> {
        let agent = self.hints.as_ref()?;
        let (game, events) = {
            let play = self.play();
            (play.place().decision == Some(decision)).then(|| (play.game().clone(), play.events().to_vec()))
        }?;
        let observation = game.observe(self.setup.person()?);
        let (seed, hand) = (game.seed(), game.hand_count());
        let asked = ask(agent, &DecisionContext { observation, events: &events, seed, hand });
        Some(asked.map_err(ServeError::from).map(|opinion| json!({ "opinion": opinion })))
    }

    /// The page of the finished game with what an agent thinks of it. None if it is not saved yet.
    pub(super) fn review(&self) -> Result<Option<String>, ServeError> {
        if !self.play().is_saved {
            return Ok(None);
        }
        save_game::review(&self.folder, &self.setup, self.hints.as_ref()).map(Some)
    }

    /// The finished game up to a decision, to be played on. None if it is not saved yet.
    pub(super) fn start(&self, decision: usize) -> Result<Option<Start>, ServeError> {
        let run = self.play().is_saved.then(|| Source::new(self.folder.join(save_game::RUN)));
        run.map(|run| run.start(self.setup.game, decision, 0)).transpose()
    }

    /// Takes back the last choice of the person, and all decisions since. The agents begin anew.
    pub(super) fn undo(self: &Arc<Table>, decision: usize) -> Result<Value, Rejected> {
        let failed = |error| Rejected::Failed(Box::new(error));
        // Waits until the agents have decided.
        let mut opponents = self.opponents();
        let mut play = self.play();
        if play.place().decision != Some(decision) {
            return Err(Rejected::Late);
        }
        if self.server_is_stopping() {
            return Err(failed(ServeError::Ends));
        }
        let agents = self.setup.opponents(&self.folder.join("table.toml")).map_err(failed)?;
        if !play.undo(&self.setup, &self.folder.join(DECISIONS)).map_err(failed)? {
            return Err(Rejected::Illegal);
        }
        *opponents = Opponents::new(agents, Arc::clone(&self.stop));
        let news = play.news(1, Instant::now());
        drop((opponents, play));
        self.changed.notify_all();
        self.resume_agents();
        Ok(news)
    }

    /// Waits until no agent plays, after the server was stopped. Then no thread writes the game any
    /// more: each checks first whether the server stops.
    pub(super) fn wait_for_agents(&self) {
        drop(self.opponents());
        drop(self.play());
    }

    /// Whether the server is stopping.
    fn server_is_stopping(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn opponents(&self) -> MutexGuard<'_, Opponents> {
        self.opponents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn play(&self) -> MutexGuard<'_, Play> {
        self.play.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the agents play until the person must decide, on a thread of its own.
    fn resume_agents(self: &Arc<Table>) {
        let table = Arc::clone(self);
        std::thread::spawn(move || table.play_agents());
    }

    /// Lets the agents decide until the person must. Notes why an agent failed, and saves a game that is over.
    fn play_agents(&self) {
        let mut opponents = self.opponents();
        while let Some((seat, game, news)) = self.advance_to_agent(&opponents) {
            let chosen = opponents.choose(seat, &game, &news);
            let mut play = self.play();
            if self.server_is_stopping() {
                return;
            }
            let done = match chosen {
                Ok(action) if game.observe(seat).legal().contains(action.id()) => {
                    play.submit(seat, action).map_err(|error| error.to_string())
                }
                Ok(action) => Err(format!("{action} is not legal")),
                Err(error) => Err(error.to_string()),
            };
            if let Err(why) = done {
                play.failure = Some(self.note_failure(opponents.name(seat), &why));
            }
            drop(play);
            self.changed.notify_all();
        }
        if self.save_if_over() {
            opponents.leave();
        }
    }

    /// Makes the decisions of the person that leave no choice, up to the next one of an agent. Returns that
    /// agent's seat, the game, and the events that are new to the agent. None if the person must decide, or
    /// the game is over or cannot continue.
    fn advance_to_agent(&self, opponents: &Opponents) -> Option<(Seat, Game, Vec<Event>)> {
        let mut play = self.play();
        while self.force(&mut play, Instant::now()) {}
        if play.failure.is_some() || self.server_is_stopping() {
            return None;
        }
        let seat = play.next_agent()?;
        let news = opponents.received(seat).map_or_else(Vec::new, |heard| play.events()[heard..].to_vec());
        Some((seat, play.game().clone(), news))
    }

    /// Makes the next decision of the person if they have only one legal action, or no time left.
    /// Returns whether it did.
    fn force(&self, play: &mut Play, now: Instant) -> bool {
        if play.failure.is_some() || self.server_is_stopping() {
            return false;
        }
        play.submit_forced(now).unwrap_or_else(|error| {
            play.failure = Some(error.to_string().into());
            false
        })
    }

    /// Saves the game if it is over. Returns whether it is saved.
    fn save_if_over(&self) -> bool {
        let mut play = self.play();
        if play.game().is_over() && !play.is_saved && play.failure.is_none() && !self.server_is_stopping() {
            match save_game::save(&self.folder, &self.setup, play.made()) {
                Ok(()) => play.is_saved = true,
                Err(error) => play.failure = Some(error.to_string().into()),
            }
            self.changed.notify_all();
        }
        play.is_saved
    }

    /// Writes down why an agent failed, and returns what a person may read of it. The reason may
    /// name tiles that only the agent sees.
    fn note_failure(&self, agent: &str, why: &str) -> Sentence {
        let file = self.folder.join("failure.txt");
        let written = std::fs::File::create(&file).and_then(|mut file| writeln!(file, "{agent}: {why}"));
        let key = if written.is_ok() { "agent-failed-file" } else { "agent-failed" };
        Sentence::new(key, json!({ "agent": agent, "file": file.display().to_string() }))
    }
}

#[cfg(test)]
mod tests {
    use jantaku_engine::rules::Preset;

    use super::*;
    use crate::table_config::{PERSON, TimeLimit};

    /// A table at which the time of the person is always over. It has not been started.
    fn late(folder: &Path) -> Arc<Table> {
        let rules = Preset::named("duo").expect("a preset").rules();
        let (rules_name, agents) = ("duo".to_owned(), vec![PERSON.to_owned(), "random".to_owned()]);
        let clock = Some(TimeLimit { seconds: 0, spare: 0 });
        let setup = TableSetup {
            rules_name,
            agents,
            seat: 0,
            seed: 1,
            game: 0,
            branch: None,
            hints: None,
            clock,
            rules,
        };
        let ends = Arc::new(AtomicBool::new(true));
        let table = Table::create(&folder.join("table"), &setup, &[], &ends).expect("a table");
        // The thread of the agents has seen that the server ends.
        while Arc::strong_count(&table) > 1 {
            std::thread::yield_now();
        }
        table.stop.store(false, Ordering::Relaxed);
        table
    }

    /// Without the failure, the page would wait without end.
    #[test]
    fn decisions_that_cannot_be_written_are_failures() {
        for is_page in [true, false] {
            let folder = tempfile::tempdir().expect("a folder");
            let table = late(folder.path());
            assert!(table.play().made().is_empty() && table.play().asked().is_some());
            table.play().forbid_writing();
            let place = table.play().place();
            if is_page {
                table.wait(place);
            } else {
                table.play_agents();
            }
            let failure = table.wait(place)["failure"].as_str().map(str::to_owned).unwrap_or_default();
            assert!(failure.contains("decisions.txt: cannot write: "), "{failure:?}");
        }
    }

    #[test]
    fn nothing_is_written_when_the_server_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        let table = late(folder.path());
        table.stop.store(true, Ordering::Relaxed);
        let place = table.play().place();
        let action = table.play().asked().and_then(|o| o.legal().first()).expect("a decision");
        assert_eq!(table.wait(place)["made"], 0);
        assert!(
            matches!(table.act(0, action), Err(Rejected::Failed(error)) if matches!(*error, ServeError::Ends))
        );
        table.play_agents();
        assert!(table.play().made().is_empty());
        table.stop.store(false, Ordering::Relaxed);
        table.play_agents();
        assert!(table.play().is_saved, "the game continues to its end");
    }
}
