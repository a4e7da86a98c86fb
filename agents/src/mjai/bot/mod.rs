//! The agent `mjai`: programs that speak mjai on stdin and stdout.
//!
//! - `command`: the command line of a bot
//! - `groups`: the process groups of all bots
//! - `messages`: the stderr of a process
//! - `fault`: what is wrong with a process or its answer
//! - `process`: a process that answers lines with lines, within a time limit
//! - `dialect`: the lines sent to a bot
//! - `seat`: one seat of a game that a bot plays
//! - `line_program`: a program that answers each line with a line, for questions that are not mjai
//! - this file: the processes of all tables, and the handling of faults
//!
//! `agents/docs/agents.md` describes the dialects, the faults and the options.

mod command;
mod dialect;
mod fault;
mod groups;
mod line_program;
mod messages;
mod process;
mod seat;

use std::collections::HashMap;
use std::io;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use jantaku_engine::{Action, ActionId, Declare, Event as EngineEvent, Observation, Phase, Rules, Seat};

use self::command::Words;
use self::dialect::{Dialect, HELLO, json, start_game};
use self::fault::{AnswerTo, Fault, shown};
pub use self::groups::exit;
pub use self::line_program::LineProgram;
use self::process::{Limit, Process};
use self::seat::{BotSeat, restart};
use super::answer::{self, Answer, Meaning};
use crate::entry::{Built, Entry};
use crate::option::{AgentOption, OptionDefault, OptionKind};
use crate::{
    Agent, AgentError, AgentSpeed, FaultKind, FaultLog, Faults, Moves, News, OnFault, Reply, Request, Setup,
    StartAgent, TableId, Update, argument,
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
        AgentOption::new(
            "dialect",
            OptionKind::Choice(&["app", "line", "mjsonp"]),
            "app",
            "a line with all events since the last question, with one event, or as gimite's server sends it",
        ),
        AgentOption::new(
            "can_act",
            OptionKind::SWITCH,
            "off",
            "whether each event of the dialect line says if it is a question",
        ),
        AgentOption::new(
            "legal",
            OptionKind::SWITCH,
            "off",
            "whether each question of the dialects app and line lists the legal answers",
        ),
        AgentOption::new("time", OptionKind::Number(0.001..=86400.0), "10", "seconds for a move"),
        AgentOption::new(
            "start",
            OptionKind::Number(0.001..=86400.0),
            "60",
            "seconds for the answer to start_game, which includes the start of the program",
        ),
    ],
    build: |options, _| {
        let [can_act, legal] = ["can_act", "legal"].map(|option| options.is_on(option));
        let dialect = match options.text("dialect") {
            "line" => Dialect::Line { can_act, legal },
            _ if can_act => return Err("`can_act=on` needs `dialect=line`".into()),
            "mjsonp" if legal => return Err("`legal=on` needs `dialect=app` or `dialect=line`".into()),
            "mjsonp" => Dialect::Mjsonp,
            _ => Dialect::App { legal },
        };
        let limit = |option: &'static str| Limit {
            time: Duration::from_secs_f64(options.value(option)),
            option,
            is_of_agent: true,
        };
        Ok(Built::agent(Program {
            words: Words::parse(options.text("command"))?,
            dialect,
            time: limit("time"),
            start: limit("start"),
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
    time: Limit,
    /// The time for the answer to `start_game`.
    start: Limit,
}

impl StartAgent for Program {
    fn start(&self, name: &str, setup: &Setup) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Bots {
            program: self.clone(),
            idle: HashMap::new(),
            seats: HashMap::new(),
            ended: Vec::new(),
            most_seats: 0,
            begun: 0,
            referee: Referee {
                agent: name.to_owned(),
                setup: setup.clone(),
                faults: Faults::default(),
                counted: 0,
                has_started: false,
            },
        }))
    }

    fn is_deterministic(&self) -> bool {
        false
    }

    /// Each table has a process for each seat that the program plays.
    fn tables(&self) -> usize {
        4
    }

    fn speed(&self) -> AgentSpeed {
        AgentSpeed::Slow
    }
}

