//! Accidents of one life of the program: at which step, and what happens.

use std::fmt;
use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex, MutexGuard};

use jantaku_engine::Rng;

/// What happens at a step: a call of the program to its disk or bucket.
#[derive(Clone, Debug)]
pub enum Accident {
    /// The program is killed. The step happens, or half of it, or nothing.
    Kill,
    /// The machine loses power. What was not synced may be gone.
    PowerLoss,
    /// The step fails and has no effect.
    Refuse(ErrorKind),
    /// This and all later steps that write fail, until the program ends.
    Full,
    /// The step happens, but its answer is lost.
    AnswerLost,
    /// A list is older than it should be.
    OldList,
    /// The program stalls, and somebody else acts meanwhile.
    Visit(Visitor),
}

/// Who acts while the program stalls, and what they do.
#[derive(Clone)]
pub struct Visitor(pub &'static str, pub Arc<dyn Fn() + Send + Sync>);

impl fmt::Debug for Visitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// How a step ends.
#[derive(Debug, Default)]
pub struct Fate {
    /// Its error.
    pub error: Option<io::Error>,
    /// Whether it has an effect.
    pub happens: bool,
    /// Whether some of its bytes may be written.
    pub torn: bool,
    /// Whether a list is old.
    pub is_old: bool,
}

/// The steps of one history, in all lives of the program.
#[derive(Clone, Default)]
pub struct Clock(Arc<Mutex<State>>);

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Life {
    #[default]
    Lives,
    OnFullDisk,
    Killed,
    WithoutPower,
}

impl Life {
    fn is_over(self) -> bool {
        matches!(self, Life::Killed | Life::WithoutPower)
    }
}

#[derive(Default)]
struct State {
    step: u64,
    /// The accidents to come, the last one first.
    accidents: Vec<(u64, Accident)>,
    coins: Option<Rng>,
    life: Life,
    /// Whether an accident changed this life.
    is_disturbed: bool,
    /// Visitors act in peace.
    visits: u32,
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}", self.state().step)
    }
}

impl Clock {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no step panics")
    }

    /// Begins a life with these accidents, in any order.
    pub fn begin(&self, seed: u64, mut accidents: Vec<(u64, Accident)>) {
        accidents.sort_by_key(|(step, _)| std::cmp::Reverse(*step));
        *self.state() = State { accidents, coins: Some(Rng::new(seed)), ..State::default() };
    }

    /// Ends a life: its steps, whether an accident disturbed it, and whether the power was lost.
    pub fn end(&self) -> (u64, bool, bool) {
        let State { step, is_disturbed, life, .. } = std::mem::take(&mut *self.state());
        (step, is_disturbed, life == Life::WithoutPower)
    }

    /// Whether the program is still alive.
    pub fn is_alive(&self) -> bool {
        !self.state().life.is_over()
    }

    /// A random number below `n`.
    pub fn below(&self, n: usize) -> usize {
        self.state().coins.get_or_insert_with(|| Rng::new(0)).below(n)
    }

    /// Acts without accidents, as somebody outside the program.
    pub fn visit<T>(&self, act: impl FnOnce() -> T) -> T {
        self.state().visits += 1;
        let done = act();
        self.state().visits -= 1;
        done
    }

    /// One step of the program. `writes` says whether it needs room.
    pub fn step(&self, writes: bool) -> Fate {
        let mut state = self.state();
        let normal = Fate { happens: true, ..Fate::default() };
        // Files are fetched ahead at any moment, so such steps would make each history another one.
        let is_ahead = std::thread::current().name() == Some("prefetch");
        if state.visits > 0 || is_ahead {
            return normal;
        }
        let failed = |kind: ErrorKind| Fate { error: Some(kind.into()), ..Fate::default() };
        if state.life.is_over() {
            return failed(ErrorKind::BrokenPipe);
        }
        state.step += 1;
        let now = state.step;
        let accident = state.accidents.pop_if(|(step, _)| *step <= now);
        match accident.map(|(_, accident)| accident) {
            None if state.life == Life::OnFullDisk && writes => failed(ErrorKind::StorageFull),
            None => normal,
            Some(Accident::OldList) => Fate { is_old: true, ..normal },
            Some(Accident::Visit(visitor)) => {
                drop(state);
                self.visit(|| visitor.1());
                normal
            }
            Some(accident) => {
                state.is_disturbed = true;
                match accident {
                    Accident::Refuse(kind) => failed(kind),
                    Accident::AnswerLost => {
                        Fate { error: Some(ErrorKind::TimedOut.into()), happens: true, ..Fate::default() }
                    }
                    Accident::Full => {
                        state.life = Life::OnFullDisk;
                        if writes { Fate { torn: true, ..failed(ErrorKind::StorageFull) } } else { normal }
                    }
                    _ => {
                        let lost_power = matches!(accident, Accident::PowerLoss);
                        state.life = if lost_power { Life::WithoutPower } else { Life::Killed };
                        let happens = state.coins.as_mut().is_some_and(|coins| coins.below(2) == 0);
                        Fate { happens, torn: true, ..failed(ErrorKind::BrokenPipe) }
                    }
                }
            }
        }
    }
}
