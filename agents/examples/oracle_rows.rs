//! Rows to train the network of the oracle value: hands in play, and how they ended.
//!
//! ```sh
//! cargo run --release --package jantaku-agents --example oracle_rows -- residual 0 500 rows.bin
//! ```
//!
//! The agent plays all seats of the games with these seeds. From some decisions, `heuristic:fast` plays on in a
//! fresh wall. After one to eight turns of the seat, a row has what the network reads and the end of the hand.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write as _};

use jantaku_agents::candidates::Limits;
use jantaku_agents::oracle::{Encoded, has_drawn};
use jantaku_agents::{Catalog, Heuristic, NamedPolicy, Policy as _};
use jantaku_engine::random::hash;
use jantaku_engine::{Game, HandEnd, Players, Rng, Round, Rules, Seat};

const USAGE: &str = "usage: oracle_rows PLAYER FIRST END FILE";
/// The share of decisions from which rows are played.
const SHARE: f64 = 0.25;
/// Walls for each of them.
const WALLS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [player, first, end, path] = &arguments[..] else { return Err(USAGE.into()) };
    let catalog = Catalog::standard();
    let player = catalog.agent(player)?.to_policy()?;
    let base = catalog.agent("heuristic:version=2")?;
    let base = base.downcast::<Heuristic>().ok_or("no heuristic")?;
    let fast = catalog.agent("heuristic:fast,version=2")?.to_policy()?;
    let mut out = BufWriter::new(File::create(path)?);
    for seed in first.parse::<u64>()?..end.parse()? {
        let (mut game, mut decision) = (Game::new(&Rules::default(), seed), 0_u64);
        while !game.is_over() {
            let (seat, legal) = game.decisions().next().ok_or("a game without decisions")?;
            let o = game.observe(seat);
            let mut rng = Rng::new(hash(&[seed, decision, 77]));
            let limits = Limits { most: 3, margin: 1000.0 };
            let is_chosen = legal.len() > 1 && rng.uniform() < SHARE;
            if is_chosen && let Ok(found) = base.compare(&o, limits, &mut rng) {
                for _ in 0..WALLS {
                    let mut round = game.round().clone();
                    round.reshuffle(&mut rng);
                    let at = rng.below(found.candidates.len());
                    round.submit(seat, found.candidates[at].action)?;
                    if let Some(row) = row(round, seat, &fast, &mut rng)? {
                        out.write_all(&row)?;
                    }
                }
            }
            let action = player.choose(&o, &mut game.random_stream(seat, player.salt()));
            game.submit(seat, action)?;
            decision += 1;
        }
    }
    Ok(())
}

/// Plays a hand to its end. Returns a row as `train_value.py` reads it, or None if the hand ended before its state
/// was taken.
fn row(
    mut round: Round,
    seat: Seat,
    fast: &NamedPolicy,
    rng: &mut Rng,
) -> Result<Option<Vec<u8>>, Box<dyn Error>> {
    let turns = 1 + rng.below(8) as u8;
    let until = round.table().live().saturating_sub(4 * turns);
    let mut encoded = None;
    while !round.is_over() {
        let table = round.table();
        if encoded.is_none() && has_drawn(table) && table.live() <= until {
            encoded = Some(Encoded::new(&round, seat));
        }
        round.keep_draws();
        for seat in round.pending().iter() {
            let action = fast.choose(&round.observe(seat), rng);
            round.submit(seat, action)?;
        }
    }
    let (Some(encoded), Some(outcome)) = (encoded, round.outcome()) else { return Ok(None) };
    let from_own = |other: Seat| seat.steps_to(other, Players::Four);
    let end = match &outcome.end {
        HandEnd::Win(wins) => {
            let win = &wins[0];
            let base = win.score.base;
            [
                from_own(win.winner),
                win.from.map_or(from_own(win.winner), from_own),
                (base / 50).min(255) as u8,
            ]
        }
        HandEnd::Draw { tenpai, .. } => {
            let bits = tenpai.iter().fold(0, |bits, other| bits | 1 << from_own(other));
            [4, 0, bits]
        }
    };
    let mut row = Vec::with_capacity(Encoded::MAX_ACTIVE * 2 + Encoded::SCALARS * 4 + 4);
    let padding = std::iter::repeat_n(&u16::MAX, Encoded::MAX_ACTIVE - encoded.active().len());
    encoded.active().iter().chain(padding).for_each(|feature| row.extend(feature.to_le_bytes()));
    encoded.scalars.iter().for_each(|scalar| row.extend(scalar.to_le_bytes()));
    row.extend(end);
    row.push(turns);
    Ok(Some(row))
}
