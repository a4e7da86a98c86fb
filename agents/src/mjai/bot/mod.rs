//! The agent `mjai`: programs that speak mjai on stdin and stdout.
//!
//! - `command`: the command line of a bot
//! - `groups`: the process groups of all bots
//! - `process`: a process that answers lines with lines, within a time limit
//! - `dialect`: what a bot is sent
//! - `chair`: one seat of a game that a bot plays
//! - this file: the processes of all tables, and what a fault causes
//!
//! `agents/docs/agents.md` describes the dialects, the faults and the options.

mod chair;
mod command;
mod dialect;
mod groups;
mod process;

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use jantaku_engine::{Action, ActionId, Declare, Event as EngineEvent, Observation, Phase, Rules, Seat};

use self::chair::{Chair, WrongAnswer};
use self::command::Words;
use self::dialect::{Dialect, start_game};
pub use self::groups::exit;
use self::process::{Fault, Process};
use super::answer::{self, Meaning};
use crate::entry::{Built, Entry};
use crate::option::{AgentOption, OptionDefault, OptionKind};
use crate::{
    Agent, AgentError, FaultKind, Faults, News, OnFault, Reply, Request, Setup, StartAgent, TableId, Update,
};

pub(crate) const ENTRY: Entry = Entry {
    name: "mjai",
    about: "a program in any language that speaks mjai on stdin and stdout",
    options: &[
        AgentOption {
            name: "command",
            kind: OptionKind::Text,
            default: OptionDefault::Required,
            about: "program and arguments, in quotation marks; {seat} becomes the seat",
        },
        AgentOption {
            name: "dialect",
            kind: OptionKind::Choice(&["app", "line"]),
            default: OptionDefault::Value("app"),
            about: "whether a line has all events since the last question, or one event",
        },
        AgentOption {
            name: "can_act",
            kind: OptionKind::SWITCH,
            default: OptionDefault::Value("off"),
            about: "whether each event of the dialect line says if it is a question",
        },
        AgentOption {
            name: "time",
            kind: OptionKind::Number(0.001..=86400.0),
            default: OptionDefault::Value("10"),
            about: "seconds for a move",
        },
        AgentOption {
            name: "start",
            kind: OptionKind::Number(0.001..=86400.0),
            default: OptionDefault::Value("60"),
            about: "seconds for the answer to start_game, which includes the start of the program",
        },
    ],
    build: |options, _| {
        let marks = options.value("can_act");
        let dialect = match options.value::<String>("dialect").as_str() {
            "line" => Dialect::Line { can_act: marks },
            _ if marks => return Err("`can_act=on` needs `dialect=line`".into()),
            _ => Dialect::App,
        };
        let seconds = |name| Duration::from_secs_f64(options.value(name));
        Ok(Built::agent(Program {
            words: Words::parse(&options.value::<String>("command"))?,
            dialect,
            time: seconds("time"),
            start: seconds("start"),
        }))
    },
};

/// How long the processes may take to end by themselves when the agent is dropped.
const TIME_TO_END: Duration = Duration::from_secs(1);

/// A program that speaks mjai, and how to speak with it.
#[derive(Clone, Debug)]
struct Program {
    words: Words,
    dialect: Dialect,
    /// The time for a move.
    time: Duration,
    /// The time for the answer to `start_game`.
    start: Duration,
}

impl StartAgent for Program {
    fn start(&self, name: &str, setup: &Setup) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Bots {
            program: self.clone(),
            idle: HashMap::new(),
            chairs: HashMap::new(),
            referee: Referee { agent: name.to_owned(), setup: setup.clone(), faults: Faults::default() },
        }))
    }

    fn is_repeatable(&self) -> bool {
        false
    }
}

/// The processes of a program: one for each seat of each table in play.
#[derive(Debug)]
struct Bots {
    program: Program,
    /// The chairs of finished games whose processes wait for another, by the seat of their command
    /// line if it has one.
    idle: HashMap<Option<Seat>, Vec<Chair>>,
    chairs: HashMap<(TableId, Seat), Chair>,
    referee: Referee,
}

/// Decides what a fault causes.
#[derive(Debug)]
struct Referee {
    agent: String,
    setup: Setup,
    faults: Faults,
}