/// The processes of a program: one for each seat of each table in play.
#[derive(Debug)]
struct Bots {
    program: Program,
    /// Processes that wait for another game, by the seat of their command line if it has one.
    idle: HashMap<Option<Seat>, Vec<Process>>,
    seats: HashMap<(TableId, Seat), BotSeat>,
    /// Seats that have been sent the end of their game, while other seats of the table have not.
    ended: Vec<(Seat, BotSeat)>,
    /// The maximum number of seats that were in play at once.
    most_seats: usize,
    /// The number of batches whose questions were sent and not answered yet.
    begun: usize,
    referee: Referee,
}

/// Decides what happens after a fault.
#[derive(Debug)]
struct Referee {
    agent: String,
    setup: Setup,
    faults: Faults,
    /// The number of faults so far.
    counted: u64,
    /// Whether a process has answered `start_game`. If none has, the program cannot be played.
    has_started: bool,
}

impl Referee {
    /// Counts a fault.
    ///
    /// # Errors
    ///
    /// If a fault stops the run, or as [`Referee::note`].
    fn count(&mut self, table: TableId, kind: FaultKind, message: &str) -> Result<(), AgentError> {
        self.note(table, kind, message)?;
        if self.setup.on_fault != OnFault::Stop {
            return Ok(());
        }
        let hint = if self.setup.has_on_fault {
            let [substitute, forfeit] = ["substitute", "forfeit"].map(|value| argument("on_fault", value));
            format!("\nTo continue after a fault, give {substitute} or {forfeit}.")
        } else {
            String::new()
        };
        Err(self.failed(table, format!("{message}{hint}")))
    }

    /// Counts a fault and continues, unless the run is being stopped.
    ///
    /// # Errors
    ///
    /// If the run is being stopped, or the fault cannot be written.
    fn note(&mut self, table: TableId, kind: FaultKind, message: &str) -> Result<(), AgentError> {
        if self.setup.stop.load(Ordering::Relaxed) {
            return Err(AgentError::Interrupted);
        }
        self.faults.add(table, kind, Some(message.to_owned()));
        self.counted += 1;
        self.write(table, |log| log.add(self.counted, table, kind, message))
    }

    /// Counts the moves of a seat in a game.
    fn count_moves(&mut self, table: TableId, moves: Moves) -> Result<(), AgentError> {
        self.faults.add_moves(table, moves);
        self.write(table, |log| log.add_moves(table, moves))
    }

    /// Writes to the file of faults, if there is one.
    fn write(
        &self,
        table: TableId,
        write: impl FnOnce(&FaultLog) -> io::Result<()>,
    ) -> Result<(), AgentError> {
        let Some(log) = &self.setup.fault_log else { return Ok(()) };
        let failed = |error| self.failed(table, format!("cannot write {}: {error}", log.path.display()));
        write(log).map_err(failed)
    }

    fn failed(&self, table: TableId, reason: String) -> AgentError {
        AgentError::Failed { agent: self.agent.clone(), table: Some(table), reason }
    }

    /// Counts a fault outside a decision. The end of a process is no fault there: a program may end
    /// after a game.
    fn judge_outside(&mut self, table: TableId, fault: &Fault, when: &str) -> Result<(), AgentError> {
        match fault.kind {
            FaultKind::Crash => Ok(()),
            kind => self.count(table, kind, &format!("{} ({when})\n{}", fault.what, stated(fault))),
        }
    }

    /// Counts a fault at a decision and removes the process if it plays no more.
    fn judge(
        &mut self,
        bot: &mut BotSeat,
        Request { table, observation: o, .. }: &Request<'_>,
        fault: &Fault,
    ) -> Result<(), AgentError> {
        let (kind, message) = (fault.kind, described(bot, o, fault));
        if fault.asked == AnswerTo::Start && loses_step(kind) && !self.has_started {
            self.note(*table, kind, &message)?;
            return Err(self.failed(*table, format!("the program does not start: {message}")));
        }
        self.count(*table, kind, &message)?;
        if self.setup.on_fault == OnFault::Forfeit || loses_step(kind) || fault.asked == AnswerTo::Nothing {
            bot.process = None;
        }
        Ok(())
    }
}

