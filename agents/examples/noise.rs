//! What rollouts with some options say of the same candidates as others: means, variances and seconds.
//!
//! ```sh
//! cargo run --release --package jantaku-agents --example noise -- residual 2000 2020 0.05 \
//!     deals=400,turns=0 deals=400,turns=4 > noise.csv
//! ```
//!
//! The agent plays all seats of the games with these seeds. A share of the decisions is labelled with each of the
//! options, in other deals. A line has a candidate other than the choice of the base, and the sums of its differences
//! to that choice; `played` is 1 if it is the action of the agent.

use std::error::Error;
use std::io::{Write as _, stdout};
use std::time::Instant;

use jantaku_agents::labels::{Label, LabelOptions, Labeller};
use jantaku_agents::{Catalog, Policy as _};
use jantaku_engine::random::hash;
use jantaku_engine::{Action, Game, Rng, Rules};

const USAGE: &str = "usage: noise PLAYER FIRST END SHARE LABELS…";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [player, first, end, share, labels @ ..] = &arguments[..] else { return Err(USAGE.into()) };
    let catalog = Catalog::standard();
    let player = catalog.agent(player)?.to_policy()?;
    let share: f64 = share.parse()?;
    let labellers: Vec<Labeller> = labels
        .iter()
        .map(|labels| Ok(Labeller::new(labels.parse::<LabelOptions>()?, &catalog)?))
        .collect::<Result<_, Box<dyn Error>>>()?;
    let mut out = stdout().lock();
    writeln!(out, "game,decision,kind,at,gap,played,deals,sum,squares,live,options,micros")?;
    for seed in first.parse::<u64>()?..end.parse()? {
        let (mut game, mut decision) = (Game::new(&Rules::default(), seed), 0_u64);
        while !game.is_over() {
            let (seat, _) = game.decisions().next().ok_or("a game without decisions")?;
            let o = game.observe(seat);
            let action = player.choose(&o, &mut game.random_stream(seat, player.salt()));
            if Rng::new(hash(&[seed, decision, 5])).uniform() < share {
                for (number, labeller) in labellers.iter().enumerate() {
                    let start = Instant::now();
                    let label = labeller.label(&game, &o, &[seed, decision, number as u64]);
                    let micros = start.elapsed().as_secs_f64() * 1e6;
                    if let Some(label) = label {
                        for line in lines(&label, action) {
                            writeln!(
                                out,
                                "{seed},{decision},{line},{},{number},{}",
                                o.live(),
                                micros as u64
                            )?;
                        }
                    }
                }
            }
            game.submit(seat, action)?;
            decision += 1;
        }
    }
    Ok(())
}

fn lines(label: &Label, action: Action) -> impl Iterator<Item = String> {
    label.actions.iter().enumerate().skip(1).map(move |(at, played)| {
        let gap = played.compared.gap.map_or(String::new(), |gap| gap.to_string());
        let is_played = u8::from(played.compared.action == action);
        let sums = played.differences;
        format!("{},{at},{gap},{is_played},{},{},{}", label.kind.name(), label.deals, sums.sum, sums.squares)
    })
}