impl Referee {
    /// Counts a fault, unless the run is to stop: then nobody waits for answers any more.
    ///
    /// # Errors
    ///
    /// If a fault stops the run, or the run is to stop.
    fn count(&mut self, kind: FaultKind, message: &str) -> Result<(), AgentError> {
        if self.setup.stop.load(Ordering::Relaxed) {
            return Err(AgentError::Interrupted);
        }
        self.faults.add(kind, message.to_owned());
        if self.setup.on_fault != OnFault::Stop {
            return Ok(());
        }
        let reason = format!(
            "{message}\nTo go on after a fault, give `--on-fault substitute` or `--on-fault forfeit`."
        );
        Err(AgentError::Failed { agent: self.agent.clone(), reason })
    }

    /// Counts a fault at a decision and removes the process if it plays no more.
    fn judge(
        &mut self,
        chair: &mut Chair,
        o: &Observation<'_>,
        wrong: WrongAnswer,
    ) -> Result<(), AgentError> {
        let legal = if chair.has_announced() {
            answer::riichi_discards(o).map(|action| answer::answer(o, action).short()).collect()
        } else {
            legal_answers(o)
        };
        let WrongAnswer { fault: Fault { kind, what }, answer } = wrong;
        let message = format!(
            "{what} (seat {})\nLast event: {}\nAnswer: {}\nLegal: {}",
            o.seat(),
            chair.last_event().as_deref().unwrap_or("none"),
            answer.as_deref().unwrap_or("none"),
            legal.join(", "),
        );
        self.count(kind, &message)?;
        if self.setup.on_fault == OnFault::Forfeit || breaks_step(kind) {
            chair.process = None;
        }
        Ok(())
    }
}

/// Whether later answers of the process would not fit their questions.
const fn breaks_step(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::Crash | FaultKind::Late | FaultKind::Oversized)
}

impl Bots {
    /// A process for a new game at this seat, which has been sent `start_game`.
    fn seat(&mut self, rules: &Rules, seat: Seat) -> Result<Process, AgentError> {
        let lines = self.program.dialect.lines(&[start_game(rules, seat)], false);
        let key = Some(seat).filter(|_| self.program.words.has_seat());
        while let Some(chair) = self.idle.get_mut(&key).and_then(Vec::pop) {
            match chair.leave(&lines, self.program.start) {
                Ok(process) => return Ok(process),
                // A program may end after a game.
                Err(WrongAnswer { fault, .. }) if fault.kind == FaultKind::Crash => {}
                Err(WrongAnswer { fault: Fault { kind, what }, answer }) => {
                    let answer = answer.as_deref().unwrap_or("none");
                    self.referee.count(kind, &format!("{what} (between two games)\nAnswer: {answer}"))?;
                }
            }
        }
        let (program, arguments) = self.program.words.at(seat);
        let started = Process::start(&program, &arguments, &self.referee.setup);
        let mut process = started.map_err(|error| AgentError::Failed {
            agent: self.referee.agent.clone(),
            reason: format!("cannot start `{program}`: {error}"),
        })?;
        process.send(&lines, self.program.start);
        Ok(process)
    }

    fn chair(&mut self, request: &Request<'_>) -> &mut Chair {
        let chair = self.chairs.get_mut(&(request.table, request.seat()));
        chair.expect("a game starts before its decisions")
    }

    /// Puts the question of a decision to its bot.
    fn ask(&mut self, request: &Request<'_>) -> Result<(), AgentError> {
        if untold(&request.observation).is_some() {
            return Ok(());
        }
        let time = self.program.time;
        let unasked = self.chair(request).process.as_mut().and_then(Process::unasked);
        if let Some(line) = unasked {
            let fault = Fault::new(FaultKind::NotAnAnswer, "a line to which there is no question");
            let wrong = WrongAnswer { fault, answer: Some(line.trim_end().chars().take(300).collect()) };
            let chair = self.chairs.get_mut(&(request.table, request.seat())).expect("it is there");
            self.referee.judge(chair, &request.observation, wrong)?;
            chair.process = None;
        }
        self.chair(request).send(true, time);
        Ok(())
    }

    /// Takes the answer to the question of a decision. None if it announces riichi; then the bot is
    /// asked for the discard.
    fn hear(&mut self, request: &Request<'_>) -> Result<Option<Action>, AgentError> {
        let o = &request.observation;
        if let Some(action) = untold(o) {
            return Ok(Some(action));
        }
        let chair = self.chairs.get_mut(&(request.table, request.seat())).expect("it was asked");
        while chair.process.as_ref().is_some_and(|process| process.owed() > 1) {
            if let Err(wrong) = chair.quiet_answer() {
                self.referee.judge(chair, o, wrong)?;
            }
        }
        if chair.process.is_none() {
            return Ok(Some(substitute(o, false)));
        }
        match chair.answer(o) {
            Ok(Meaning::Action(action)) => Ok(Some(action)),
            Ok(Meaning::Riichi) => {
                chair.announce_riichi(self.program.time);
                Ok(None)
            }
            Err(wrong) => {
                self.referee.judge(chair, o, wrong)?;
                Ok(Some(substitute(o, false)))
            }
        }
    }