/// What is expected where nothing can be decided.
const EXPECTS_NONE: &str = r#"Expected: {"type":"none"}"#;

/// A fault at a decision as a message: the error, the answer, and the expected answers.
fn described(bot: &BotSeat, o: &Observation<'_>, fault: &Fault) -> String {
    let last_event = || bot.last_event().unwrap_or_else(|| "none".to_owned());
    let (to, event, expected) = match &fault.asked {
        AnswerTo::Start => {
            let start = shown(&json(&start_game(o.rules(), o.seat())));
            (", the answer to `start_game`", start, EXPECTS_NONE.to_owned())
        }
        AnswerTo::Event(event) => ("", event.clone(), EXPECTS_NONE.to_owned()),
        AnswerTo::Question => ("", last_event(), format!("Legal: {}", legal_answers(bot, o).join(", "))),
        AnswerTo::Nothing => ("", last_event(), "Expected: no line before the next question".to_owned()),
    };
    format!(
        "{} (seat {}{to})\nLast event: {event}\n{}\n{expected}{}{}",
        fault.what,
        o.seat(),
        stated(fault),
        shown_words(&fault.last_words),
        advice(bot.dialect, fault),
    )
}

/// What to try if a program ends, stays silent or does not answer in mjai at its first message.
fn advice(dialect: Dialect, fault: &Fault) -> String {
    match fault.kind {
        _ if fault.asked != AnswerTo::Start => String::new(),
        FaultKind::Crash | FaultKind::NotJson | FaultKind::NotAnAnswer => dialect.advice().to_owned(),
        FaultKind::Late => format!(
            "\nA bot answers every line, and flushes its output after each answer. If it starts slowly, give the \
             agent a larger `start`.{}",
            dialect.advice()
        ),
        _ => String::new(),
    }
}

/// Whether later answers of the process would not fit their questions after a fault of this kind.
const fn loses_step(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::Crash | FaultKind::Late | FaultKind::Oversized)
}

/// The answer as a message shows it.
fn stated(fault: &Fault) -> String {
    match (&fault.answer, fault.kind) {
        (Some(answer), _) => format!("Answer: {answer}"),
        (None, FaultKind::Crash | FaultKind::Late) => "No answer".to_owned(),
        // It is too long, or no text.
        (None, _) => "Answer: not shown".to_owned(),
    }
}

/// The last lines of stderr as a message shows them.
fn shown_words(last_words: &str) -> String {
    if last_words.is_empty() { String::new() } else { format!("\nLast lines of its stderr:\n{last_words}") }
}

impl Bots {
    /// A process for a new game at this seat, which has been sent `start_game`.
    fn process_for(&mut self, rules: &Rules, table: TableId, seat: Seat) -> Result<Process, AgentError> {
        let mut lines = self.program.dialect.lines(&[start_game(rules, seat)], None);
        let key = Some(seat).filter(|_| self.program.words.has_seat());
        while let Some(mut process) = self.idle.get_mut(&key).and_then(Vec::pop) {
            match restart(&mut process, &lines, self.program.start) {
                Ok(()) => return Ok(process),
                Err(fault) => self.referee.judge_outside(table, &fault, "at the start of a game")?,
            }
        }
        self.make_room();
        let (program, arguments) = self.program.words.at(seat);
        let started = Process::start(&program, &arguments, &self.referee.setup);
        let failed = |error| self.referee.failed(table, format!("cannot start `{program}`: {error}"));
        let mut process = started.map_err(failed)?;
        if self.program.dialect == Dialect::Mjsonp {
            lines.insert(0, HELLO.to_owned());
        }
        process.send(&lines, self.program.start);
        Ok(process)
    }

