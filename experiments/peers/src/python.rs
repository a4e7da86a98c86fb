//! Sends the hands to the Python packages.

use std::error::Error;
use std::io::Write as _;
use std::process::{Command, Stdio};

use jantaku_agents::mjai;
use jantaku_engine::Meld;
use jantaku_engine::replay::RecordedGame;
use serde_json::{Value, json};

use crate::hands::Turn;
use crate::measure::Time;
use crate::score::Numbered;
use crate::wins::WonHand;

/// The input of `peers.py`.
#[derive(Default)]
pub struct Questions {
    hands: Vec<Value>,
    wins: Vec<Value>,
    pub games: usize,
    /// Recorded games as mjai logs.
    recorded: Vec<String>,
}

impl Questions {
    pub fn add_hands(&mut self, mix: &str, turns: &[Turn]) {
        let counts: Vec<Vec<u8>> = turns.iter().map(|turn| turn.with_draw().as_array().to_vec()).collect();
        self.hands.push(json!({ "mix": mix, "counts": counts }));
    }

    pub fn add_wins(&mut self, wins: &[WonHand]) {
        let question = |won: &WonHand| {
            let hand = Numbered::of(won);
            let meld = |(meld, tiles): &(Meld, Vec<u8>)| json!({ "kind": format!("{:?}", meld.kind()), "tiles": tiles, "open": meld.is_open() });
            json!({
                "concealed": hand.concealed,
                "melds": hand.melds.iter().map(meld).collect::<Vec<_>>(),
                "win": hand.win,
                "dora": hand.dora,
                "ura": hand.ura,
                "tsumo": won.tsumo,
                "riichi": won.riichi,
                "seat": won.wind as u8,
                "round": won.round_wind as u8,
            })
        };
        self.wins.extend(wins.iter().map(question));
    }

    pub fn add_recorded(&mut self, games: &[RecordedGame]) -> serde_json::Result<()> {
        for game in games {
            let lines: Result<Vec<String>, _> = mjai::write(game).iter().map(serde_json::to_string).collect();
            self.recorded.push(lines?.join("\n"));
        }
        Ok(())
    }

    /// Runs `peers.py` and returns each question with the time of a package.
    pub fn ask(&self, python: &str) -> Result<Vec<(String, Time)>, Box<dyn Error>> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/peers.py");
        let mut child =
            Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let questions = json!({
            "hands": self.hands, "wins": self.wins, "games": self.games, "recorded": self.recorded,
        });
        child.stdin.take().ok_or("peers.py has no stdin")?.write_all(questions.to_string().as_bytes())?;
        let output = child.wait_with_output()?;
        if !output.status.success() {
            return Err(format!("{python} {script}: {}", output.status).into());
        }
        let answers: Vec<(String, String, f64)> = serde_json::from_slice(&output.stdout)?;
        let time = |(question, who, nanoseconds)| (question, Time { who, nanoseconds });
        Ok(answers.into_iter().map(time).collect())
    }
}