    /// Takes the discard of a bot that has announced riichi.
    fn hear_discard(&mut self, request: &Request<'_>) -> Result<Action, AgentError> {
        let o = &request.observation;
        let chair = self.chairs.get_mut(&(request.table, request.seat())).expect("it was asked");
        match chair.riichi_discard(o) {
            Ok(action) => Ok(action),
            Err(wrong) => {
                self.referee.judge(chair, o, wrong)?;
                Ok(substitute(o, true))
            }
        }
    }

    /// Sends the last events of a game and keeps the process for the next one.
    fn end_game(&mut self, table: TableId, seat: Seat) {
        let Some(mut chair) = self.chairs.remove(&(table, seat)) else { return };
        chair.send(false, self.program.time);
        if chair.process.is_some() {
            let key = Some(seat).filter(|_| self.program.words.has_seat());
            self.idle.entry(key).or_default().push(chair);
        }
    }
}

impl Agent for Bots {
    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        // All bots think at the same time.
        for request in &*requests {
            self.ask(request)?;
        }
        let mut actions = Vec::new();
        for request in &*requests {
            actions.push(self.hear(request)?);
        }
        for (request, action) in requests.iter().zip(actions) {
            let action = action.map_or_else(|| self.hear_discard(request), Ok)?;
            replies.push(action.into());
        }
        Ok(())
    }

    fn wants_updates(&self) -> bool {
        true
    }

    fn update(&mut self, update: Update<'_>) -> Result<(), AgentError> {
        let Update { table, seat, news } = update;
        match news {
            News::GameStart { rules } => {
                let process = self.seat(rules, seat)?;
                self.chairs.insert((table, seat), Chair::new(seat, rules, self.program.dialect, process));
            }
            News::Event(event) => {
                if let Some(chair) = self.chairs.get_mut(&(table, seat)) {
                    chair.take(event);
                }
                if matches!(event, EngineEvent::GameEnd { .. }) {
                    self.end_game(table, seat);
                }
            }
        }
        Ok(())
    }

    fn faults(&self) -> Faults {
        self.referee.faults.clone()
    }

    fn is_repeatable(&self) -> bool {
        false
    }
}

/// Gives all processes a moment to end by themselves.
impl Drop for Bots {
    fn drop(&mut self) {
        let idle = self.idle.drain().flat_map(|(_, chairs)| chairs);
        let chairs = self.chairs.drain().map(|(_, chair)| chair).chain(idle);
        let mut processes: Vec<Process> = chairs.filter_map(|chair| chair.process).collect();
        processes.iter_mut().for_each(Process::close_input);
        let end = Instant::now() + TIME_TO_END;
        for process in &mut processes {
            process.wait(end.saturating_duration_since(Instant::now()));
        }
    }
}

/// The action at a decision that the format has no words for: a tenpai hand is shown at a draw, and
/// a dealer who leads ends the game.
fn untold(o: &Observation<'_>) -> Option<Action> {
    match o.phase() {
        Phase::Draw => Some(Action::Pass),
        Phase::End => {
            let leads = o.scores().iter().all(|points| *points <= o.scores()[o.seat()]);
            Some(if leads { Action::EndGame } else { Action::Pass })
        }
        _ => None,
    }
}

/// The move of the substitute: it discards the drawn tile, or passes. It keeps a riichi that the
/// bot has announced, and makes the first legal move where there is no other.
fn substitute(o: &Observation<'_>, announced: bool) -> Action {
    let declare = if announced { Declare::Riichi } else { Declare::Nothing };
    let wanted = [Action::Tsumogiri { declare }, Action::Pass];
    let legal = |action: &Action| o.legal().contains(action.id());
    let first = || o.legal().first().map(ActionId::action);
    let riichi = || answer::riichi_discards(o).next().filter(|_| announced);
    let found = wanted.into_iter().find(legal).or_else(riichi).or_else(first);
    found.expect("a decision has legal actions")
}

/// The legal answers in short.
fn legal_answers(o: &Observation<'_>) -> Vec<String> {
    let plain = o.legal().iter().map(ActionId::action).filter(|action| answer::declares(*action).is_none());
    let riichi = answer::riichi_discards(o).next().map(|_| "reach".to_owned());
    plain.map(|action| answer::answer(o, action).short()).chain(riichi).collect()
}