    /// Ends idle processes, so that one more process does not exceed the maximum number of seats in
    /// play at once.
    fn make_room(&mut self) {
        let seats = self.seats.values().chain(self.ended.iter().map(|(_, bot)| bot));
        let playing = seats.filter(|bot| bot.process.is_some()).count();
        self.most_seats = self.most_seats.max(self.seats.len() + self.ended.len() + 1);
        let idle: usize = self.idle.values().map(Vec::len).sum();
        let surplus = (playing + idle + 1).saturating_sub(self.most_seats);
        for _ in 0..surplus {
            let largest = self.idle.values_mut().max_by_key(|processes| processes.len());
            let Some(mut process) = largest.and_then(Vec::pop) else { return };
            process.close_input();
            process.wait(TIME_TO_END);
        }
    }

    fn bot(&mut self, request: &Request<'_>) -> &mut BotSeat {
        let bot = self.seats.get_mut(&(request.table, request.seat()));
        bot.expect("a game starts before its decisions")
    }

    /// Sends the question of a decision to its bot.
    fn ask(&mut self, request: &Request<'_>) -> Result<(), AgentError> {
        if implicit_action(&request.observation).is_some() {
            return Ok(());
        }
        let time = self.program.time;
        let unasked = self.bot(request).process.as_mut().and_then(Process::unasked);
        if let Some(line) = unasked {
            let bot = self.seats.get_mut(&(request.table, request.seat())).expect("it is there");
            self.referee.judge(bot, request, &Fault::unasked(&line))?;
        }
        self.bot(request).send(Some(&request.observation), time);
        Ok(())
    }

    /// Reads the answer to the question of a decision. If it announces riichi, asks the bot for the
    /// discard.
    fn read_answer(&mut self, request: &Request<'_>) -> Result<BotAnswer, AgentError> {
        let o = &request.observation;
        if let Some(action) = implicit_action(o) {
            return Ok(BotAnswer::Reply(action.into()));
        }
        let bot = self.seats.get_mut(&(request.table, request.seat())).expect("it was asked");
        bot.moves.all += 1;
        let mut waited = None;
        // The last line is the question. The lines before it are to be answered, too.
        while bot.process.as_ref().is_some_and(|process| process.owed() > 1) {
            let quiet = bot.quiet_answer();
            self.referee.has_started |= bot.process.as_ref().is_some_and(|process| process.has_answered);
            if let Err(fault) = quiet {
                waited = fault.took;
                self.referee.judge(bot, request, &fault)?;
            }
        }
        if bot.process.is_none() {
            bot.moves.substituted += 1;
            return Ok(BotAnswer::Reply(Reply { took: waited, ..substitute(o, false).into() }));
        }
        Ok(match bot.answer(o) {
            Ok((Meaning::Action(action), took)) => BotAnswer::Reply(timed(action, took)),
            Ok((Meaning::Riichi, took)) => {
                bot.announce_riichi(o, self.program.time);
                BotAnswer::Riichi(took)
            }
            Err(fault) => {
                let took = fault.took;
                self.referee.judge(bot, request, &fault)?;
                bot.moves.substituted += 1;
                BotAnswer::Reply(Reply { took, ..substitute(o, false).into() })
            }
        })
    }

    /// Reads the discard of a bot, which took the time `announced` to announce riichi.
    fn read_discard(&mut self, request: &Request<'_>, announced: Duration) -> Result<Reply, AgentError> {
        let o = &request.observation;
        let bot = self.seats.get_mut(&(request.table, request.seat())).expect("it was asked");
        match bot.riichi_discard(o) {
            Ok((action, took)) => Ok(timed(action, announced + took)),
            Err(fault) => {
                let took = fault.took.map(|took| announced + took);
                self.referee.judge(bot, request, &fault)?;
                bot.moves.substituted += 1;
                Ok(Reply { took, ..substitute(o, true).into() })
            }
        }
    }

