//! What each candidate of a search gains on its prior's choice, by rollouts from the true hands.
//!
//! ```sh
//! cargo run --release --package jantaku-agents --example search_gains -- \
//!     mc:prior=residual residual deals=24,candidates=6,margin=1500,discard=0.5 2000 2080 > gains.csv
//! ```
//!
//! The second agent plays all seats of the games with these seeds. Each decision that the options of
//! labels choose is searched and labelled. A line has the search's numbers of a candidate, and the mean
//! gain of the candidate in the label's deals, in points.

use std::error::Error;
use std::io::{Write as _, stdout};

use jantaku_agents::labels::{Label, LabelOptions, Labeller};
use jantaku_agents::{Arm, Catalog, MonteCarlo, Policy as _};
use jantaku_engine::{Action, Game, Observation, Rules};

const USAGE: &str = "usage: search_gains SEARCH PLAYER LABELS FIRST END";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [search, player, labels, first, end] = &arguments[..] else { return Err(USAGE.into()) };
    let catalog = Catalog::standard();
    let search = catalog.agent(search)?;
    let search = search.downcast::<MonteCarlo>().ok_or("SEARCH: expected `mc`")?;
    let player = catalog.agent(player)?.to_policy()?;
    let labeller = Labeller::new(labels.parse::<LabelOptions>()?, &catalog)?;
    let mut out = stdout().lock();
    writeln!(out, "game,decision,kind,live,gap,worlds,difference,error,gain")?;
    for seed in first.parse::<u64>()?..end.parse()? {
        let (mut game, mut decision) = (Game::new(&Rules::default(), seed), 0_u64);
        while !game.is_over() {
            let (seat, _) = game.decisions().next().ok_or("a game without decisions")?;
            let o = game.observe(seat);
            if let Some(label) = labeller.label(&game, &o, &[seed, decision]) {
                for line in lines(search, &o, &label, &game) {
                    writeln!(out, "{seed},{decision},{line}")?;
                }
            }
            let action = player.choose(&o, &mut game.random_stream(seat, player.salt()));
            game.submit(seat, action)?;
            decision += 1;
        }
    }
    Ok(())
}

/// The candidates of a decision beside the prior's choice, as far as they have labels.
fn lines(search: &MonteCarlo, o: &Observation<'_>, label: &Label, game: &Game) -> Vec<String> {
    let found = search.search(o, &mut game.random_stream(o.seat(), search.salt()));
    let value = |action: Action| {
        let labelled = label.actions.iter().find(|labelled| labelled.compared.action == action)?;
        Some(labelled.values.sum / f32::from(label.deals))
    };
    let Some(of_choice) = value(found.arms[0].action) else { return Vec::new() };
    let line = |arm: &Arm| {
        let gain = value(arm.action)? - of_choice;
        let gap = arm.gap.map_or(String::new(), |gap| gap.to_string());
        let Arm { worlds, difference, error, .. } = arm;
        Some(format!("{},{},{gap},{worlds},{difference},{error},{gain}", label.kind.name(), o.live()))
    };
    found.arms[1..].iter().filter_map(line).collect()
}
