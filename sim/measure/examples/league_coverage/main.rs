//! Simulates leagues of agents with known ratings, and counts how often the intervals of the
//! ratings cover them.
//!
//! `league_coverage LEAGUES` prints a table for all models.

mod model;

use model::MODELS;

fn main() {
    let leagues = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100);
    println!("{leagues} leagues of each kind; the anchor has the rating 0");
    println!("players  sets  agent luck  seat luck  coverage by rating  games as independent  rejected");
    for model in MODELS {
        let found = model.coverage(leagues);
        let by_agent = model.ratings[1..].iter().zip(&found.by_agent);
        let by_agent: Vec<String> =
            by_agent.map(|(rating, covered)| format!("{rating}: {:.1} %", 100.0 * covered)).collect();
        println!(
            "{}  {}  {}  {}  {}  {:.1} %  {:.1} %",
            model.players,
            model.sets,
            model.agent_luck,
            model.seat_luck,
            by_agent.join(", "),
            100.0 * found.naive,
            100.0 * found.rejected
        );
    }
}