    /// Sends the last events of a game. When all bots of the table have them, takes their answers
    /// and keeps the processes for later games.
    fn end_game(&mut self, table: TableId, seat: Seat) -> Result<(), AgentError> {
        let Some(mut bot) = self.seats.remove(&(table, seat)) else { return Ok(()) };
        self.referee.count_moves(table, bot.moves)?;
        bot.send(None, self.program.time);
        self.ended.push((seat, bot));
        if self.seats.keys().any(|(other, _)| *other == table) {
            return Ok(());
        }
        for (seat, bot) in std::mem::take(&mut self.ended) {
            match bot.finish() {
                Ok(process) => {
                    let key = Some(seat).filter(|_| self.program.words.has_seat());
                    self.idle.entry(key).or_default().extend(process);
                }
                Err(fault) => self.referee.judge_outside(table, &fault, "at the end of a game")?,
            }
        }
        Ok(())
    }
}

/// What a bot has answered.
enum BotAnswer {
    Reply(Reply),
    /// It announces riichi, after this time. The discard comes next.
    Riichi(Duration),
}

/// An action with its time.
fn timed(action: Action, took: Duration) -> Reply {
    Reply { took: Some(took), ..action.into() }
}

impl Agent for Bots {
    /// Sends all questions, so that all bots think at the same time.
    fn begin(&mut self, requests: &[Request<'_>]) -> Result<(), AgentError> {
        self.begun += 1;
        requests.iter().try_for_each(|request| self.ask(request))
    }

    fn decide(&mut self, requests: &mut [Request<'_>], replies: &mut Vec<Reply>) -> Result<(), AgentError> {
        if self.begun == 0 {
            self.begin(requests)?;
        }
        self.begun -= 1;
        let answers: Vec<BotAnswer> =
            requests.iter().map(|request| self.read_answer(request)).collect::<Result<_, _>>()?;
        for (request, answer) in requests.iter().zip(answers) {
            replies.push(match answer {
                BotAnswer::Reply(reply) => reply,
                BotAnswer::Riichi(took) => self.read_discard(request, took)?,
            });
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
                let process = self.process_for(rules, table, seat)?;
                self.seats.insert((table, seat), BotSeat::new(seat, rules, self.program.dialect, process));
            }
            News::Event(event) => {
                if let Some(bot) = self.seats.get_mut(&(table, seat)) {
                    bot.take(event);
                }
                if matches!(event, EngineEvent::GameEnd { .. }) {
                    self.end_game(table, seat)?;
                }
            }
        }
        Ok(())
    }

    fn faults(&self) -> Faults {
        self.referee.faults.clone()
    }

    fn is_deterministic(&self) -> bool {
        false
    }

    /// The moves of the substitute are not timed.
    fn times_all_answers(&self) -> bool {
        true
    }
}

/// Gives all processes a moment to end by themselves.
impl Drop for Bots {
    fn drop(&mut self) {
        let idle = self.idle.drain().flat_map(|(_, processes)| processes);
        let seats = self.seats.drain().map(|(_, bot)| bot);
        let seats = seats.chain(self.ended.drain(..).map(|(_, bot)| bot));
        let mut processes: Vec<Process> = seats.filter_map(|bot| bot.process).chain(idle).collect();
        processes.iter_mut().for_each(Process::close_input);
        let end = Instant::now() + TIME_TO_END;
        for process in &mut processes {
            process.wait(end.saturating_duration_since(Instant::now()));
        }
    }
}

/// The action at a decision that the format has no question for: a tenpai hand is shown at a draw, and
/// a dealer who leads ends the game. None at other decisions.
fn implicit_action(o: &Observation<'_>) -> Option<Action> {
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

/// The legal answers to the question of a bot in short.
fn legal_answers(bot: &BotSeat, o: &Observation<'_>) -> Vec<String> {
    if bot.has_announced {
        return answer::riichi_discards(o).map(|action| answer::answer(o, action).short()).collect();
    }
    answer::legal(o).iter().map(Answer::short).collect()
}
